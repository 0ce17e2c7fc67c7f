"""Tables and figures of the linear methods: PCA, SVD and sparse PCA."""

LINEAR_CODE = [*CORE, *modules("kpca/linear/*.py", "workflow/scripts/linear/*.py")]


rule linear_tables:
    input:
        code=LINEAR_CODE,
    output:
        agreement=reported(
            "tables/linear_agreement.csv",
            "Linear methods",
            "routes of PCA agree",
            "linear/linear_agreement",
        ),
        errors=results("tables/linear_svd_errors.csv"),
    log:
        results("logs/linear_tables.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/linear/decompositions.py"


rule sparse_tables:
    input:
        correlations=PITPROPS,
        code=LINEAR_CODE,
    output:
        paths=results("tables/sparse_paths.csv"),
        loadings=results("tables/sparse_loadings.csv"),
        exact_path=results("tables/sparse_exact_path.csv"),
        wide=results("tables/sparse_wide.csv"),
    log:
        results("logs/sparse_tables.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/linear/sparse_paths.py"


rule linear_figures:
    input:
        errors=results("tables/linear_svd_errors.csv"),
        explained=results("tables/sparse_paths.csv"),
        loadings=results("tables/sparse_loadings.csv"),
        exact_path=results("tables/sparse_exact_path.csv"),
        wide=results("tables/sparse_wide.csv"),
        code=[*LINEAR_CODE, *DRAWING],
    output:
        **drawn(
            "Linear methods",
            "linear",
            {
                "figures/linear_deflation.svg": "variance and deflation in the plane",
                "figures/linear_svd_errors.svg": "error of randomized SVD",
                "figures/sparse_paths.svg": "sparsity against variance",
                "figures/sparse_loadings.svg": "sparse loadings",
            },
        ),
    log:
        results("logs/figures/linear.log"),
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/linear/figures.py"


LINEAR = [*rules.linear_tables.output, *rules.sparse_tables.output, *rules.linear_figures.output]
