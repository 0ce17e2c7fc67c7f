"""What else kernel PCA says about a user's rows: features, noise, novel rows, landmarks."""
