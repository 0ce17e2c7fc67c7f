"""The linear family: PCA, SVD and sparse PCA, in tables and figures of their own."""

PITPROPS = str(ROOT / "workflow/scripts/papers/zou2006/pitprops.csv")

LINEAR_TABLES = {
    "linear_agreement_tables": study_table(
        "agreement", of_files(agreement="linear_agreement", spectra="linear_spectra"), seed=SEED
    ),
    "linear_svd_errors_table": study_table(
        "svd_errors", results("tables/linear_svd_errors.csv"), seed=SEED
    ),
    "sparse_tables": study_table(
        "sparse_paths",
        of_files(paths="sparse_paths", loadings="sparse_loadings", exact_path="sparse_exact_path"),
        {"correlations": PITPROPS},
    ),
}
LINEAR_FIGURES = {
    "linear_deflation": figure(
        "Linear methods", "variance and deflation in the plane", params={"seed": SEED}
    ),
    "linear_agreement": figure(
        "Linear methods", "routes of PCA agree", table("linear_agreement", "linear_spectra")
    ),
    "linear_svd_errors": figure(
        "Linear methods", "error of randomized SVD", table("linear_svd_errors")
    ),
    "sparse_paths": figure(
        "Linear methods", "sparsity against variance", table("sparse_paths", "sparse_exact_path")
    ),
    "sparse_loadings": figure("Linear methods", "sparse loadings", table("sparse_loadings")),
}
add_study_tables("linear", LINEAR_TABLES)
add_figures("linear", LINEAR_FIGURES)

TARGETS["linear"] = [*tables_of(LINEAR_TABLES), *shown(LINEAR_FIGURES)]
