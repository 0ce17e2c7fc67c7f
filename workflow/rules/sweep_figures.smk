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

fit_figure = partial(figure, params=OF_FITS, script="figures_of_fits")
dataset_figure = partial(fit_figure, "Embeddings", script="figures_of_datasets")
COMPARED = table("comparisons", "datasets")
method_figure = partial(figure, "Methods", inputs=COMPARED, script="figure_comparison")
parameter_figure = partial(figure, "Parameters")
grid_figure = partial(parameter_figure, inputs=table("scores", "selected"), script="figure_heatmap")
curve_figure = partial(parameter_figure, inputs=table("scores", "datasets"), script="figure_sweep")
SWEEP = {
    "gallery": fit_figure(
        "Embeddings", "every dataset under every kernel", fitted(DATASETS) | table("scores")
    ),
    "spectrum": fit_figure("Parameters", "scree and cumulative variance", fitted(DATASETS)),
    # Where rows are given, the differences from PCA show more.
    "comparison": method_figure(
        "test scores",
        params={"clustering": False, "value": "mean"},
        shown=[name for name in DATASETS if name not in ROWS],
    ),
    "rings": dataset_figure(
        "rings", fitted(RINGS) | table("scores", "comparisons"), shown=CURVED and RINGS
    ),
    "digits": dataset_figure("digits", fitted(DIGITS) | table("scores"), shown=CURVED and DIGITS),
    "swiss_roll": dataset_figure(
        "Swiss roll", fitted(SWISS_ROLLS) | table("selected"), shown=SWISS_ROLLS
    ),
    # One's own data in the plane get their level lines without being asked for.
    "contours": fit_figure(
        "Input space", "level lines of the components", fitted(PLANE), shown=PLANE
    ),
    "grid_accuracy": grid_figure(
        "accuracy over the grid", params=OF_GRID | {"metrics": ACCURACY}, shown=ANSWERED
    ),
    "grid_ami": grid_figure(
        "adjusted mutual information over the grid",
        params=OF_GRID | {"metrics": {"kmeans": "ami"}},
        shown=LABELLED,
    ),
    "comparison_clustering": method_figure(
        "clustering: test scores",
        params={"clustering": True, "value": "mean"},
        shown=[name for name in LABELLED if name not in ROWS],
    ),
    "gain": method_figure(
        "gains over PCA", params={"clustering": False, "value": "gain"}, shown=ROWS
    ),
    "gain_clustering": method_figure(
        "clustering: gains over PCA",
        params={"clustering": True, "value": "gain"},
        shown=LABELLED_ROWS,
    ),
    "bandwidth": curve_figure(
        "bandwidth sweep",
        params={"points": POINTS, "kernel": "rbf", "parameter": next(iter(WIDTHS), "median")},
        shown=ROWS and ANSWERED and WIDTHS,
    ),
    "degree": curve_figure(
        "degree sweep",
        params={"points": POINTS, "kernel": "poly", "parameter": "degree"},
        shown=ROWS and ANSWERED and LOADED.sweeps("poly", "degree"),
    ),
}
add_figures("sweep", SWEEP)

few = drawn(*(QUICK_FIGURES if QUICK else SWEEP))
SWEEP_FIGURES = [path for path in shown(SWEEP) if path in few]
