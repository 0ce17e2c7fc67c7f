"""Published tables beside ours."""
