"""Decision on a dataset: the choice on all rows, in words and as code."""
