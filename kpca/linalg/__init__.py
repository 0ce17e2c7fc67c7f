"""Numerical linear algebra and threads; nothing here knows a kernel."""
