"""Time, memory and error against n: `snakemake scaling` to a million points, quick to 8 000."""

SCALING_SIZES = {
    "all": {
        "exact": [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
        "their_exact": [1000, 2000, 5000, 10_000, 20_000, 50_000],
        "nystrom": [
            *(1000, 2000, 5000, 10_000, 20_000, 50_000),
            *(100_000, 200_000, 500_000, 1_000_000),
        ],
        "their_nystrom": [
            *(1000, 2000, 5000, 10_000, 20_000, 50_000),
            *(100_000, 200_000, 500_000, 1_000_000),
        ],
    },
    "quick": {
        "exact": [1000, 2000, 4000, 8000],
        "their_exact": [1000, 2000, 4000, 8000],
        "nystrom": [1000, 4000, 16_000, 32_000],
        "their_nystrom": [1000, 4000, 16_000, 32_000],
    },
}
QUICK_BENCHMARKS = [
    *expand(BENCHMARK_FILES, table="quick"),
    results("scaling/quick/scaling.svg"),
]


wildcard_constraints:
    contender="|".join(SCALING_SIZES["all"]),


rule scaling_table:
    output:
        results("scaling/{table}/{contender}.csv"),
    log:
        results("logs/scaling/{table}_{contender}.log"),
    # One after the other, so that cores are emptied once only.
    priority: 1
    conda:
        ENVIRONMENT
    # Every core, so that nothing runs beside what is timed.
    threads: workflow.cores
    resources:
        mem_mb=16000,
        runtime=120,
    params:
        launch=LAUNCH,
        sizes=lambda wildcards: SCALING_SIZES[wildcards.table][wildcards.contender],
        code=fingerprint(
            "kpca.kernel_pca",
            "benchmarks.scaling",
            "benchmarks.sampled",
            "benchmarks.fresh",
            "benchmarks.data",
        ),
    shell:
        "{params.launch} benchmarks.scaling {wildcards.contender} {output} {params.sizes} 2> {log}"


rule scaling_figure:
    input:
        lambda wildcards: expand(
            results("scaling/{table}/{contender}.csv"),
            contender=SCALING_SIZES[wildcards.table],
            allow_missing=True,
        ),
    output:
        report(
            results("scaling/{table}/scaling.svg"),
            caption="../report/scaling.rst",
            category="Benchmarks",
            labels={"figure": "time, memory and error against n", "sizes": "{table}"},
        ),
        results("scaling/{table}/scaling.png"),
        exponents=results("scaling/{table}/exponents.csv"),
    log:
        results("logs/scaling/{table}_figure.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        launch=LAUNCH,
        figure=lambda wildcards, output: str(Path(output[0]).with_suffix("")),
        code=fingerprint("benchmarks.scaling_figure", "kpca.pipeline.style"),
    shell:
        "{params.launch} benchmarks.scaling_figure {params.figure} {output.exponents} {input} 2> {log}"


rule scaling:
    input:
        results("scaling/all/scaling.svg"),
    localrule: True
