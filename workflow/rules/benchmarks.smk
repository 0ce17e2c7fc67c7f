"""Benchmarks against scikit-learn: `snakemake benchmarks`, or in minutes `snakemake benchmarks_quick`."""

import sys

from benchmarks.cases import CASES, named

PYTHON = f"PYTHONPATH={workflow.basedir} {sys.executable}"
MEASURING = [
    f"benchmarks.{name}"
    for name in ("anatomy", "contenders", "data", "limits", "memory", "run", "timing")
]
BENCHMARK_FIGURES = ("growth", "speed", "limit")
BENCHMARK_TABLES = ("summary", "runs", "trials", "anatomy", "limits")


wildcard_constraints:
    table="all|quick",
    case="|".join(case.name for case in CASES),


def benchmark_case(wildcards):
    """Return a case for `params`, where it triggers reruns."""
    return repr(named(wildcards.case))


def measurements(wildcards):
    """Return the files of the cases of the whole table or of the quick one."""
    chosen = [case for case in CASES if wildcards.table == "all" or case.quick]
    return [results(f"benchmarks/cases/{case.name}.json") for case in chosen]


def benchmark_files(table):
    """Return the tables and figures of the whole table or of the quick one."""
    folder = f"benchmarks/{table}"
    return [
        *(results(f"{folder}/{name}.csv") for name in BENCHMARK_TABLES),
        *(results(f"{folder}/benchmark_{name}.png") for name in BENCHMARK_FIGURES),
    ]


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
        case=benchmark_case,
        code=fingerprint("kpca.kernel_pca", *MEASURING),
    shell:
        "{PYTHON} -m benchmarks.run {wildcards.case} {output} 2> {log}"


rule benchmark_tables:
    input:
        measurements,
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
        folder=results("benchmarks/{table}"),
        code=fingerprint("benchmarks.tables"),
    shell:
        "{PYTHON} -m benchmarks.tables {params.folder} {input} 2> {log}"


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
        folder=results("benchmarks/{table}"),
        code=fingerprint("benchmarks.figures", "kpca.pipeline.style"),
    shell:
        "{PYTHON} -m benchmarks.figures {params.folder} {params.folder} 2> {log}"


rule benchmarks:
    input:
        benchmark_files("all"),
    localrule: True


rule benchmarks_quick:
    input:
        benchmark_files("quick"),
    localrule: True
