"""Figures of the sweep, each a rule of its name, where the configuration has what it shows."""

# Kernels whose level lines bend, and parameters of the bandwidth that the grid varies.
CURVED = [kernel for kernel in config["kernels"] if kernel != "linear"]
WIDTHS = [name for name in ("median", "gamma", "sigma") if LOADED.sweeps("rbf", name)]
RINGS = LOADED.with_source("generator", "rings")
DIGITS = LOADED.with_source("sklearn", "digits")
SWISS_ROLLS = LOADED.with_source("generator", "swiss_roll")
PLANE = LOADED.in_the_plane()
OF_GRID = {"points": POINTS, "sizes": EVALUATION["n_components"]}
COMPARED = table("comparisons", "datasets")
ACCURACY = {name: METHODS[name].metric for name in ON_SCORES}
# Script and parameters that several figures share.
OF_POINTS = {"params": {"points": POINTS, "input_digest": INPUT_DIGEST}}
FITS = OF_POINTS | {"script": "figures_of_fits"}
PAIRS = OF_POINTS | {"script": "figures_of_datasets"}

SWEEP = {
    "gallery": figure(
        "Embeddings", "every dataset under every kernel", fitted(DATASETS) | table("scores"), **FITS
    ),
    "spectrum": figure(
        "Parameters",
        "scree, and what comes back",
        fitted(DATASETS) | table("components", "decisions"),
        **FITS,
    ),
    "rings": figure(
        "Embeddings",
        "rings",
        fitted(RINGS) | table("scores", "comparisons"),
        **PAIRS,
        shown=CURVED and RINGS,
    ),
    "digits": figure(
        "Embeddings",
        "digits",
        fitted(DIGITS) | table("scores"),
        **PAIRS,
        shown=CURVED and DIGITS,
    ),
    "swiss_roll": figure(
        "Embeddings",
        "Swiss roll",
        fitted(SWISS_ROLLS) | table("selected"),
        **PAIRS,
        shown=SWISS_ROLLS,
    ),
    # One's own data in the plane get their level lines without being asked for.
    "contours": figure(
        "Input space", "level lines of the components", fitted(PLANE), **FITS, shown=PLANE
    ),
    "grid_accuracy": figure(
        "Parameters",
        "accuracy over the grid",
        table("scores", "selected"),
        script="figure_heatmap",
        params=OF_GRID | {"metrics": ACCURACY},
        shown=ANSWERED,
    ),
    "grid_ami": figure(
        "Parameters",
        "adjusted mutual information over the grid",
        table("scores", "selected"),
        script="figure_heatmap",
        params=OF_GRID | {"metrics": {"kmeans": "ami"}},
        shown=LABELLED,
    ),
    "gain": figure(
        "Methods",
        "gains over PCA",
        COMPARED,
        script="figure_comparison",
        params={"clustering": False},
        shown=ROWS,
    ),
    "gain_clustering": figure(
        "Methods",
        "clustering: gains over PCA",
        COMPARED,
        script="figure_comparison",
        params={"clustering": True},
        shown=LABELLED_ROWS,
    ),
    "bandwidth": figure(
        "Parameters",
        "bandwidth sweep",
        table("scores", "datasets"),
        script="figure_sweep",
        params={"points": POINTS, "kernel": "rbf", "parameter": next(iter(WIDTHS), "median")},
        shown=ROWS and ANSWERED and WIDTHS,
    ),
    "degree": figure(
        "Parameters",
        "degree sweep",
        table("scores", "datasets"),
        script="figure_sweep",
        params={"points": POINTS, "kernel": "poly", "parameter": "degree"},
        shown=ROWS and ANSWERED and LOADED.sweeps("poly", "degree"),
    ),
}
add_study("sweep", SWEEP_TABLES, SWEEP)

few = drawn(*(QUICK_FIGURES if QUICK else SWEEP))
SWEEP_FIGURES = [path for path in shown(SWEEP) if path in few]
