"""Files and frames to columns: notation, formats, problems with their remedies."""
