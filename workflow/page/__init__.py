"""Parts of the pages of a run. Each page is one HTML file that opens without a network."""
