"""What else kernel PCA says about rows of one's own: features, noise, novel rows, landmarks."""
