"""What the studies of the pipeline share; it builds on `kpca` and knows no study."""
