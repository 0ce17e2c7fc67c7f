"""The configuration: checked against its schema, and explained where it is wrong."""
