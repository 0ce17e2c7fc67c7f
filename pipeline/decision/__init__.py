"""Decision on a dataset: the choice on all rows, in words, as a model and as code."""
