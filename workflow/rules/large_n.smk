"""Large n: how many landmarks are enough, and what replaces the exact fit where it no longer fits."""

LARGE_N = "workflow.scripts.large_n"
LANDMARKS = {
    "seed": CONFIG["seed"],
    "replicates": 5,
    "bootstraps": 30,
    "n_components": 10,
    "n_landmarks": [25, 50, 100, 200, 400, 800],
    "n_points": 3000,
}


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
        arguments=LANDMARKS,
        code=script_code("large_n/landmark_tables"),
    script:
        "../scripts/large_n/landmark_tables.py"


LARGE_N_PLOTS = {
    "landmarks": {
        "title": "landmarks beside sampling",
        "input": {
            "errors": results("tables/landmarks.csv"),
            "sampling": results("tables/landmarks_sampling.csv"),
        },
        "arguments": {},
    },
}
LARGE_N_FIGURES = plan(LARGE_N_PLOTS, "large_n", "Large n")
