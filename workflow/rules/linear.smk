"""The linear family: PCA, SVD and sparse PCA, in tables and figures of their own."""

PITPROPS = beside_snakefile("workflow/scripts/papers/zou2006/pitprops.csv")


# Where sparse components meet the SVM.
FEATURED = [name for name in ("breast_cancer", "digits") if name in DATASETS]


rule linear_agreement:
    output:
        agreement=results("tables/linear_agreement.csv"),
        spectra=results("tables/linear_spectra.csv"),
    log:
        results("logs/linear_agreement.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("linear/agreement"),
    script:
        "../scripts/linear/agreement.py"


rule linear_svd_errors:
    output:
        results("tables/linear_svd_errors.csv"),
    log:
        results("logs/linear_svd_errors.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("linear/svd_errors"),
    script:
        "../scripts/linear/svd_errors.py"


rule sparse_tables:
    input:
        correlations=PITPROPS,
    output:
        paths=results("tables/sparse_paths.csv"),
        loadings=results("tables/sparse_loadings.csv"),
        exact_path=results("tables/sparse_exact_path.csv"),
    log:
        results("logs/sparse_tables.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("linear/sparse_paths"),
    script:
        "../scripts/linear/sparse_paths.py"


rule sparse_features:
    input:
        datasets=[results(f"datasets/{name}.npz") for name in FEATURED],
    output:
        results("tables/sparse_features.csv"),
    log:
        results("logs/sparse_features.log"),
    conda:
        ENVIRONMENT
    resources:
        runtime=60,
    params:
        settings=EVALUATION,
        seed=CONFIG["seed"],
        code=script_code("linear/sparse_features"),
    script:
        "../scripts/linear/sparse_features.py"


of_linear = partial(plan, "linear", "Linear methods")
LINEAR_FIGURES = [
    *of_linear(
        "linear_deflation", "variance and deflation in the plane", seed=CONFIG["seed"]
    ),
    *of_linear(
        "linear_agreement",
        "routes of PCA agree",
        table("linear_agreement", "linear_spectra"),
    ),
    *of_linear(
        "linear_svd_errors", "error of randomized SVD", table("linear_svd_errors")
    ),
    *of_linear(
        "sparse_paths",
        "sparsity against variance",
        table("sparse_paths", "sparse_exact_path"),
    ),
    *of_linear("sparse_loadings", "sparse loadings", table("sparse_loadings")),
    *of_linear(
        "sparse_features",
        "sparse components before the SVM",
        table("sparse_features"),
        when=FEATURED,
    ),
]
