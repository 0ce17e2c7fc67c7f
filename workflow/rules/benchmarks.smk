"""Timings, targets of their own: `snakemake benchmarks`, and `snakemake scaling` to a million points."""

from benchmarks.cases import CASES

CASE_FILE = results("benchmarks/cases/{case}.json")
CONTENDER_FILE = results("scaling/{contender}.csv")
SCALED = ["exact", "their_exact", "nystrom", "their_nystrom"]

# Rule: module with its arguments, outputs, and inputs or parameters if it has any.
TIMINGS = {
    "benchmark": study_table(
        "run {wildcards.case} 10 {output}",
        {"case": CASE_FILE},
        case=lambda wildcards: repr(CASES[wildcards.case]),
    ),
    "benchmark_tables": study_table(
        "figures speed $(dirname {output.table:q}) {input}",
        {
            "table": results("benchmarks/summary.csv"),
            "figure": reported(
                "benchmarks/benchmark_speed.svg", "Benchmarks", "how many times faster"
            ),
        },
        {"cases": expand(CASE_FILE, case=CASES)},
    ),
    "scaling_table": study_table(
        "scaling {wildcards.contender} {output}", {"table": CONTENDER_FILE}
    ),
    "scaling": study_table(
        "figures scaling $(dirname {output.table:q}) {input}",
        {
            "figure": reported(
                "scaling/scaling.svg",
                "Benchmarks",
                "time, memory and error against n",
                "benchmarks/scaling",
            ),
            "table": results("scaling/exponents.csv"),
        },
        {"tables": expand(CONTENDER_FILE, contender=SCALED)},
    ),
    "costs_times": study_table("costs {output}", {"table": results("timings/costs.csv")}),
    # Half an hour to an hour and a half on two cores, by their instruction set.
    "exact_million": study_table(
        "million {output}", {"table": results("timings/exact_million.csv")}
    ),
}
for rule_name, entry in TIMINGS.items():
    add_timing(rule_name, entry)
add_target("benchmarks", rules.benchmark_tables.output)
add_target("costs", [*rules.costs_times.output, results("timings/costs_statements.csv")])
