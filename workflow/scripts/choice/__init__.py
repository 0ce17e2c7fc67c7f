"""Choosing γ and the number of components without labels, compared with the supervised choice."""
