"""Published tables and ours."""

# Of a table of ours.
COLUMNS = ["cell", "published", "ours", "low", "high", "inside", "note"]
