"""Zou, Hastie and Tibshirani 2006: the table of sparse components and ours."""
