"""Read the configuration, check it against its schema and the data, and explain errors."""
