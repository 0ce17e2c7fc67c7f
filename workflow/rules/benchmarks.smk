"""Timings: `snakemake benchmarks`, and `snakemake scaling` for up to a million points.

Timings run one at a time, since the profiles have one unit of the resource `timing`, and Slurm
gives each a whole node. The number of threads is fixed here, because the cores that this process
sees may be those of a cluster's login node, or none. Snakemake reduces it to what --cores allows.
"""

from benchmarks.cases import CASES

SCALED = ["exact", "their_exact", "nystrom", "their_nystrom"]
PYTHON = f"{shlex.quote(sys.executable)} -m"


rule benchmark:
    """Time one case of the benchmark in a separate process."""
    input:
        code=[*CORE, *modules("benchmarks/*.py")],
    output:
        results("benchmarks/cases/{case}.json"),
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
        program="run {case} 10",
    shell:
        "{params.python} benchmarks.{params.program} {output} 2> {log}"


use rule benchmark as scaling_table with:
    output:
        results("scaling/{contender}.csv"),
    log:
        results("logs/scaling_table_{contender}.log"),
    params:
        python=PYTHON,
        program="scaling {contender}",


use rule benchmark as costs_times with:
    output:
        results("timings/costs.csv"),
    log:
        results("logs/costs_times.log"),
    params:
        python=PYTHON,
        program="costs",


# This rule takes 0.5 to 1.5 hours on two cores, depending on their instruction set.
use rule benchmark as exact_million with:
    output:
        results("timings/exact_million.csv"),
    log:
        results("logs/exact_million.log"),
    params:
        python=PYTHON,
        program="million",


rule benchmark_tables:
    input:
        measured=expand(results("benchmarks/cases/{case}.json"), case=CASES),
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
        kind="speed",
    shell:
        "{params.python} benchmarks.figures {params.kind} $(dirname {output.table:q})"
        " {input.measured} 2> {log}"


use rule benchmark_tables as scaling with:
    input:
        measured=expand(results("scaling/{contender}.csv"), contender=SCALED),
        code=modules("benchmarks/figures.py"),
    output:
        table=results("scaling/exponents.csv"),
        figure=reported(
            "scaling/scaling.svg",
            "Benchmarks",
            "time, memory and error against n",
            "benchmarks/scaling",
        ),
    log:
        results("logs/scaling.log"),
    params:
        python=PYTHON,
        kind="scaling",


rule benchmarks:
    input:
        rules.benchmark_tables.output,
    localrule: True


rule costs:
    input:
        rules.costs_times.output,
        rules.claims_costs_statements_table.output,
    localrule: True
