"""Settings of the grid, and kernel PCA fitted to each of them."""
