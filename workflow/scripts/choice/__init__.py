"""Choosing γ and the number of components without labels, beside the supervised choice."""
