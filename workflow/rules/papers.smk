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


rule paper_scholkopf1998_figures:
    input:
        published=beside_snakefile("workflow/papers/scholkopf1998/published.csv"),
    output:
        results("papers/scholkopf1998/figures.csv"),
    log:
        results("logs/papers/scholkopf1998_figures.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        seed=CONFIG["seed"],
        draws=300,
        code=fingerprint("kpca.pipeline.studies.input_space.toy"),
    script:
        "../scripts/paper_scholkopf1998_figures.py"


# One part a figure or table of the paper.
SCHOLKOPF1998 = [results("papers/scholkopf1998/figures.csv")]


rule paper_scholkopf1998:
    input:
        SCHOLKOPF1998,
    output:
        report(
            results("papers/scholkopf1998/table.csv"),
            caption="../report/scholkopf1998.rst",
            category="Published results",
            labels={"table": "Schölkopf, Smola and Müller 1998"},
        ),
    log:
        results("logs/papers/scholkopf1998.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kpca.pipeline.tables"),
    script:
        "../scripts/join_tables.py"


PAPERS = [
    results("papers/zou2006/table.csv"),
    results("papers/scholkopf1998/table.csv"),
]


rule papers:
    input:
        PAPERS,
    localrule: True
