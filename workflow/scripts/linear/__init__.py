"""Studies of the linear family: what PCA, SVD and sparse PCA do, in tables and figures."""
