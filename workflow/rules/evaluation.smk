"""Downstream evaluation, out of sample, and the tables."""


rule evaluate:
    input:
        finished(results("fits/{dataset}.npz")),
        dataset=results("datasets/{dataset}.npz"),
        fits=results("fits/{dataset}.npz"),
    output:
        update(results("scores/{dataset}.npz")),
        touch(finished(results("scores/{dataset}.npz"))),
    log:
        results("logs/evaluate/{dataset}.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing(2000),
        runtime=growing(240),
    params:
        points=plain_points,
        settings=EVALUATION,
        seed=CONFIG["seed"],
        fingerprint=script_code("sweep/evaluate"),
        methods=METHODS,
        own_code=lambda wildcards: own_kernels(wildcards) | own_methods(),
    script:
        "../scripts/sweep/evaluate.py"


SCORES = {dataset: results(f"scores/{dataset}.npz") for dataset in DATASETS}


rule tables:
    input:
        [finished(store) for store in SCORES.values()],
        SCORES.values(),
        datasets=[results(f"datasets/{dataset}.npz") for dataset in DATASETS],
    output:
        datasets=results("tables/datasets.csv"),
        scores=results("tables/scores.csv"),
        variance_rule=results("tables/variance_rule.csv"),
        selected=results("tables/selected.csv"),
        budgets=results("tables/budgets.csv"),
        comparisons=results("tables/comparisons.csv"),
    log:
        results("logs/tables.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing(4000),
    params:
        stores=SCORES,
        code=script_code("sweep/make_tables"),
    script:
        "../scripts/sweep/make_tables.py"


rule provenance:
    output:
        results("provenance.csv"),
    log:
        results("logs/provenance.log"),
    conda:
        ENVIRONMENT
    params:
        config=CONFIG,
        digests={
            name: code_below(name) for name in ("kpca", "pipeline", "workflow/scripts")
        },
        code=script_code("sweep/provenance"),
    script:
        "../scripts/sweep/provenance.py"


TABLES = [*rules.tables.output, *rules.provenance.output]
