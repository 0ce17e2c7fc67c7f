"""Parts of the pages of a run: each is one file of HTML, and opens without a network."""
