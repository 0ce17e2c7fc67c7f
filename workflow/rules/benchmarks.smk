"""Timings, targets of their own: `snakemake benchmarks`, and `snakemake scaling` to a million points.

A timing has the machine to itself: the profiles give out `timing` once, and Slurm a whole node.
Snakemake cuts the threads to what --cores allows; the cores of this process would be those of a
cluster's login node, or none.
"""

from benchmarks.cases import CASES

SCALED = ["exact", "their_exact", "nystrom", "their_nystrom"]
PYTHON = f"{shlex.quote(sys.executable)} -m"


rule benchmark:
    input:
        code=[*CORE, *modules("benchmarks/*.py")],
    output:
        case=results("benchmarks/cases/{case}.json"),
    log:
        results("logs/benchmark_{case}.log"),
    conda:
        ENVIRONMENT
    threads: 8
    resources:
        timing=1,
        slurm_extra="--exclusive",
        mem_mb=growing(16000),
        runtime=growing(240),
    params:
        python=PYTHON,
        case=lambda wildcards: repr(CASES[wildcards.case]),
    shell:
        "{params.python} benchmarks.run {wildcards.case} 10 {output} 2> {log}"


rule benchmark_tables:
    input:
        cases=expand(results("benchmarks/cases/{case}.json"), case=CASES),
        code=modules("benchmarks/figures.py"),
    output:
        table=results("benchmarks/summary.csv"),
        figure=reported(
            "benchmarks/benchmark_speed.svg",
            "Benchmarks",
            "how many times faster",
            "benchmarks/benchmark_speed",
        ),
    log:
        results("logs/benchmark_tables.log"),
    conda:
        ENVIRONMENT
    params:
        python=PYTHON,
    shell:
        "{params.python} benchmarks.figures speed $(dirname {output.table:q}) {input.cases}"
        " 2> {log}"


rule scaling_table:
    input:
        code=[*CORE, *modules("benchmarks/*.py")],
    output:
        results("scaling/{contender}.csv"),
    log:
        results("logs/scaling_table_{contender}.log"),
    conda:
        ENVIRONMENT
    threads: 8
    resources:
        timing=1,
        slurm_extra="--exclusive",
        mem_mb=growing(16000),
        runtime=growing(240),
    params:
        python=PYTHON,
    shell:
        "{params.python} benchmarks.scaling {wildcards.contender} {output} 2> {log}"


rule scaling:
    input:
        tables=expand(results("scaling/{contender}.csv"), contender=SCALED),
        code=modules("benchmarks/figures.py"),
    output:
        figure=reported(
            "scaling/scaling.svg",
            "Benchmarks",
            "time, memory and error against n",
            "benchmarks/scaling",
        ),
        table=results("scaling/exponents.csv"),
    log:
        results("logs/scaling.log"),
    conda:
        ENVIRONMENT
    params:
        python=PYTHON,
    shell:
        "{params.python} benchmarks.figures scaling $(dirname {output.table:q}) {input.tables}"
        " 2> {log}"


rule costs_times:
    input:
        code=[*CORE, *modules("benchmarks/*.py")],
    output:
        results("timings/costs.csv"),
    log:
        results("logs/costs_times.log"),
    conda:
        ENVIRONMENT
    threads: 8
    resources:
        timing=1,
        slurm_extra="--exclusive",
        mem_mb=growing(16000),
        runtime=growing(240),
    params:
        python=PYTHON,
    shell:
        "{params.python} benchmarks.costs {output} 2> {log}"


rule exact_million:
    """Half an hour to an hour and a half on two cores, by their instruction set."""
    input:
        code=[*CORE, *modules("benchmarks/*.py")],
    output:
        results("timings/exact_million.csv"),
    log:
        results("logs/exact_million.log"),
    conda:
        ENVIRONMENT
    threads: 8
    resources:
        timing=1,
        slurm_extra="--exclusive",
        mem_mb=growing(16000),
        runtime=growing(240),
    params:
        python=PYTHON,
    shell:
        "{params.python} benchmarks.million {output} 2> {log}"


rule benchmarks:
    input:
        rules.benchmark_tables.output,
    localrule: True


rule costs:
    input:
        rules.costs_times.output,
        rules.claims_costs_statements_table.output,
    localrule: True
