"""Fits and scores of each dataset, which are stored one by one, and the tables."""


# One job a dataset. Where it has `parts`, as many jobs before it fill the folder of entries.
rule sweep:
    input:
        parts_of,
        dataset=results("datasets/{dataset}.npz"),
    output:
        results("fits/{dataset}.npz"),
        results("scores/{dataset}.npz"),
    log:
        results("logs/sweep/{dataset}.log"),
    priority: 2
    conda:
        ENVIRONMENT
    # Several datasets share the processors as well as the processes of one do, and start at once.
    threads: max(1, 8 // len(DATASETS))
    resources:
        mem_mb=lambda wildcards, threads, attempt: attempt * (1000 + 500 * threads),
        runtime=growing(240),
    params:
        sweep=lambda wildcards: sweep_of(CONFIG, wildcards.dataset),
        entries=results("entries"),
        origin=lambda wildcards: origin_of(CONFIG, wildcards.dataset),
        code=script_code("sweep/fit_and_score"),
    script:
        "../scripts/sweep/fit_and_score.py"


use rule sweep as sweep_part with:
    input:
        dataset=results("datasets/{dataset}.npz"),
    output:
        temp(touch(results("parts/{dataset}-{part}-of-{parts}"))),
    log:
        results("logs/sweep/{dataset}-{part}-of-{parts}.log"),
    params:
        sweep=lambda wildcards: sweep_of(CONFIG, wildcards.dataset),
        entries=results("entries"),
        part=lambda wildcards: [int(wildcards.part), int(wildcards.parts)],
        origin=lambda wildcards: origin_of(CONFIG, wildcards.dataset),
        code=script_code("sweep/fit_and_score"),


rule tables:
    input:
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
    priority: 2
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing(4000),
    params:
        stores=SCORES,
        left_out=LEFT_OUT,
        evaluation=EVALUATION,
        origin=ORIGIN,
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


# Targets too, since Snakemake does not miss what is missing in the middle.
STORES = [
    results(f"{kind}/{dataset}.npz")
    for kind in ("datasets", "fits", "scores")
    for dataset in DATASETS
]
TABLES = [*rules.tables.output, *rules.provenance.output]
