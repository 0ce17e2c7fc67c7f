"""Code that figures share: style, level lines, boundaries, and choices of what to show."""
