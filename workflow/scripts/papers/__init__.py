"""Published tables and ours."""
