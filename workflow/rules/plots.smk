"""What is drawn: an entry of `PLOTS` a figure, its caption beside the script.

An entry says which script draws the figure, from which files, with which arguments, and when
the configuration has what it shows.
"""

# Name of a figure: its plot, of this file and of the studies.
DRAWN = {}

SUPERVISED = [
    "linear_svm",
    "linear_svm_whitened",
    "rbf_svm",
    "least_squares",
    "embedding",
]
CLUSTERING = ["kmeans", "spectral"]
WITHOUT_LABELS = ("swiss_roll", "parabola")


def drawn(name):
    """Return the two files of a figure."""
    return [results(f"figures/{name}.{kind}") for kind in ("svg", "png")]


def plan(plots, study, category=None):
    """Add plots to what `figures.smk` draws; return the files.

    A plot may leave out ``script`` (its own name), ``when`` (always), and what all have alike.
    Its script is `figure_SCRIPT.py` in the folder of the study, or of ``study`` of its own.
    """
    planned = {
        name: {"script": name, "study": study, "category": category, **plot}
        for name, plot in plots.items()
        if plot.get("when", True)
    }
    DRAWN.update(planned)
    return [path for name in planned for path in drawn(name)]


def table(*names):
    """Return tables of the sweep as named inputs."""
    return {name: results(f"tables/{name}.csv") for name in names}


def stores(datasets):
    """Return datasets and their fits as named inputs."""
    return {
        "datasets": [results(f"datasets/{dataset}.npz") for dataset in datasets],
        "fits": [store for dataset in datasets for store in fits_of(dataset)],
    }


def sweeps(kernel, parameter):
    """Return whether the grid of a kernel has at least two values of a parameter."""
    return len((CONFIG["kernels"].get(kernel) or {}).get(parameter, [])) > 1


def may_have(column, spec):
    """Return whether a dataset has, or may turn out to have, labels or a target."""
    if "generator" in spec:
        return (spec["generator"] in WITHOUT_LABELS) == (column == "target")
    if "sklearn" in spec:
        return column == "label"
    # Arrays of an NPZ are named in the file.
    return column in spec or str(spec.get("path", "")).endswith(".npz")


LABELS = any(may_have("label", spec) for spec in DATASETS.values())
TRUTH = LABELS or any(may_have("target", spec) for spec in DATASETS.values())
ROWS = [name for name, spec in DATASETS.items() if not spec.get("kernel_matrix")]
RINGS = generated_by("rings")
ROLLS = generated_by("swiss_roll")
IMAGES = [name for name, spec in DATASETS.items() if spec.get("sklearn") == "digits"]
CURVED = [kernel for kernel in CONFIG["kernels"] if kernel != "linear"]
POINTS = {
    kernel: [point.as_dict() for point in family]
    for dataset in DATASETS
    for kernel, family in grid(dataset).items()
}
SIZES = EVALUATION["n_components"]

PLOTS = {
    "gallery": {
        "script": "gallery",
        "category": "Embeddings",
        "title": "every dataset under every kernel",
        "input": stores(DATASETS) | table("scores"),
        "arguments": {"points": POINTS},
        "when": True,
    },
    "rings": {
        "script": "rings",
        "category": "Embeddings",
        "title": "rings",
        "input": stores(RINGS) | table("scores", "comparisons"),
        "arguments": {"points": POINTS},
        "when": RINGS and CURVED,
    },
    "swiss_roll": {
        "script": "swiss_roll",
        "category": "Embeddings",
        "title": "Swiss roll",
        "input": stores(ROLLS) | table("selected"),
        "arguments": {"points": POINTS},
        "when": ROLLS,
    },
    "digits": {
        "script": "images",
        "category": "Embeddings",
        "title": "digits",
        "input": stores(IMAGES) | table("scores"),
        "arguments": {"points": POINTS},
        "when": IMAGES and CURVED,
    },
    "spectrum": {
        "script": "spectrum",
        "category": "Parameters",
        "title": "scree and cumulative variance",
        "input": {"fits": stores(DATASETS)["fits"]},
        "arguments": {"points": POINTS},
        "when": True,
    },
    "grid_accuracy": {
        "script": "heatmap",
        "category": "Parameters",
        "title": "accuracy over the grid",
        "input": table("scores", "selected"),
        "arguments": {
            "points": POINTS,
            "metrics": {
                "linear_svm": "balanced_accuracy",
                "least_squares": "correlation",
            },
            "sizes": SIZES,
        },
        "when": TRUTH,
    },
    "grid_ari": {
        "script": "heatmap",
        "category": "Parameters",
        "title": "adjusted Rand index over the grid",
        "input": table("scores", "selected"),
        "arguments": {"points": POINTS, "metrics": {"kmeans": "ari"}, "sizes": SIZES},
        "when": LABELS,
    },
    "bandwidth": {
        "script": "sweep",
        "category": "Parameters",
        "title": "bandwidth sweep",
        "input": table("scores", "datasets"),
        "arguments": {"points": POINTS, "kernel": "rbf", "parameter": "median"},
        "when": TRUTH and ROWS and sweeps("rbf", "median"),
    },
    "degree": {
        "script": "sweep",
        "category": "Parameters",
        "title": "degree sweep",
        "input": table("scores", "datasets"),
        "arguments": {"points": POINTS, "kernel": "poly", "parameter": "degree"},
        "when": TRUTH and ROWS and sweeps("poly", "degree"),
    },
    "comparison": {
        "script": "comparison",
        "category": "Methods",
        "title": "test scores",
        "input": table("comparisons", "datasets"),
        "arguments": {"methods": SUPERVISED, "value": "mean"},
        "when": True,
    },
    "gain": {
        "script": "comparison",
        "category": "Methods",
        "title": "gains over PCA",
        "input": table("comparisons", "datasets"),
        "arguments": {"methods": SUPERVISED, "value": "gain"},
        "when": ROWS,
    },
    "comparison_clustering": {
        "script": "comparison",
        "category": "Methods",
        "title": "clustering: test scores",
        "input": table("comparisons", "datasets"),
        "arguments": {"methods": CLUSTERING, "value": "mean"},
        "when": LABELS,
    },
    "gain_clustering": {
        "script": "comparison",
        "category": "Methods",
        "title": "clustering: gains over PCA",
        "input": table("comparisons", "datasets"),
        "arguments": {"methods": CLUSTERING, "value": "gain"},
        "when": any(may_have("label", DATASETS[name]) for name in ROWS),
    },
}
FIGURES = plan(PLOTS, "sweep")
