"""Evaluation of component scores on held-out rows: SVM, k-means, regression, neighbourhoods."""
