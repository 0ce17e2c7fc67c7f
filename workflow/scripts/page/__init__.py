"""The HTML report of a run, with its explorer and lesson."""
