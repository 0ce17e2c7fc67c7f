"""What a researcher takes home: the choice on all rows, in words, as model, embedding and code."""

GRIDS = {
    dataset: [point.as_dict() for family in grid_of(config, dataset).values() for point in family]
    for dataset in DATASETS
}
DRAWN_ROWS = [results(f"datasets/{dataset}.npz") for dataset in DATASETS]


rule decisions:
    input:
        **table("scores", "selected", "comparisons", "variance_rule"),
        stores=SCORES,
        datasets=DRAWN_ROWS,
    output:
        results("tables/decisions.csv"),
    log:
        results("logs/decisions.log"),
    resources:
        mem_mb=growing(2000),
    params:
        grids=GRIDS,
        evaluation=EVALUATION,
        quick=LOADED.quick_leaves_out,
        input_digest=INPUT_DIGEST,
        code=script_code("decision/decisions"),
    script:
        "../scripts/decision/decisions.py"


rule held_out:
    input:
        **table("selected"),
        described=results("tables/datasets.csv"),
        datasets=DRAWN_ROWS,
        fits=[results(f"fits/{dataset}.npz") for dataset in DATASETS],
    output:
        comparisons=results("tables/comparisons.csv"),
        held_out=results("tables/held_out.csv"),
        confusion=results("tables/confusion.csv"),
    log:
        results("logs/held_out.log"),
    priority: 2
    resources:
        mem_mb=growing(2000),
    params:
        seed=SEED,
        evaluation=EVALUATION,
        input_digest=INPUT_DIGEST,
        code=script_code("decision/held_out"),
    script:
        "../scripts/decision/held_out.py"


# What is written per dataset; a model file cannot hold a custom kernel.
MODELS = {dataset: model_files(dataset) for dataset in DATASETS}


# One job for all: most take less than the imports.
rule models:
    input:
        [local(spec["path"]) for spec in DATASETS.values() if "path" in spec],
        **table("decisions"),
        datasets=DRAWN_ROWS,
    output:
        **{
            kind: [files[kind] for files in MODELS.values() if kind in files]
            for kind in sorted({kind for files in MODELS.values() for kind in files})
        },
    log:
        results("logs/models.log"),
    resources:
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        specs={dataset: source_of(spec) for dataset, spec in DATASETS.items()},
        grids=GRIDS,
        written={dataset: [*files] for dataset, files in MODELS.items()},
        evaluation=EVALUATION,
        input_digest=INPUT_DIGEST,
        code=script_code("decision/models"),
    script:
        "../scripts/decision/models.py"


DECISIONS = [*rules.decisions.output, *rules.held_out.output, *rules.models.output]

if any("model" not in files for files in MODELS.values()):
    logger.info(
        "No model files are written, since they cannot hold the custom kernels of the "
        "configuration. Embeddings are written, and scripts that refit the models."
    )
