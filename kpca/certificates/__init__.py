"""What is certain about eigenpairs: completeness, bounds, definiteness."""
