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


rule landmarks:
    input:
        errors=results("tables/landmarks.csv"),
        sampling=results("tables/landmarks_sampling.csv"),
    output:
        figure("large_n/landmarks", "Large n", "landmarks beside sampling"),
    log:
        results("logs/figures/landmarks.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("large_n/figure_landmarks"),
    script:
        "../scripts/large_n/figure_landmarks.py"


TARGETS["large_n"] = [rules.landmark_tables.output, *drawn("landmarks")]
