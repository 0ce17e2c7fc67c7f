"""How often intervals and verdicts are right, on simulated datasets of known populations."""
