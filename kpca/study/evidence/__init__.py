"""Tables of results: selected settings, their held-out scores, comparisons and rankings."""
