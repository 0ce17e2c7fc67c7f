"""Studies: what the sources claim, computed."""
