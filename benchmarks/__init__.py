"""Benchmarks of kernel PCA against scikit-learn's: cases, measurement, tables and figures."""
