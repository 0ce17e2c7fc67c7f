"""The page that says what came out."""
