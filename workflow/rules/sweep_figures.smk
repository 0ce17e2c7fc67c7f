"""Figures of the sweep, each a rule of its name, where the configuration has what it shows."""

# Kernels whose level lines bend, and parameters of the bandwidth that the grid varies.
CURVED = [kernel for kernel in config["kernels"] if kernel != "linear"]
WIDTHS = [name for name in ("median", "gamma", "sigma") if LOADED.sweeps("rbf", name)]
RINGS = [name for name, spec in DATASETS.items() if spec.get("generator") == "rings"]
PLANE = LOADED.in_the_plane()
ACCURACY = {name: METHODS[name].metric for name in ON_SCORES}
# What several figures share: category, script, tables and parameters.
OF_POINTS = {"points": POINTS, "input_digest": INPUT_DIGEST}
fit_figure = partial(figure, script="figures_of_fits", params=OF_POINTS)
gain_figure = partial(
    figure, "Methods", inputs=table("comparisons", "datasets"), script="figure_comparison"
)


def heatmap(title, metrics, shown):
    """Return the figure of test scores over the grid, by method and metric."""
    params = {"points": POINTS, "sizes": EVALUATION["n_components"], "metrics": metrics}
    inputs, script = table("scores", "selected"), "figure_heatmap"
    return figure("Parameters", title, inputs, script=script, shown=shown, params=params)


def sweep_curve(title, kernel, parameter, shown):
    """Return the figure of scores along a parameter of a kernel."""
    params = {"points": POINTS, "kernel": kernel, "parameter": parameter}
    inputs, seen = table("scores", "datasets"), ROWS and ANSWERED and shown
    return figure("Parameters", title, inputs, script="figure_sweep", shown=seen, params=params)


SWEEP = {
    "gallery": fit_figure(
        "Embeddings", "some datasets under some kernels", fitted(DATASETS) | table("scores")
    ),
    "spectrum": fit_figure(
        "Parameters",
        "scree, and what comes back",
        fitted(DATASETS) | table("components", "decisions"),
    ),
    "rings": fit_figure(
        "Embeddings",
        "rings",
        fitted(RINGS) | table("scores", "comparisons"),
        shown=CURVED and RINGS,
    ),
    # One's own data in the plane get their level lines without being asked for.
    "contours": fit_figure(
        "Input space", "level lines of the components", fitted(PLANE), shown=PLANE
    ),
    "grid_accuracy": heatmap("accuracy over the grid", ACCURACY, ANSWERED),
    "grid_ami": heatmap("adjusted mutual information over the grid", {"kmeans": "ami"}, LABELLED),
    "gain": gain_figure("gains over PCA", params={"clustering": False}, shown=ROWS),
    "gain_clustering": gain_figure(
        "clustering: gains over PCA", params={"clustering": True}, shown=LABELLED_ROWS
    ),
    "bandwidth": figure(
        "Parameters",
        "what the width of the Gaussian kernel costs",
        table("scores", "datasets"),
        script="figure_bandwidth",
        shown=ROWS and ANSWERED and WIDTHS,
        params={"parameter": next(iter(WIDTHS), "median")},
    ),
    "degree": sweep_curve("degree sweep", "poly", "degree", LOADED.sweeps("poly", "degree")),
}
add_study("sweep", SWEEP_TABLES, SWEEP)

few = drawn(*(QUICK_FIGURES if QUICK else SWEEP))
SWEEP_FIGURES = [path for path in TARGETS["sweep"] if path in few]
