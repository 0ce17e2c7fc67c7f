"""Many fits on the same points, side by side on the threads there are."""
