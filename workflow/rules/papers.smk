"""Published tables beside ours: `snakemake papers`."""


rule paper_zou2006:
    input:
        published=beside_snakefile("workflow/papers/zou2006/published.csv"),
        correlations=beside_snakefile("workflow/papers/zou2006/pitprops.csv"),
    output:
        report(
            results("papers/zou2006/table.csv"),
            caption="../report/zou2006.rst",
            category="Published results",
            labels={"table": "Zou, Hastie and Tibshirani 2006"},
        ),
    log:
        results("logs/papers/zou2006.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint(
            "kpca.linear.sparse_pca", "kpca.pipeline.studies.linear.samples"
        ),
    script:
        "../scripts/paper_zou2006.py"


PAPERS = [results("papers/zou2006/table.csv")]


rule papers:
    input:
        PAPERS,
    localrule: True
