"""Published tables beside ours: `snakemake papers`."""


rule paper_zou2006:
    input:
        published=beside_snakefile("workflow/papers/zou2006/published.csv"),
        correlations=beside_snakefile("workflow/papers/zou2006/pitprops.csv"),
    output:
        report(
            results("papers/zou2006/table.csv"),
            caption="../papers/zou2006/caption.rst",
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


# Table 1 by degrees of the kernel and drawn subsets; without smoothing it is another table.
TABLE1 = {
    "table1": {"smoothed": range(1, 8), "plain": [4], "subsets": 10},
    "table1_quick": {"smoothed": [3, 5], "plain": [], "subsets": 3},
}
TABLE1_WHOLE = results("papers/scholkopf1998/table1.csv")


rule paper_scholkopf1998_errors:
    input:
        **(usps_files(USPS) if USPS else {}),
    output:
        results("papers/scholkopf1998/errors/{images}_{degree}_{subset}.csv"),
    log:
        results("logs/papers/scholkopf1998_errors/{images}_{degree}_{subset}.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        seed=CONFIG["seed"],
        code=fingerprint("kpca.pipeline.studies.papers.usps_errors"),
    script:
        "../scripts/paper_scholkopf1998_errors.py"


rule paper_scholkopf1998_table1:
    input:
        published=beside_snakefile("workflow/papers/scholkopf1998/published.csv"),
        errors=table1_errors,
    output:
        table=results("papers/scholkopf1998/{version}.csv"),
        errors=results("papers/scholkopf1998/{version}_errors.csv"),
    log:
        results("logs/papers/scholkopf1998_{version}.log"),
    wildcard_constraints:
        version="|".join(TABLE1),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kpca.pipeline.studies.papers.intervals"),
    script:
        "../scripts/paper_scholkopf1998_table1.py"


rule paper_scholkopf1998:
    input:
        results("papers/scholkopf1998/figures.csv"),
        table1,
    output:
        report(
            results("papers/scholkopf1998/table.csv"),
            caption="../papers/scholkopf1998/caption.rst",
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


# A folder a paper: protocol.md, published.csv, tables.csv (the lines of the overview), caption.rst.
PAPER_FOLDERS = sorted(Path(beside_snakefile("workflow/papers")).iterdir())
PAPER_TABLES = [results(f"papers/{folder.name}/table.csv") for folder in PAPER_FOLDERS]


rule paper_overview:
    input:
        tables=[str(folder / "tables.csv") for folder in PAPER_FOLDERS],
        published=[str(folder / "published.csv") for folder in PAPER_FOLDERS],
        ours=PAPER_TABLES,
    output:
        overview=report(
            results("papers/overview.csv"),
            caption="../report/papers_overview.rst",
            category="Published results",
            labels={"table": "overview: cells reproduced"},
        ),
        cells=results("papers/cells.csv"),
    log:
        results("logs/papers/overview.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kpca.pipeline.studies.papers.overview"),
    script:
        "../scripts/paper_overview.py"


PAPER_PLOTS = {
    "papers_published": {
        "title": "published numbers within our intervals",
        "input": {
            "overview": rules.paper_overview.output.overview,
            "cells": rules.paper_overview.output.cells,
        },
        "arguments": {},
    },
    "scholkopf_table1": {
        "title": "test errors on the USPS digits",
        "input": {"table": table1},
        "arguments": {},
        "when": USPS,
    },
}
PAPER_FIGURES = plan(
    PAPER_PLOTS,
    fingerprint("kpca.pipeline.style", "kpca.pipeline.studies.papers.intervals"),
    "Published results",
)
PAPERS = [*PAPER_TABLES, *rules.paper_overview.output, *PAPER_FIGURES]


rule papers:
    input:
        PAPERS,
        # What the papers show as figures.
        drawn("scholkopf_parabola"),
        drawn("scholkopf_clusters"),
        drawn("sparse_loadings"),
    localrule: True
