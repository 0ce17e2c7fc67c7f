"""The linear family: PCA, SVD and sparse PCA, in tables and figures of their own."""

STRENGTHS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
SPARSE_COMPONENTS = {"pitprops": 6, "breast_cancer": 6, "digits": 10}
PITPROPS = beside_snakefile("workflow/papers/zou2006/pitprops.csv")


def linear_figure(name, title):
    """Return the two files of a figure, the first in the report."""
    shown = report(
        results(f"figures/{name}.svg"),
        caption=f"../report/{name}.rst",
        category="Linear methods",
        labels={"figure": title},
    )
    return [shown, results(f"figures/{name}.png")]


def featured():
    """Return the datasets of the configuration on which sparse components meet the SVM."""
    return [name for name in ("breast_cancer", "digits") if name in DATASETS]


rule linear_tables:
    output:
        agreement=results("tables/linear_agreement.csv"),
        spectra=results("tables/linear_spectra.csv"),
        svd_errors=results("tables/linear_svd_errors.csv"),
    log:
        results("logs/linear_tables.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        seed=CONFIG["seed"],
        n_components=10,
        shape=[300, 200],
        n_oversamples=10,
        n_iters=[0, 1, 2, 3, 4, 5, 6],
        draws=10,
        code=fingerprint(
            "kpca.pipeline.studies.linear.agreement",
            "kpca.pipeline.studies.linear.samples",
            "kpca.pipeline.studies.linear.svd_errors",
        ),
    script:
        "../scripts/linear_tables.py"


rule linear_times:
    output:
        routes=results("timings/linear_routes.csv"),
        svd=results("timings/linear_svd.csv"),
        sparse=results("timings/linear_sparse.csv"),
    log:
        results("logs/linear_times.log"),
    conda:
        ENVIRONMENT
    # Every core, so that nothing runs beside what is timed.
    threads: workflow.cores or 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        seed=CONFIG["seed"],
        n_components=10,
        n=400,
        sizes=[10, 30, 100, 200, 400, 800, 1600],
        shape=[2000, 500],
        n_iters=[0, 1, 2, 4, 7],
        repeats=3,
        code=fingerprint("kpca.pipeline.studies.linear.times"),
    script:
        "../scripts/linear_times.py"


rule sparse_tables:
    input:
        correlations=PITPROPS,
    output:
        paths=results("tables/sparse_paths.csv"),
        loadings=results("tables/sparse_loadings.csv"),
        exact_path=results("tables/sparse_exact_path.csv"),
        first_components=results("tables/sparse_first_components.csv"),
    log:
        results("logs/sparse_tables.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=20,
    params:
        strengths=STRENGTHS,
        n_components=SPARSE_COMPONENTS,
        nonzeros={"pitprops": 3, "digits": 10},
        code=fingerprint(
            "kpca.pipeline.studies.linear.samples",
            "kpca.pipeline.studies.linear.sparse_exact",
            "kpca.pipeline.studies.linear.sparse_paths",
        ),
    script:
        "../scripts/sparse_tables.py"


rule sparse_features:
    input:
        datasets=[results(f"datasets/{name}.npz") for name in featured()],
    output:
        results("tables/sparse_features.csv"),
    log:
        results("logs/sparse_features.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=60,
    params:
        n_components=SPARSE_COMPONENTS,
        strengths=[0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
        settings=EVALUATION,
        seed=CONFIG["seed"],
        code=fingerprint("kpca.pipeline.studies.linear.sparse_features"),
    script:
        "../scripts/sparse_features.py"


rule figure_linear_deflation:
    output:
        *linear_figure("linear_deflation", "variance and deflation in the plane"),
    log:
        results("logs/figures/linear_deflation.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        seed=CONFIG["seed"],
        code=fingerprint(
            "kpca.pipeline.style", "kpca.pipeline.studies.linear.deflation_step"
        ),
    script:
        "../scripts/figure_linear_deflation.py"


rule figure_linear_agreement:
    input:
        agreement=rules.linear_tables.output.agreement,
        spectra=rules.linear_tables.output.spectra,
    output:
        *linear_figure("linear_agreement", "routes of PCA agree"),
    log:
        results("logs/figures/linear_agreement.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint(
            "kpca.pipeline.style", "kpca.pipeline.studies.linear.agreement"
        ),
    script:
        "../scripts/figure_linear_agreement.py"


rule figure_linear_svd_errors:
    input:
        errors=rules.linear_tables.output.svd_errors,
    output:
        *linear_figure("linear_svd_errors", "error of randomized SVD"),
    log:
        results("logs/figures/linear_svd_errors.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kpca.pipeline.style"),
    script:
        "../scripts/figure_linear_svd_errors.py"


rule figure_linear_times:
    input:
        routes=rules.linear_times.output.routes,
        svd=rules.linear_times.output.svd,
    output:
        *linear_figure("linear_times", "times of PCA and SVD"),
    log:
        results("logs/figures/linear_times.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kpca.pipeline.style"),
    script:
        "../scripts/figure_linear_times.py"


rule figure_sparse_paths:
    input:
        paths=rules.sparse_tables.output.paths,
        exact_path=rules.sparse_tables.output.exact_path,
        first_components=rules.sparse_tables.output.first_components,
    output:
        *linear_figure("sparse_paths", "sparsity against variance"),
    log:
        results("logs/figures/sparse_paths.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kpca.pipeline.style"),
    script:
        "../scripts/figure_sparse_paths.py"


rule figure_sparse_loadings:
    input:
        loadings=rules.sparse_tables.output.loadings,
    output:
        *linear_figure("sparse_loadings", "sparse loadings"),
    log:
        results("logs/figures/sparse_loadings.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kpca.pipeline.style"),
    script:
        "../scripts/figure_sparse_loadings.py"


rule figure_sparse_features:
    input:
        features=rules.sparse_features.output[0],
    output:
        *linear_figure("sparse_features", "sparse components before the SVM"),
    log:
        results("logs/figures/sparse_features.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kpca.pipeline.style", "kpca.pipeline.curves"),
    script:
        "../scripts/figure_sparse_features.py"


LINEAR_FIGURES = [
    *drawn("linear_deflation"),
    *drawn("linear_agreement"),
    *drawn("linear_svd_errors"),
    *drawn("linear_times"),
    *drawn("sparse_paths"),
    *drawn("sparse_loadings"),
    *(drawn("sparse_features") if featured() else []),
]
