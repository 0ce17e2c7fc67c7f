"""The linear family: principal components, singular values and sparse loadings."""
