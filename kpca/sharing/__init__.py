"""Many fits on the same points: what they have in common is computed once."""
