"""The linear family: PCA, SVD and sparse PCA, in tables and figures of their own."""

# Where sparse components meet the SVM.
FEATURED = [name for name in ("breast_cancer", "digits") if name in DATASETS]


rule linear_deflation:
    output:
        figure(
            "linear/linear_deflation",
            "Linear methods",
            "variance and deflation in the plane",
        ),
    log:
        results("logs/figures/linear_deflation.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("linear/figure_linear_deflation"),
    script:
        "../scripts/linear/figure_linear_deflation.py"


rule linear_agreement_tables:
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


rule linear_agreement:
    input:
        **table("linear_agreement", "linear_spectra"),
    output:
        figure("linear/linear_agreement", "Linear methods", "routes of PCA agree"),
    log:
        results("logs/figures/linear_agreement.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("linear/figure_linear_agreement"),
    script:
        "../scripts/linear/figure_linear_agreement.py"


rule linear_svd_errors_table:
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


rule linear_svd_errors:
    input:
        **table("linear_svd_errors"),
    output:
        figure("linear/linear_svd_errors", "Linear methods", "error of randomized SVD"),
    log:
        results("logs/figures/linear_svd_errors.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("linear/figure_linear_svd_errors"),
    script:
        "../scripts/linear/figure_linear_svd_errors.py"


rule sparse_tables:
    input:
        correlations=beside_snakefile("workflow/scripts/papers/zou2006/pitprops.csv"),
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


rule sparse_paths:
    input:
        **table("sparse_paths", "sparse_exact_path"),
    output:
        figure("linear/sparse_paths", "Linear methods", "sparsity against variance"),
    log:
        results("logs/figures/sparse_paths.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("linear/figure_sparse_paths"),
    script:
        "../scripts/linear/figure_sparse_paths.py"


rule sparse_loadings:
    input:
        **table("sparse_loadings"),
    output:
        figure("linear/sparse_loadings", "Linear methods", "sparse loadings"),
    log:
        results("logs/figures/sparse_loadings.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("linear/figure_sparse_loadings"),
    script:
        "../scripts/linear/figure_sparse_loadings.py"


rule sparse_features_table:
    input:
        datasets=made_of("datasets", FEATURED),
    output:
        results("tables/sparse_features.csv"),
    log:
        results("logs/sparse_features.log"),
    conda:
        ENVIRONMENT
    resources:
        runtime=growing(60),
    params:
        settings=EVALUATION,
        seed=CONFIG["seed"],
        code=script_code("linear/sparse_features"),
    script:
        "../scripts/linear/sparse_features.py"


rule sparse_features:
    input:
        **table("sparse_features"),
    output:
        figure(
            "linear/sparse_features",
            "Linear methods",
            "sparse components before the SVM",
        ),
    log:
        results("logs/figures/sparse_features.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("linear/figure_sparse_features"),
    script:
        "../scripts/linear/figure_sparse_features.py"


TARGETS["linear"] = [
    rules.linear_agreement_tables.output,
    rules.linear_svd_errors_table.output,
    rules.sparse_tables.output,
    *drawn("linear_deflation", "linear_agreement", "linear_svd_errors"),
    *drawn("sparse_paths", "sparse_loadings"),
]
if FEATURED:
    TARGETS["linear"] += [
        rules.sparse_features_table.output,
        *drawn("sparse_features"),
    ]
