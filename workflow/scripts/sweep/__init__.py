"""The chain of the sweep: datasets, fits, scores, and the tables of every run."""
