"""Zou, Hastie and Tibshirani (2006): the tables of sparse components, reproduced."""
