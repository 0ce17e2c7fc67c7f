"""Datasets: synthetic, scikit-learn's, the user's own, OpenML's."""
