"""Timings, targets of their own: `snakemake benchmarks`, and `snakemake scaling` to a million points."""

import shlex
import sys

from benchmarks.cases import CASES, named

LAUNCH = f"PYTHONPATH={shlex.quote(str(ROOT))} {shlex.quote(sys.executable)} -m"
CASE_FILE = results("benchmarks/cases/{case}.json")
CONTENDER_FILE = results("scaling/{contender}.csv")
SPEED = report(
    results("benchmarks/benchmark_speed.svg"),
    caption="../scripts/benchmarks/benchmark_speed.rst",
    category="Benchmarks",
    labels={"figure": "how many times faster"},
)
GROWTH = report(
    results("scaling/scaling.svg"),
    caption="../scripts/benchmarks/scaling.rst",
    category="Benchmarks",
    labels={"figure": "time, memory and error against n"},
)
SCALED = ["exact", "their_exact", "nystrom", "their_nystrom"]


# Rule: module with its arguments, log, outputs, and inputs or parameters if it has any.
TIMINGS = {
    "benchmark": {
        "command": "run {wildcards.case} 10 {output}",
        "log": "benchmarks/{case}",
        "output": {"case": CASE_FILE},
        "params": {"case": lambda wildcards: repr(named(wildcards.case))},
    },
    "benchmark_tables": {
        "command": "figures speed $(dirname {output.table:q}) {input}",
        "log": "benchmarks/speed",
        "input": expand(CASE_FILE, case=[case.name for case in CASES]),
        "output": {"table": results("benchmarks/summary.csv"), "figure": SPEED},
    },
    # What sharing between the fits of a sweep and of folds saves.
    "benchmark_sharing": {
        "command": "sharing {output}",
        "log": "benchmarks/sharing",
        "output": {"table": results("benchmarks/sharing.csv")},
    },
    "scaling_table": {
        "command": "scaling {wildcards.contender} {output}",
        "log": "scaling/{contender}",
        "output": {"table": CONTENDER_FILE},
    },
    "scaling": {
        "command": "figures scaling $(dirname {output.table:q}) {input}",
        "log": "scaling/figure",
        "input": expand(CONTENDER_FILE, contender=SCALED),
        "output": {"figure": GROWTH, "table": results("scaling/exponents.csv")},
    },
    # Half an hour to an hour and a half on two cores, by their instruction set.
    "exact_million": {
        "command": "scaling exact {output} 1000000",
        "log": "timings/exact_million",
        "output": {"table": results("timings/exact_million.csv")},
    },
}
for rule_name, entry in TIMINGS.items():
    add_timing(rule_name, entry, LAUNCH)


rule benchmarks:
    input:
        TIMINGS["benchmark_tables"]["output"].values(),
        TIMINGS["benchmark_sharing"]["output"].values(),
    localrule: True
