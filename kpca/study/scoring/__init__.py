"""What the scores are good for, out of sample: SVM, k-means, regression, neighbourhoods."""
