"""The linear family: PCA, SVD and sparse PCA, in tables and figures of their own."""

STRENGTHS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
SPARSE_COMPONENTS = {"pitprops": 6, "breast_cancer": 6, "digits": 10}
PITPROPS = beside_snakefile("workflow/scripts/papers/zou2006/pitprops.csv")


# Where sparse components meet the SVM.
FEATURED = [name for name in ("breast_cancer", "digits") if name in DATASETS]


rule linear_tables:
    output:
        agreement=results("tables/linear_agreement.csv"),
        spectra=results("tables/linear_spectra.csv"),
        svd_errors=results("tables/linear_svd_errors.csv"),
    log:
        results("logs/linear_tables.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        n_components=10,
        shape=[300, 200],
        n_oversamples=10,
        n_iters=[0, 1, 2, 3, 4, 5, 6],
        draws=10,
        code=script_code("linear/linear_tables"),
    script:
        "../scripts/linear/linear_tables.py"


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
        strengths=STRENGTHS,
        n_components=SPARSE_COMPONENTS,
        nonzeros={"pitprops": 3, "digits": 10},
        code=script_code("linear/sparse_tables"),
    script:
        "../scripts/linear/sparse_tables.py"


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
        n_components=SPARSE_COMPONENTS,
        strengths=[0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
        settings=EVALUATION,
        seed=CONFIG["seed"],
        code=script_code("linear/sparse_features_table"),
    script:
        "../scripts/linear/sparse_features_table.py"


LINEAR_PLOTS = {
    "linear_deflation": {
        "title": "variance and deflation in the plane",
        "input": {},
        "arguments": {"seed": CONFIG["seed"]},
    },
    "linear_agreement": {
        "title": "routes of PCA agree",
        "input": table("linear_agreement", "linear_spectra"),
        "arguments": {},
    },
    "linear_svd_errors": {
        "title": "error of randomized SVD",
        "input": table("linear_svd_errors"),
        "arguments": {},
    },
    "sparse_paths": {
        "title": "sparsity against variance",
        "input": table("sparse_paths", "sparse_exact_path"),
        "arguments": {},
    },
    "sparse_loadings": {
        "title": "sparse loadings",
        "input": table("sparse_loadings"),
        "arguments": {},
    },
    "sparse_features": {
        "title": "sparse components before the SVM",
        "input": table("sparse_features"),
        "arguments": {},
        "when": FEATURED,
    },
}
LINEAR_FIGURES = plan(
    LINEAR_PLOTS,
    "linear",
    "Linear methods",
)
