"""Studies that go back from scores to the input space."""
