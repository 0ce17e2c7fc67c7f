"""What the levels of tests and intervals are worth, by repetition where the truth is known."""
