"""What is drawn: a call of `plan` a figure, its caption beside the script."""

from functools import partial

# Name of a figure: what `figures.smk` draws it from, of this file and of the studies.
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


def plan(
    study,
    category,
    name,
    title,
    tables=None,
    *,
    when=True,
    script=None,
    files=(),
    **arguments,
):
    """Add a figure to what `figures.smk` draws; return its files, none unless ``when``.

    Its script is `figure_SCRIPT.py` in the folder of the study, ``script`` being its own name by
    default. The function of the script takes ``tables``, its named inputs, and ``arguments``;
    ``files`` are inputs that it finds by itself.
    """
    if not when:
        return []
    DRAWN[name] = {
        "study": study,
        "category": category,
        "title": title,
        "tables": tables or {},
        "script": f"{study}/figure_{script or name}",
        "files": files,
        "arguments": arguments,
    }
    return drawn(name)


def table(*names):
    """Return tables of the sweep as named inputs."""
    return {name: results(f"tables/{name}.csv") for name in names}


def stores(datasets):
    """Return datasets and their fits as named inputs."""
    return {
        "datasets": [results(f"datasets/{dataset}.npz") for dataset in datasets],
        "fits": [results(f"fits/{dataset}.npz") for dataset in datasets],
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
    return column in spec or str(spec.get("path", "")).lower().endswith(".npz")


def generated_by(generator):
    """Return the datasets that come from a generator."""
    return [
        name for name, spec in DATASETS.items() if spec.get("generator") == generator
    ]


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
WIDTHS = [name for name in ("median", "gamma", "sigma") if sweeps("rbf", name)]

of_embeddings = partial(plan, "sweep", "Embeddings", points=POINTS)
of_parameters = partial(plan, "sweep", "Parameters", points=POINTS)
of_methods = partial(plan, "sweep", "Methods", script="comparison")
ACCURACY = {"linear_svm": "balanced_accuracy", "least_squares": "correlation"}
GRID, SWEPT = table("scores", "selected"), table("scores", "datasets")
COMPARED = table("comparisons", "datasets")

FIGURES = [
    *of_embeddings(
        "gallery",
        "every dataset under every kernel",
        stores(DATASETS) | table("scores"),
    ),
    *of_embeddings(
        "rings",
        "rings",
        stores(RINGS) | table("scores", "comparisons"),
        when=RINGS and CURVED,
    ),
    *of_embeddings(
        "swiss_roll", "Swiss roll", stores(ROLLS) | table("selected"), when=ROLLS
    ),
    *of_embeddings(
        "digits",
        "digits",
        stores(IMAGES) | table("scores"),
        script="images",
        when=IMAGES and CURVED,
    ),
    *of_parameters(
        "spectrum",
        "scree and cumulative variance",
        {"fits": stores(DATASETS)["fits"]},
    ),
    *of_parameters(
        "grid_accuracy",
        "accuracy over the grid",
        GRID,
        script="heatmap",
        metrics=ACCURACY,
        sizes=SIZES,
        when=TRUTH,
    ),
    *of_parameters(
        "grid_ari",
        "adjusted Rand index over the grid",
        GRID,
        script="heatmap",
        metrics={"kmeans": "ari"},
        sizes=SIZES,
        when=LABELS,
    ),
    *of_parameters(
        "bandwidth",
        "bandwidth sweep",
        SWEPT,
        script="sweep",
        kernel="rbf",
        parameter=next(iter(WIDTHS), None),
        when=TRUTH and ROWS and WIDTHS,
    ),
    *of_parameters(
        "degree",
        "degree sweep",
        SWEPT,
        script="sweep",
        kernel="poly",
        parameter="degree",
        when=TRUTH and ROWS and sweeps("poly", "degree"),
    ),
    *of_methods(
        "comparison", "test scores", COMPARED, methods=SUPERVISED, value="mean"
    ),
    *of_methods(
        "gain",
        "gains over PCA",
        COMPARED,
        methods=SUPERVISED,
        value="gain",
        when=ROWS,
    ),
    *of_methods(
        "comparison_clustering",
        "clustering: test scores",
        COMPARED,
        methods=CLUSTERING,
        value="mean",
        when=LABELS,
    ),
    *of_methods(
        "gain_clustering",
        "clustering: gains over PCA",
        COMPARED,
        methods=CLUSTERING,
        value="gain",
        when=any(may_have("label", DATASETS[name]) for name in ROWS),
    ),
]
