"""Certificates of eigenpairs: completeness, error bounds and definiteness."""
