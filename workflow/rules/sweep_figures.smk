"""Figures of the sweep, each where the configuration has what it shows."""

from functools import partial

# Kernels whose level lines bend, and parameters of the bandwidth that the grid varies.
CURVED = [kernel for kernel in config["kernels"] if kernel != "linear"]
WIDTHS = [name for name in ("median", "gamma", "sigma") if LOADED.sweeps("rbf", name)]
RINGS = LOADED.with_source("generator", "rings")
DIGITS = LOADED.with_source("sklearn", "digits")
SWISS_ROLLS = LOADED.with_source("generator", "swiss_roll")
PLANE = LOADED.in_the_plane()
OF_FITS = {"points": POINTS, "input_digest": INPUT_DIGEST}
OF_GRID = {"points": POINTS, "sizes": EVALUATION["n_components"]}
ACCURACY = {
    "linear_svm": "balanced_accuracy",
    "linear_svm_whitened": "balanced_accuracy",
    "least_squares": "correlation",
}

embedding_figure = partial(figure, "Embeddings", params=OF_FITS)
parameter_figure = partial(figure, "Parameters")
method_figure = partial(figure, "Methods", inputs=table("comparisons", "datasets"))
SWEEP = {
    "gallery": embedding_figure(
        "every dataset under every kernel", fitted(DATASETS) | table("scores")
    ),
    "spectrum": parameter_figure("scree and cumulative variance", fitted(DATASETS), params=OF_FITS),
    "comparison": method_figure("test scores", params={"clustering": False, "value": "mean"}),
    "rings": embedding_figure(
        "rings",
        fitted(RINGS) | table("scores", "comparisons"),
        shown=CURVED and RINGS,
    ),
    "digits": embedding_figure(
        "digits",
        fitted(DIGITS) | table("scores"),
        script="figure_images",
        shown=CURVED and DIGITS,
    ),
    "swiss_roll": embedding_figure(
        "Swiss roll", fitted(SWISS_ROLLS) | table("selected"), shown=SWISS_ROLLS
    ),
    # One's own data in the plane get their level lines without being asked for.
    "contours": figure(
        "Input space", "level lines of the components", fitted(PLANE), params=OF_FITS, shown=PLANE
    ),
    "grid_accuracy": parameter_figure(
        "accuracy over the grid",
        table("scores", "selected"),
        params=OF_GRID | {"metrics": ACCURACY},
        script="figure_heatmap",
        shown=ANSWERED,
    ),
    "grid_ami": parameter_figure(
        "adjusted mutual information over the grid",
        table("scores", "selected"),
        params=OF_GRID | {"metrics": {"kmeans": "ami"}},
        script="figure_heatmap",
        shown=LABELLED,
    ),
    "comparison_clustering": method_figure(
        "clustering: test scores",
        script="figure_comparison",
        params={"clustering": True, "value": "mean"},
        shown=LABELLED,
    ),
    "gain": method_figure(
        "gains over PCA",
        script="figure_comparison",
        params={"clustering": False, "value": "gain"},
        shown=ROWS,
    ),
    "gain_clustering": method_figure(
        "clustering: gains over PCA",
        script="figure_comparison",
        params={"clustering": True, "value": "gain"},
        shown=LABELLED_ROWS,
    ),
    "bandwidth": parameter_figure(
        "bandwidth sweep",
        table("scores", "datasets"),
        params={"points": POINTS, "kernel": "rbf", "parameter": next(iter(WIDTHS), "median")},
        script="figure_sweep",
        shown=ROWS and ANSWERED and WIDTHS,
    ),
    "degree": parameter_figure(
        "degree sweep",
        table("scores", "datasets"),
        params={"points": POINTS, "kernel": "poly", "parameter": "degree"},
        script="figure_sweep",
        shown=ROWS and ANSWERED and LOADED.sweeps("poly", "degree"),
    ),
}
add_figures("sweep", SWEEP)

few = drawn(*(QUICK_FIGURES if QUICK else SWEEP))
SWEEP_FIGURES = [path for path in shown(SWEEP) if path in few]
