"""Benchmarks against scikit-learn: `snakemake benchmarks`, or in a minute `snakemake benchmarks_quick`."""

import shlex
import sys

from benchmarks.cases import named, names

LAUNCH = (
    f"PYTHONPATH={shlex.quote(beside_snakefile('.'))} {shlex.quote(sys.executable)} -m"
)
MEASURING = [
    f"benchmarks.{module}"
    for module in (
        *("anatomy", "contenders", "data", "fresh"),
        *("limits", "memory", "run", "timing"),
    )
]
BENCHMARK_TABLES = ("summary", "runs", "trials", "anatomy", "limits")
BENCHMARK_FIGURES = {
    "growth": "time and memory of a fit",
    "speed": "how many times faster",
    "limit": "share of the machine's limit",
}
# Seconds of interleaved runs a case.
BUDGETS = {"all": 10, "quick": 2}


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
        results("benchmarks/{table}/cases/{case}.json"),
    log:
        results("logs/benchmarks/{table}_{case}.log"),
    # One after the other, so that cores are emptied once only.
    priority: 1
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
        budget=lambda wildcards: BUDGETS[wildcards.table],
        code=fingerprint("kpca.kernel_pca", *MEASURING),
    shell:
        "{params.launch} benchmarks.run {wildcards.case} {params.budget} {output} 2> {log}"


rule benchmark_tables:
    input:
        lambda wildcards: expand(
            rules.benchmark.output, case=names(wildcards.table), allow_missing=True
        ),
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
        *(
            report(
                results(f"benchmarks/{{table}}/benchmark_{name}.svg"),
                caption=f"../report/benchmark_{name}.rst",
                category="Benchmarks",
                labels={"figure": title, "sizes": "{table}"},
            )
            for name, title in BENCHMARK_FIGURES.items()
        ),
        *(
            results(f"benchmarks/{{table}}/benchmark_{name}.png")
            for name in BENCHMARK_FIGURES
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
        # Sweeps, folds, and this whole sweep beside a plain script.
        results("benchmarks/sharing.csv"),
        results("benchmarks/sweep/benchmark_sweep.svg"),
    localrule: True


rule benchmarks_quick:
    input:
        expand(BENCHMARK_FILES, table="quick"),
    localrule: True
