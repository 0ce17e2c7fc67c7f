"""Published tables beside ours: quick in `all`, and as `…_whole` by `snakemake papers`."""


wildcard_constraints:
    whole="(_whole)?",


# A folder a paper: protocol.md, published.csv, tables.csv (the lines of the overview), caption.rst.
PAPERS_FOLDER = beside_snakefile("workflow/scripts/papers")
PAPER_NAMES = sorted(
    path.parent.name for path in Path(PAPERS_FOLDER).glob("*/published.csv")
)


rule paper_zou2006:
    input:
        published=f"{PAPERS_FOLDER}/zou2006/published.csv",
        correlations=PITPROPS,
    output:
        report(
            results("papers/zou2006/table.csv"),
            caption="../scripts/papers/zou2006/caption.rst",
            category="Published results",
            labels={"table": "Zou, Hastie and Tibshirani 2006"},
        ),
    log:
        results("logs/papers/zou2006.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("papers/zou2006/table"),
    script:
        "../scripts/papers/zou2006/table.py"


rule paper_scholkopf1998_figures:
    input:
        published=f"{PAPERS_FOLDER}/scholkopf1998/published.csv",
    output:
        results("papers/scholkopf1998/figures.csv"),
    log:
        results("logs/papers/scholkopf1998_figures.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("papers/scholkopf1998/figures"),
    script:
        "../scripts/papers/scholkopf1998/figures.py"


# Table 1 by degrees of the kernel and drawn subsets; without smoothing it is another table.
TABLE1 = {
    "": {"smoothed": [3, 5], "plain": [], "subsets": 3},
    "_whole": {"smoothed": range(1, 8), "plain": [4], "subsets": 10},
}
QUICK_PAPERS = ["scholkopf1998"]


rule paper_scholkopf1998_errors:
    input:
        USPS_FILES,
    output:
        results("papers/scholkopf1998/errors/{images}_{degree}_{subset}.csv"),
    log:
        results("logs/papers/scholkopf1998_errors/{images}_{degree}_{subset}.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
    params:
        usps=USPS,
        seed=CONFIG["seed"],
        images=lambda wildcards: wildcards.images,
        degree=lambda wildcards: int(wildcards.degree),
        subset=lambda wildcards: int(wildcards.subset),
        code=script_code("papers/scholkopf1998/usps_errors"),
    script:
        "../scripts/papers/scholkopf1998/usps_errors.py"


rule paper_scholkopf1998:
    input:
        published=f"{PAPERS_FOLDER}/scholkopf1998/published.csv",
        figures=results("papers/scholkopf1998/figures.csv"),
        errors=table1_errors,
    output:
        report(
            results("papers/scholkopf1998/table{whole}.csv"),
            caption="../scripts/papers/scholkopf1998/caption.rst",
            category="Published results",
            labels={"table": "Schölkopf, Smola and Müller 1998{whole}"},
        ),
    log:
        results("logs/papers/scholkopf1998{whole}.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("papers/scholkopf1998/table1"),
    script:
        "../scripts/papers/scholkopf1998/table1.py"


rule paper_overview:
    input:
        tables=expand(f"{PAPERS_FOLDER}/{{name}}/tables.csv", name=PAPER_NAMES),
        published=expand(f"{PAPERS_FOLDER}/{{name}}/published.csv", name=PAPER_NAMES),
        ours=paper_tables,
    output:
        overview=report(
            results("papers/overview{whole}.csv"),
            caption="../scripts/papers/papers_overview.rst",
            category="Published results",
            labels={"table": "overview{whole}: cells reproduced"},
        ),
        cells=results("papers/cells{whole}.csv"),
    log:
        results("logs/papers/overview{whole}.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("papers/overview"),
    script:
        "../scripts/papers/overview.py"


# The whole of what is quick in the default run, where its images are given.
PAPER_VERSIONS = ["", "_whole"] if USPS else [""]
PAPER_FIGURES = {
    version: [
        *plan(
            "papers",
            "Published results",
            f"papers_published{version}",
            f"published numbers within our intervals{version}",
            {
                name: results(f"papers/{name}{version}.csv")
                for name in ("overview", "cells")
            },
            script="papers_published",
        ),
        *plan(
            "papers/scholkopf1998",
            "Published results",
            f"scholkopf_table1{version}",
            f"test errors on the USPS digits{version}",
            {"table": results(f"papers/scholkopf1998/table{version}.csv")},
            script="scholkopf_table1",
            when=USPS,
        ),
    ]
    for version in PAPER_VERSIONS
}
PAPERS = [
    *(results(f"papers/{name}/table.csv") for name in PAPER_NAMES),
    results("papers/overview.csv"),
    *PAPER_FIGURES[""],
]


rule papers:
    input:
        PAPERS,
        [results(f"papers/overview{version}.csv") for version in PAPER_VERSIONS],
        PAPER_FIGURES.values(),
        # What the papers show as figures.
        drawn("scholkopf_parabola"),
        drawn("scholkopf_clusters"),
        drawn("sparse_loadings"),
    localrule: True
