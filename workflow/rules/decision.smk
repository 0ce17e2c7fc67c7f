"""The answer of a run: the choice on all rows in words, the final models, and embeddings."""

# Dataset → files that are written for it.
MODELS = {dataset: model_files(dataset) for dataset in DATASETS}
# Whether the run measures which columns drive the predictions: only for a user's table.
DRIVEN = "data" in config and bool(ROWS and ANSWERED)


rule decisions:
    """Choose an option for every dataset, and explain the choice in sentences."""
    input:
        **fitted(DATASETS),
        **table("scores", "selected", "comparisons", "ranking", "by_components"),
        **table("held_out", "variance_rule"),
        stores=made_of("classified/{dataset}.npz", DATASETS),
        code=modules(
            *("kpca/study/stages.py", "kpca/study/decision/*.py"),
            *("kpca/study/monitoring/ordinary_rows.py", "kpca/novelty/*.py"),
            "kpca/inspection/*.py",
        ),
    output:
        **table("decisions", "checks", "components", *["importance"] * DRIVEN),
        markdown=results("answer.md"),
        json=results("answer.json"),
    log:
        results("logs/decisions.log"),
    priority: 2
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
    params:
        grids=GRIDS,
        left_out=LOADED.left_out,
        notices=LOADED.warnings(),
        models={
            dataset: files.get("predictor") or files["model"]
            for dataset, files in MODELS.items()
            if "model" in files
        },
        evaluation=EVALUATION,
        driven=DRIVEN,
    script:
        "../scripts/decision/decisions.py"


rule models:
    """Fit the chosen models to all rows, in one job, since most fits are faster than the imports."""
    input:
        **table("decisions"),
        sources=[local(spec["path"]) for spec in DATASETS.values() if "path" in spec],
        datasets=made_of("datasets/{dataset}.npz", DATASETS),
        code=[
            *CORE,
            *modules("kpca/novelty/*.py", "kpca/reading/*.py", "kpca/study/decision/*.py"),
            *modules("kpca/study/monitoring/ordinary_rows.py", "kpca/study/datasets/splits.py"),
        ],
    output:
        [path for files in MODELS.values() for path in files.values()],
    log:
        results("logs/models.log"),
    priority: 1
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(4000),
    params:
        specs=DATASETS,
        grids=GRIDS,
        written=[(dataset, kind) for dataset, files in MODELS.items() for kind in files],
        neighbours="data" in config and not QUICK,
        evaluation=EVALUATION,
    script:
        "../scripts/decision/models.py"


rule by_components:
    """The figure of the answer: scores against the number of components."""
    input:
        **table("by_components", "ranking"),
        code=DRAWING,
    output:
        **drawn(
            "Methods",
            "sweep_figures",
            {"figures/by_components.svg": "scores by the number of components"},
        ),
    log:
        results("logs/figures/by_components.log"),
    conda:
        ENVIRONMENT
    script:
        "../scripts/sweep_figures/figure_components.py"


if any("model" not in files for files in MODELS.values()):
    logger.info(
        "No model files are written, since they cannot hold the custom kernels of the "
        "configuration. Embeddings are written."
    )
