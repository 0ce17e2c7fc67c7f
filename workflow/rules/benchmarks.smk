"""Timings, targets of their own: `snakemake benchmarks`, and `snakemake scaling` to a million points."""

import shlex
import sys

from benchmarks.cases import CASES, named

LAUNCH = (
    f"PYTHONPATH={shlex.quote(beside_snakefile('.'))} {shlex.quote(sys.executable)} -m"
)
# Cut by Snakemake to what --cores allows; `workflow.cores` would be those of a cluster's login
# node, or none.
TIMING_THREADS = 8
# No timing beside another job: the profiles give out `timing` once, and Slurm a whole node.
ALONE = {"timing": 1, "slurm_extra": "--exclusive"}
SCALED = ["exact", "their_exact", "nystrom", "their_nystrom"]


rule benchmark:
    output:
        results("benchmarks/cases/{case}.json"),
    log:
        results("logs/benchmarks/{case}.log"),
    conda:
        ENVIRONMENT
    threads: TIMING_THREADS
    resources:
        **ALONE,
        mem_mb=growing(16000),
        runtime=growing(60),
    params:
        launch=LAUNCH,
        case=lambda wildcards: repr(named(wildcards.case)),
        code=code_of("benchmarks/run.py"),
    shell:
        "{params.launch} benchmarks.run {wildcards.case} 10 {output} 2> {log}"


rule benchmark_tables:
    input:
        expand(rules.benchmark.output, case=[case.name for case in CASES]),
    output:
        table=results("benchmarks/summary.csv"),
        figure=report(
            results("benchmarks/benchmark_speed.svg"),
            caption="../scripts/benchmarks/benchmark_speed.rst",
            category="Benchmarks",
            labels={"figure": "how many times faster"},
        ),
    log:
        results("logs/benchmarks/speed.log"),
    conda:
        ENVIRONMENT
    params:
        launch=LAUNCH,
        folder=subpath(output[0], parent=True),
        code=code_of("benchmarks/figures.py"),
    shell:
        "{params.launch} benchmarks.figures speed {params.folder} {input} 2> {log}"


# What sharing between the fits of a sweep and of folds saves.
rule benchmark_sharing:
    output:
        results("benchmarks/sharing.csv"),
    log:
        results("logs/benchmarks/sharing.log"),
    conda:
        ENVIRONMENT
    threads: TIMING_THREADS
    resources:
        **ALONE,
        mem_mb=growing(4000),
    params:
        launch=LAUNCH,
        code=code_of("benchmarks/sharing.py"),
    shell:
        "{params.launch} benchmarks.sharing {output} 2> {log}"


rule scaling_table:
    output:
        results("scaling/{contender}.csv"),
    log:
        results("logs/scaling/{contender}.log"),
    conda:
        ENVIRONMENT
    threads: TIMING_THREADS
    resources:
        **ALONE,
        mem_mb=growing(16000),
        runtime=growing(120),
    params:
        launch=LAUNCH,
        code=code_of("benchmarks/scaling.py"),
    shell:
        "{params.launch} benchmarks.scaling {wildcards.contender} {output} 2> {log}"


rule scaling:
    input:
        expand(rules.scaling_table.output, contender=SCALED),
    output:
        figure=report(
            results("scaling/scaling.svg"),
            caption="../scripts/benchmarks/scaling.rst",
            category="Benchmarks",
            labels={"figure": "time, memory and error against n"},
        ),
        exponents=results("scaling/exponents.csv"),
    log:
        results("logs/scaling/figure.log"),
    conda:
        ENVIRONMENT
    params:
        launch=LAUNCH,
        folder=subpath(output[0], parent=True),
        code=code_of("benchmarks/figures.py"),
    shell:
        "{params.launch} benchmarks.figures scaling {params.folder} {input} 2> {log}"


rule benchmarks:
    input:
        rules.benchmark_tables.output,
        rules.benchmark_sharing.output,
    localrule: True


# Half an hour to an hour and a half on two cores, by their instruction set.
rule exact_million:
    output:
        results("timings/exact_million.csv"),
    log:
        results("logs/timings/exact_million.log"),
    conda:
        ENVIRONMENT
    threads: TIMING_THREADS
    resources:
        **ALONE,
        mem_mb=growing(4000),
        runtime=growing(240),
    params:
        launch=LAUNCH,
        code=code_of("benchmarks/million.py"),
    shell:
        "{params.launch} benchmarks.million {output} 2> {log}"
