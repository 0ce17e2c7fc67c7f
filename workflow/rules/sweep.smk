"""The chain: dataset, fits, classification and clustering, and the tables of their scores."""

PREDICTING = [name for name, method in METHODS.items() if method.gives != "clusters"]
CLUSTERING = [name for name, method in METHODS.items() if method.gives == "clusters"]
SCORED = ["datasets", "scores", "variance_rule", "selected", "budgets"]
SCORED += ["comparisons", "ranking", "held_out", "confusion"]


def own_file(wildcards):
    """Return the user's file behind a dataset, if there is one; a module's prefix leaves it."""
    path = DATASETS[wildcards.dataset].get("path")
    return local(path) if path else []


def needs_of(wildcards):
    """Return what the rows of a large file must suffice for, which only its job reads."""
    most = max(EVALUATION["n_components"])
    large = is_large(DATASETS[wildcards.dataset])
    return {"folds": EVALUATION["folds"], "n_components": most} if large else {}


def points_of(wildcards):
    """Return the settings of the kernels of a dataset."""
    return GRIDS[wildcards.dataset]


def methods_of(wildcards):
    """Return the methods of the user's own, of which a kernel matrix has none."""
    return (config.get("methods") or {}) if wildcards.dataset in ROWS else {}


def evaluation_without(*names):
    """Return the part of the evaluation that a rule uses: an edit of the rest does not rerun it."""
    return {name: value for name, value in EVALUATION.items() if name not in names}


def processes(wildcards):
    """Return how many processes a dataset gets: twice an equal part of the cores of one machine.

    The work of a dataset is up to twice that of an average one, which would hold up the others.
    """
    here = workflow.is_main_process and workflow.local_exec
    cores = workflow.resource_settings.cores if here else None
    # A profile limits those on a cluster.
    return min(cores, -(-2 * cores // len(DATASETS))) if cores else 8


rule dataset:
    """Draw or read a dataset, with its splits."""
    input:
        sources=own_file,
        code=modules("kpca/reading/*.py", "kpca/study/datasets/*.py", "kpca/study/s*.py"),
    output:
        results("datasets/{dataset}.npz"),
    log:
        results("logs/dataset/{dataset}.log"),
    priority: 2
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
        runtime=growing(60),
    params:
        spec=lambda wildcards: source_of(DATASETS[wildcards.dataset]),
        seed=SEED,
        replicates=lambda wildcards: DATASETS[wildcards.dataset].get(
            "replicates", config["replicates"]
        ),
        needs=needs_of,
    script:
        "../scripts/sweep/dataset.py"


rule fit:
    """Kernel PCA of every setting on every replicate and its folds."""
    input:
        dataset=results("datasets/{dataset}.npz"),
        code=[
            *CORE,
            *modules("kpca/study/fitting/*.py", "kpca/study/datasets/splits.py"),
            *modules("kpca/study/cache.py", "kpca/study/s*.py"),
        ],
        own=LOADED.own_files("kernels"),
    output:
        directory(results("fits/{dataset}")),
    log:
        results("logs/fit/{dataset}.log"),
    priority: 2
    conda:
        ENVIRONMENT
    threads: processes
    resources:
        mem_mb=growing_memory(1500),
        runtime=growing(240),
    params:
        points=points_of,
        n_components=max(EVALUATION["n_components"]),
        folds=EVALUATION["folds"],
        variance_share=EVALUATION["variance_share"],
        seed=SEED,
    script:
        "../scripts/sweep/fit.py"


rule classify:
    """Classifiers or regressors on raw features, PCA and every kernel PCA."""
    input:
        dataset=results("datasets/{dataset}.npz"),
        fits=results("fits/{dataset}"),
        code=modules("kpca/linear/*.py", "kpca/study/scoring/*.py"),
        own=LOADED.own_files("methods"),
    output:
        results("classified/{dataset}.npz"),
    log:
        results("logs/classify/{dataset}.log"),
    priority: 2
    conda:
        ENVIRONMENT
    threads: processes
    resources:
        mem_mb=growing_memory(1500),
        runtime=growing(240),
    params:
        points=points_of,
        methods=methods_of,
        evaluation=evaluation_without("kmeans_starts"),
        followers=PREDICTING,
        seed=SEED,
    script:
        "../scripts/sweep/score.py"


use rule classify as cluster with:
    output:
        results("clustered/{dataset}.npz"),
    log:
        results("logs/cluster/{dataset}.log"),
    params:
        points=points_of,
        methods=methods_of,
        evaluation=evaluation_without("C", "class_weight", "scaling"),
        followers=CLUSTERING,
        seed=SEED,


rule scores:
    """What the scores of a dataset say: selections, comparisons, predictions of held-out rows."""
    input:
        dataset=results("datasets/{dataset}.npz"),
        fits=results("fits/{dataset}"),
        scores=lambda wildcards: [
            results(f"{kind}/{wildcards.dataset}.npz")
            for kind in ("classified", "clustered")
            if kind == "classified" or wildcards.dataset in LABELLED
        ],
        code=modules("kpca/study/evidence/*.py", "kpca/study/decision/stages.py"),
    output:
        **{name: results(f"scores/{{dataset}}/{name}.csv") for name in SCORED},
    log:
        results("logs/scores/{dataset}.log"),
    priority: 2
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
        runtime=growing(60),
    params:
        evaluation=EVALUATION,
        seed=SEED,
        left_out=LOADED.left_out,
    script:
        "../scripts/sweep/tables_of_dataset.py"


rule tables:
    """Join the tables of all datasets."""
    input:
        **{name: made_of(f"scores/{{dataset}}/{name}.csv", DATASETS) for name in SCORED},
    output:
        **table(*SCORED),
    log:
        results("logs/tables.log"),
    priority: 2
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
        runtime=growing(60),
    script:
        "../scripts/sweep/tables.py"


rule provenance:
    """What the run was made of: versions, code and parameters."""
    output:
        results("provenance.csv"),
    log:
        results("logs/provenance.log"),
    conda:
        ENVIRONMENT
    params:
        config=config,
    script:
        "../scripts/sweep/provenance.py"
