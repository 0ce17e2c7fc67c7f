"""Large n: how many landmarks are enough, and what replaces the exact fit where it no longer fits."""


rule landmark_tables:
    output:
        errors=results("tables/landmarks.csv"),
        sampling=results("tables/landmarks_sampling.csv"),
        enough=report(
            results("tables/landmarks_enough.csv"),
            caption="../scripts/large_n/landmarks_enough.rst",
            category="Large n",
            labels={"table": "how many landmarks are enough"},
        ),
    log:
        results("logs/landmark_tables.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("large_n/landmarks"),
    script:
        "../scripts/large_n/landmarks.py"


LARGE_N_FIGURES = {
    "landmarks": figure(
        "Large n",
        "landmarks beside sampling",
        of_files(errors="landmarks", sampling="landmarks_sampling"),
    ),
}
add_figures("large_n", LARGE_N_FIGURES)

TARGETS["large_n"] = [rules.landmark_tables.output, *shown(LARGE_N_FIGURES)]
