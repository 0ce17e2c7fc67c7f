"""Many fits: over parameters, over folds, and criteria that choose without labels."""
