"""Figures of the sweep, each where the configuration has what it shows."""

# Kernels whose level lines bend, and parameters of the bandwidth that the grid varies.
CURVED = [kernel for kernel in config["kernels"] if kernel != "linear"]
WIDTHS = [name for name in ("median", "gamma", "sigma") if LOADED.sweeps("rbf", name)]
RINGS = LOADED.with_source("generator", "rings")
DIGITS = LOADED.with_source("sklearn", "digits")
SWISS_ROLLS = LOADED.with_source("generator", "swiss_roll")
PLANE = LOADED.in_the_plane()
OF_FITS = {"points": POINTS, "origin": ORIGIN}

SWEEP = {
    "gallery": figure(
        "Embeddings",
        "every dataset under every kernel",
        fitted(DATASETS) | table("scores"),
        params=OF_FITS,
    ),
    "spectrum": figure(
        "Parameters", "scree and cumulative variance", fits_of(DATASETS), params=OF_FITS
    ),
    "comparison": figure(
        "Methods",
        "test scores",
        table("comparisons", "datasets"),
        params={"clustering": False, "value": "mean"},
    ),
    "rings": figure(
        "Embeddings",
        "rings",
        fitted(RINGS) | table("scores", "comparisons"),
        params=OF_FITS,
        shown=CURVED and RINGS,
    ),
    "digits": figure(
        "Embeddings",
        "digits",
        fitted(DIGITS) | table("scores"),
        params=OF_FITS,
        script="figure_images",
        shown=CURVED and DIGITS,
    ),
    "swiss_roll": figure(
        "Embeddings",
        "Swiss roll",
        fitted(SWISS_ROLLS) | table("selected"),
        params=OF_FITS,
        shown=SWISS_ROLLS,
    ),
    # One's own data in the plane get their level lines without being asked for.
    "contours": figure(
        "Input space", "level lines of the components", fitted(PLANE), params=OF_FITS, shown=PLANE
    ),
    "grid_accuracy": figure(
        "Parameters",
        "accuracy over the grid",
        table("scores", "selected"),
        params={
            "points": POINTS,
            "metrics": {
                "linear_svm": "balanced_accuracy",
                "linear_svm_whitened": "balanced_accuracy",
                "least_squares": "correlation",
            },
            "sizes": EVALUATION["n_components"],
        },
        script="figure_heatmap",
        shown=ANSWERED,
    ),
    "grid_ami": figure(
        "Parameters",
        "adjusted mutual information over the grid",
        table("scores", "selected"),
        params={
            "points": POINTS,
            "metrics": {"kmeans": "ami"},
            "sizes": EVALUATION["n_components"],
        },
        script="figure_heatmap",
        shown=LABELLED,
    ),
    "comparison_clustering": figure(
        "Methods",
        "clustering: test scores",
        table("comparisons", "datasets"),
        params={"clustering": True, "value": "mean"},
        script="figure_comparison",
        shown=LABELLED,
    ),
    "gain": figure(
        "Methods",
        "gains over PCA",
        table("comparisons", "datasets"),
        params={"clustering": False, "value": "gain"},
        script="figure_comparison",
        shown=ROWS,
    ),
    "gain_clustering": figure(
        "Methods",
        "clustering: gains over PCA",
        table("comparisons", "datasets"),
        params={"clustering": True, "value": "gain"},
        script="figure_comparison",
        shown=LABELLED_ROWS,
    ),
    "bandwidth": figure(
        "Parameters",
        "bandwidth sweep",
        table("scores", "datasets"),
        params={"points": POINTS, "kernel": "rbf", "parameter": next(iter(WIDTHS), "median")},
        script="figure_sweep",
        shown=ROWS and ANSWERED and WIDTHS,
    ),
    "degree": figure(
        "Parameters",
        "degree sweep",
        table("scores", "datasets"),
        params={"points": POINTS, "kernel": "poly", "parameter": "degree"},
        script="figure_sweep",
        shown=ROWS and ANSWERED and LOADED.sweeps("poly", "degree"),
    ),
}
add_figures("sweep", SWEEP)

SWEEP_FIGURES = shown(SWEEP)
if QUICK:
    few = set(drawn(*QUICK_FIGURES))
    SWEEP_FIGURES = [path for path in SWEEP_FIGURES if path in few]
