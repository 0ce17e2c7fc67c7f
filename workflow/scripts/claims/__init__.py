"""Take cases of the theory's statements from tables of a run, and judge each by a fixed rule."""
