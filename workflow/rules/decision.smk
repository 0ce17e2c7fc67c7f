"""What a researcher takes home: the choice on all rows, in words, as model, embedding and code."""

GRIDS = {dataset: sweep_of(config, dataset)["points"] for dataset in DATASETS}
# What is written per dataset; a model file cannot hold a custom kernel.
MODELS = {dataset: model_files(dataset) for dataset in DATASETS}
DECIDED = {"evaluation": EVALUATION, "input_digest": INPUT_DIGEST}

DECISION_TABLES = {
    "decisions": study_table(
        "decisions",
        table("decisions", "checks", "components")
        | {"markdown": results("answer.md"), "json": results("answer.json")},
        table("scores", "selected", "comparisons", "ranking", "held_out", "variance_rule")
        | fitted(DATASETS)
        | {"stores": SCORES},
        grids=GRIDS,
        left_out=LOADED.left_out,
        **DECIDED,
    ),
    "held_out": study_table(
        "held_out",
        table("comparisons", "ranking", "held_out", "confusion"),
        table("selected", described="datasets") | fitted(DATASETS),
        priority=2,
        seed=SEED,
        **DECIDED,
    ),
    # One job for all: most take less than the imports.
    "models": study_table(
        "models",
        {
            kind: [files[kind] for files in MODELS.values() if kind in files]
            for kind in sorted({kind for files in MODELS.values() for kind in files})
        },
        {
            "sources": [local(spec["path"]) for spec in DATASETS.values() if "path" in spec],
            "datasets": made_of("datasets", DATASETS),
        }
        | table("decisions"),
        memory=4000,
        specs={dataset: source_of(spec) for dataset, spec in DATASETS.items()},
        grids=GRIDS,
        written={dataset: [*files] for dataset, files in MODELS.items()},
        neighbours="data" in config,
        places={dataset: results(f"datasets/{dataset}.npz") for dataset in DATASETS},
        **DECIDED,
    ),
}
add_study("decision", DECISION_TABLES)

if any("model" not in files for files in MODELS.values()):
    logger.info(
        "No model files are written, since they cannot hold the custom kernels of the "
        "configuration. Embeddings are written, and scripts that refit the models."
    )
