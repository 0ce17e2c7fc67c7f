"""Large n: how many landmarks are enough to replace an exact fit."""

LARGE_N_CODE = [
    *CORE,
    *modules("kpca/study/datasets/generators.py", "workflow/scripts/large_n/*.py"),
]


rule landmark_tables:
    """Errors of landmarks on the rows of a user's file, or else on a Swiss roll and digits."""
    input:
        datasets=made_of("datasets/{dataset}.npz", ROWS) if "data" in config else [],
        code=LARGE_N_CODE,
    output:
        errors=results("tables/landmarks.csv"),
        sampling=results("tables/landmarks_sampling.csv"),
        enough=reported(
            "tables/landmarks_enough.csv",
            "Large n",
            "how many landmarks are enough",
            "large_n/landmarks_enough",
        ),
    log:
        results("logs/landmark_tables.log"),
    priority: 1
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
    params:
        seed=SEED,
    script:
        "../scripts/large_n/landmarks.py"


rule landmarks:
    input:
        errors=results("tables/landmarks.csv"),
        sampling=results("tables/landmarks_sampling.csv"),
        code=[*LARGE_N_CODE, *DRAWING],
    output:
        **drawn("Large n", "large_n", {"figures/landmarks.svg": "landmarks beside sampling"}),
    log:
        results("logs/figures/landmarks.log"),
    conda:
        ENVIRONMENT
    script:
        "../scripts/large_n/figure_landmarks.py"


LARGE_N = [*rules.landmark_tables.output, *rules.landmarks.output]
if QUICK or not ROWS and "data" in config:
    LARGE_N = []
