"""What a fitted model reads: gradients, importances, contributions, variance inflation."""
