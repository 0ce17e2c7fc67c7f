"""Which embedding in the plane can be trusted: two datasets in `all`, and `snakemake embeddings`."""

# The Swiss roll and the digits of the default configuration, or what there is.
EMBEDDED = [name for name in ("swiss_roll", "digits") if name in ROWS] or ROWS[:2]

EMBEDDING_TABLES = {
    "embeddings_small_table": study_table(
        "embeddings",
        results("embeddings/small.csv"),
        {"datasets": made_of("datasets", EMBEDDED)},
        seed=SEED,
        extent={"rows": 200, "replicates": 3, "seeds": 2, "bootstraps": 2},
    ),
    "embeddings_table": study_table(
        "embeddings",
        {
            "measures": reported(
                "embeddings/embeddings.csv", "Embeddings", "which to trust", "embeddings/table"
            ),
            "seconds": results("timings/embeddings.csv"),
        },
        {"datasets": made_of("datasets", ROWS)},
        seed=SEED,
        shown=False,
        extent={"rows": 300, "replicates": 5, "seeds": 10, "bootstraps": 5},
    ),
}
trust_figure = partial(figure, "Embeddings", script="figure_embeddings", caption="embeddings")
EMBEDDING_FIGURES = {
    "embeddings_small": trust_figure(
        "which embedding to trust, two datasets", {"embeddings": results("embeddings/small.csv")}
    ),
    "embeddings_whole": trust_figure(
        "which embedding to trust",
        {"embeddings": results("embeddings/embeddings.csv")},
        shown=False,
    ),
}
add_study("embeddings", EMBEDDING_TABLES, EMBEDDING_FIGURES)
add_target("embeddings", [*rules.embeddings_table.output, *drawn("embeddings_whole")])
