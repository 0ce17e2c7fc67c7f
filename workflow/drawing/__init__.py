"""What figures share: one style, level lines, boundaries, points of the sweep."""
