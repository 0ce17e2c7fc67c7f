"""Which embedding in the plane can be trusted, by measures on the same splits."""
