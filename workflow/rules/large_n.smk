"""Large n: how many landmarks are enough, and what replaces the exact fit where it no longer fits."""

LARGE_N = "kpca.pipeline.studies.large_n"
LARGE_N_PLOTS = {}
LARGE_N_FIGURES = plan(LARGE_N_PLOTS, None, "Large n")
