"""The linear family: PCA, SVD and sparse PCA, in tables and figures of their own."""

AGREEMENT = "tables/linear_agreement.csv", "Linear methods", "routes of PCA agree"
AGREEMENT += ("linear/linear_agreement",)
LINEAR_TABLES = {
    "linear_tables": study_table(
        "decompositions",
        {"agreement": reported(*AGREEMENT)} | table(errors="linear_svd_errors"),
        seed=SEED,
    ),
    "sparse_tables": study_table(
        "sparse_paths",
        table(
            paths="sparse_paths",
            loadings="sparse_loadings",
            exact_path="sparse_exact_path",
            wide="sparse_wide",
        ),
        {"correlations": PITPROPS},
        seed=SEED,
    ),
}
linear_figure = partial(figure, "Linear methods", script="figures")
LINEAR_FIGURES = {
    "linear_deflation": linear_figure("variance and deflation in the plane", params={"seed": SEED}),
    "linear_svd_errors": linear_figure(
        "error of randomized SVD", table(errors="linear_svd_errors")
    ),
    "sparse_paths": linear_figure(
        "sparsity against variance",
        table(explained="sparse_paths", exact_path="sparse_exact_path", wide="sparse_wide"),
    ),
    "sparse_loadings": linear_figure("sparse loadings", table(loadings="sparse_loadings")),
}
add_study("linear", LINEAR_TABLES, LINEAR_FIGURES)
