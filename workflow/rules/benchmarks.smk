"""Benchmarks against scikit-learn: `snakemake benchmarks`, or in minutes `snakemake benchmarks_quick`."""

import sys

from benchmarks.cases import named, names

LAUNCH = f"PYTHONPATH={workflow.basedir} {sys.executable} -m"
MEASURING = [
    f"benchmarks.{module}"
    for module in ("anatomy", "contenders", "data", "limits", "memory", "run", "timing")
]
BENCHMARK_TABLES = ("summary", "runs", "trials", "anatomy", "limits")
BENCHMARK_FIGURES = ("growth", "speed", "limit")
BENCHMARK_FILES = [
    *(results(f"benchmarks/{{table}}/{name}.csv") for name in BENCHMARK_TABLES),
    *(
        results(f"benchmarks/{{table}}/benchmark_{name}.svg")
        for name in BENCHMARK_FIGURES
    ),
]


wildcard_constraints:
    table="all|quick",
    case="|".join(names("all")),


rule benchmark:
    output:
        results("benchmarks/cases/{case}.json"),
    log:
        results("logs/benchmarks/{case}.log"),
    conda:
        ENVIRONMENT
    # Every core, so that nothing runs beside what is timed.
    threads: workflow.cores
    resources:
        mem_mb=16000,
        runtime=60,
    params:
        launch=LAUNCH,
        case=lambda wildcards: repr(named(wildcards.case)),
        code=fingerprint("kpca.kernel_pca", *MEASURING),
    shell:
        "{params.launch} benchmarks.run {wildcards.case} {output} 2> {log}"


rule benchmark_tables:
    input:
        lambda wildcards: expand(rules.benchmark.output, case=names(wildcards.table)),
    output:
        expand(results("benchmarks/{{table}}/{name}.csv"), name=BENCHMARK_TABLES),
    log:
        results("logs/benchmarks/{table}_tables.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        launch=LAUNCH,
        folder=subpath(output[0], parent=True),
        code=fingerprint("benchmarks.tables"),
    shell:
        "{params.launch} benchmarks.tables {params.folder} {input} 2> {log}"


rule benchmark_figures:
    input:
        expand(results("benchmarks/{{table}}/{name}.csv"), name=("summary", "anatomy")),
    output:
        expand(
            results("benchmarks/{{table}}/benchmark_{name}.{kind}"),
            name=BENCHMARK_FIGURES,
            kind=("svg", "png"),
        ),
    log:
        results("logs/benchmarks/{table}_figures.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        launch=LAUNCH,
        folder=subpath(output[0], parent=True),
        code=fingerprint("benchmarks.figures", "kpca.pipeline.style"),
    shell:
        "{params.launch} benchmarks.figures {params.folder} {params.folder} 2> {log}"


rule benchmarks:
    input:
        expand(BENCHMARK_FILES, table="all"),
        # PCA, SVD and sparse PCA, beside scikit-learn's where it has the same.
        rules.linear_times.output,
        drawn("linear_times"),
    localrule: True


rule benchmarks_quick:
    input:
        expand(BENCHMARK_FILES, table="quick"),
    localrule: True
