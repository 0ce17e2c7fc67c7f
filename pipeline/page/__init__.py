"""The page of a run: one file of HTML that says what came out, and opens without a network."""
