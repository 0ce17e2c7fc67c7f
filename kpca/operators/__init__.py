"""Products of the training points' kernel matrix, stored or not, with blocks of vectors."""
