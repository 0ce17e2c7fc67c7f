"""Datasets: synthetic ones, those of scikit-learn and OpenML, and the user's own files."""
