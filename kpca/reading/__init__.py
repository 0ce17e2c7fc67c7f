"""Read files and data frames into columns, and report problems with their remedies."""
