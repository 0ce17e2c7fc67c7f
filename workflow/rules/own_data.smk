"""One's own rows: what features contribute, and which rows are novel."""

# Whatever is not drawn anew for every replicate.
OWN = [name for name, spec in DATASETS.items() if "generator" not in spec]
# A kernel matrix alone says nothing about features.
OWN_ROWS = [name for name in OWN if name in ROWS]


OWN_TABLES = {
    "own_novelty_table": study_table(
        "novelty",
        results("tables/own_novelty.csv"),
        {"datasets": made_of("datasets", OWN)},
        seed=SEED,
        shown=OWN,
    ),
    "own_features_table": study_table(
        "features",
        results("tables/own_features.csv"),
        {"datasets": made_of("datasets", OWN_ROWS)},
        shown=OWN_ROWS,
    ),
    "own_view_table": study_table(
        "view",
        results("tables/own_view.csv"),
        fitted(OWN_ROWS) | table("decisions", described="datasets"),
        input_digest=INPUT_DIGEST,
        slow="data" in config,
        seed=SEED,
        shown=OWN_ROWS,
    ),
}
own_figure = partial(figure, "Your own rows", script="figures")
OWN_FIGURES = {
    "own_novelty": own_figure(
        "the rows most unlike the rest", table(novelty="own_novelty"), shown=OWN
    ),
    "own_features": own_figure(
        "what each feature contributes", table(features="own_features"), shown=OWN_ROWS
    ),
}
add_study("own_data", OWN_TABLES, OWN_FIGURES)
