"""Schölkopf, Smola and Müller (1998): Table 1 and Figures 3 and 4, reproduced."""
