"""One folder a study: what it measures, what it draws, and its captions."""
