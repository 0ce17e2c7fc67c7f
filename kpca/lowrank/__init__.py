"""Low-rank approximations of kernel matrices: pivots, and the Nyström preconditioner."""
