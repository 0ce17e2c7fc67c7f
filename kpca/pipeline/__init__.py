"""What the workflow's rules share: configuration, grid, stores, datasets, evaluation, plots."""
