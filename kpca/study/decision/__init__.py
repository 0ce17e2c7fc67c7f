"""The decision on a dataset: what is recommended and exported, why, and its limits in words."""
