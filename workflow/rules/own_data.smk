"""One's own rows: what features contribute, which rows are novel, what noise and landmarks cost."""

# Whatever is not drawn anew for every replicate.
OWN = [name for name, spec in DATASETS.items() if "generator" not in spec]
# A kernel matrix alone says nothing about features.
OWN_ROWS = [name for name in OWN if name in ROWS]


rule own_features_table:
    input:
        datasets=made_of("datasets", OWN_ROWS),
    output:
        results("tables/own_features.csv"),
    log:
        results("logs/own_features_table.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("own_data/features"),
    script:
        "../scripts/own_data/features.py"


rule own_features:
    input:
        features=results("tables/own_features.csv"),
    output:
        figure(
            "own_data/own_features", "Your own rows", "what each feature contributes"
        ),
    log:
        results("logs/figures/own_features.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("own_data/figure_own_features"),
    script:
        "../scripts/own_data/figure_own_features.py"


rule own_novelty_table:
    input:
        datasets=made_of("datasets", OWN),
    output:
        results("tables/own_novelty.csv"),
    log:
        results("logs/own_novelty_table.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("own_data/novelty"),
    script:
        "../scripts/own_data/novelty.py"


rule own_novelty:
    input:
        novelty=results("tables/own_novelty.csv"),
    output:
        figure("own_data/own_novelty", "Your own rows", "the rows most unlike the rest"),
    log:
        results("logs/figures/own_novelty.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("own_data/figure_own_novelty"),
    script:
        "../scripts/own_data/figure_own_novelty.py"


rule own_denoising_table:
    input:
        datasets=made_of("datasets", OWN_ROWS),
    output:
        results("tables/own_denoising.csv"),
    log:
        results("logs/own_denoising_table.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("own_data/denoising"),
    script:
        "../scripts/own_data/denoising.py"


rule own_denoising:
    input:
        denoising=results("tables/own_denoising.csv"),
    output:
        figure(
            "own_data/own_denoising",
            "Your own rows",
            "how much error de-noising leaves",
        ),
    log:
        results("logs/figures/own_denoising.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("own_data/figure_own_denoising"),
    script:
        "../scripts/own_data/figure_own_denoising.py"


rule own_landmarks_table:
    input:
        datasets=made_of("datasets", OWN_ROWS),
    output:
        results("tables/own_landmarks.csv"),
    log:
        results("logs/own_landmarks_table.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("own_data/landmarks"),
    script:
        "../scripts/own_data/landmarks.py"


rule own_landmarks:
    input:
        landmarks=results("tables/own_landmarks.csv"),
    output:
        figure("own_data/own_landmarks", "Your own rows", "how many landmarks would do"),
    log:
        results("logs/figures/own_landmarks.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("own_data/figure_own_landmarks"),
    script:
        "../scripts/own_data/figure_own_landmarks.py"


# Of each a table and a figure; with `quick` the cheap ones.
OWN_SHOWN = ["own_novelty"] if OWN else []
if OWN_ROWS:
    OWN_SHOWN += ["own_features", "own_denoising", "own_landmarks"]
if QUICK:
    OWN_SHOWN = [name for name in OWN_SHOWN if name in QUICK_FIGURES]
TARGETS["own_data"] = [
    *[results(f"tables/{name}.csv") for name in OWN_SHOWN],
    *drawn(*OWN_SHOWN),
]
if "own_data" in STUDIES and OWN != OWN_ROWS:
    logger.info(
        "Of a kernel matrix novel rows alone are shown: features, de-noising and landmarks need "
        "the rows themselves."
    )
