"""The sweep: datasets, fits, scores, tables, and the figures of every run."""
