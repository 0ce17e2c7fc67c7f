"""Error rates of tests and coverage of intervals, by simulation with a known truth."""
