"""What a sweep comes to: the choice on all rows, in words, as a model and as code."""
