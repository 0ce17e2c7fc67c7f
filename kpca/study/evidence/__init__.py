"""The tables of the sweep: scores, what was selected, how it compares."""
