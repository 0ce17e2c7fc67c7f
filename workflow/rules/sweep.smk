"""The chain of the sweep: datasets, fits, classification and clustering, and tables of scores."""

PREDICTING = [name for name, method in METHODS.items() if method.gives != "clusters"]
CLUSTERING = [name for name, method in METHODS.items() if method.gives == "clusters"]
SCORED = ["datasets", "scores", "variance_rule", "selected", "budgets"]
SCORED += ["comparisons", "ranking", "by_components", "held_out", "confusion"]
# Modules of a fit. Fits to folds are only computed when they are scored, since storing them would
# take more space than all other files.
FIT_CODE = [
    *CORE,
    *modules("kpca/study/fitting/*.py", "kpca/study/datasets/splits.py"),
    *modules("kpca/study/cache.py", "kpca/study/seeds.py", "kpca/study/store.py"),
]


rule dataset:
    """Draw or read a dataset, with its splits."""
    input:
        sources=own_file,
        code=modules(
            *("kpca/files.py", "kpca/reading/*.py"),
            *("kpca/study/datasets/*.py", "kpca/study/seeds.py", "kpca/study/store.py"),
        ),
    output:
        results("datasets/{dataset}.npz"),
    log:
        results("logs/dataset/{dataset}.log"),
    priority: 2
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
    params:
        spec=lambda wildcards: DATASETS[wildcards.dataset],
        seed=SEED,
        replicates=lambda wildcards: DATASETS[wildcards.dataset].get(
            "replicates", config["replicates"]
        ),
        needs=needs_of,
    script:
        "../scripts/sweep/dataset.py"


rule fit:
    """Fit kernel PCA at every setting to every replicate of a dataset."""
    input:
        dataset=results("datasets/{dataset}.npz"),
        code=FIT_CODE,
        own=own_code("kernels"),
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
    """Score classifiers or regressors on raw features, PCA and every kernel PCA, also by folds."""
    input:
        dataset=results("datasets/{dataset}.npz"),
        fits=results("fits/{dataset}"),
        code=[*FIT_CODE, *modules("kpca/linear/*.py", "kpca/study/scoring/*.py")],
        own=own_code("kernels", "methods"),
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
    """Select settings of a dataset by its scores, compare them, and predict held-out rows."""
    input:
        dataset=results("datasets/{dataset}.npz"),
        fits=results("fits/{dataset}"),
        scores=lambda wildcards: [
            results(f"{kind}/{wildcards.dataset}.npz")
            for kind in ("classified", "clustered")
            if kind == "classified" or wildcards.dataset in CLUSTERED
        ],
        code=modules("kpca/study/evidence/*.py", "kpca/study/stages.py"),
    output:
        **{name: results(f"scores/{{dataset}}/{name}.csv") for name in SCORED},
    log:
        results("logs/scores/{dataset}.log"),
    priority: 2
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
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
    script:
        "../scripts/sweep/tables.py"


rule provenance:
    """Write the versions, code and parameters of the run."""
    input:
        code=modules("kpca/**/*.py", "workflow/**/*.py"),
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
