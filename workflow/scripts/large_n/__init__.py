"""What replaces the exact fit where there are too many points for it, and how well."""
