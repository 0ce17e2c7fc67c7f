"""One's own rows: what features contribute, which rows are novel, what noise costs."""

# Whatever is not drawn anew for every replicate.
OWN = [name for name, spec in DATASETS.items() if "generator" not in spec]
# A kernel matrix alone says nothing about features.
OWN_ROWS = [name for name in OWN if name in ROWS]


OWN_TABLES = {
    "own_features_table": study_table(
        "features",
        results("tables/own_features.csv"),
        {"datasets": made_of("datasets", OWN_ROWS)},
    ),
    "own_novelty_table": study_table(
        "novelty",
        results("tables/own_novelty.csv"),
        {"datasets": made_of("datasets", OWN)},
        seed=SEED,
    ),
    "own_denoising_table": study_table(
        "denoising",
        results("tables/own_denoising.csv"),
        {"datasets": made_of("datasets", OWN_ROWS)},
        seed=SEED,
    ),
}
OWN_FIGURES = {
    "own_features": figure(
        "Your own rows",
        "what each feature contributes",
        of_files(features="own_features"),
    ),
    "own_novelty": figure(
        "Your own rows",
        "the rows most unlike the rest",
        of_files(novelty="own_novelty"),
    ),
    "own_denoising": figure(
        "Your own rows",
        "how much error de-noising leaves",
        of_files(denoising="own_denoising"),
    ),
}
add_study_tables("own_data", OWN_TABLES)
add_figures("own_data", OWN_FIGURES)


# Of each a table and a figure; with `quick` the cheap ones.
OWN_SHOWN = ["own_novelty"] if OWN else []
if OWN_ROWS:
    OWN_SHOWN += ["own_features", "own_denoising"]
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
