"""Published tables compared with ours: quick in `all`, complete by `snakemake papers`.

Results of the complete version have names that end in "_whole".
"""

# The folder of each paper has the files protocol.md, published.csv, tables.csv (lines of the
# overview) and caption.rst.
PUBLISHED = [shipped(path) for path in sorted(ROOT.glob("workflow/scripts/papers/*/published.csv"))]
PAPER_NAMES = [Path(path).parent.name for path in PUBLISHED]
# Pattern of the files of errors: one file per degree and subset of Table 1, for smoothed or plain
# images.
TABLE1_ERRORS = results("papers/scholkopf1998/errors/{images}_{degree}_{subset}.csv")
TABLE1 = {
    "": expand(TABLE1_ERRORS, images="smoothed", degree=[3, 5], subset=range(3)),
    "_whole": [
        *expand(TABLE1_ERRORS, images="smoothed", degree=range(1, 8), subset=range(10)),
        *expand(TABLE1_ERRORS, images="plain", degree=4, subset=range(10)),
    ],
}
PAPERS_CODE = [
    *CORE,
    *modules("kpca/study/datasets/generators.py", "workflow/scripts/papers/*.py"),
]


# The version "" is the quick one, and "_whole" that of `snakemake papers`.
wildcard_constraints:
    version="|_whole",


rule paper_zou2006:
    input:
        published=shipped("workflow/scripts/papers/zou2006/published.csv"),
        correlations=PITPROPS,
        code=[*PAPERS_CODE, *modules("kpca/linear/*.py")],
    output:
        reported(
            "papers/zou2006/table{version}.csv",
            "Published results",
            "Zou, Hastie and Tibshirani 2006{version}",
            "papers/zou2006/caption",
        ),
    log:
        results("logs/paper_zou2006{version}.log"),
    priority: 1
    conda:
        ENVIRONMENT
    script:
        "../scripts/papers/zou2006/table.py"


rule paper_scholkopf1998_errors:
    input:
        usps=USPS_IMAGES,
        code=PAPERS_CODE,
    output:
        TABLE1_ERRORS,
    log:
        results("logs/paper_scholkopf1998_errors_{images}_{degree}_{subset}.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
        images=lambda wildcards: wildcards.images,
        degree=lambda wildcards: int(wildcards.degree),
        subset=lambda wildcards: int(wildcards.subset),
    script:
        "../scripts/papers/scholkopf1998/usps_errors.py"


rule paper_scholkopf1998:
    input:
        published=shipped("workflow/scripts/papers/scholkopf1998/published.csv"),
        errors=lambda wildcards: TABLE1[wildcards.version] if USPS else [],
        code=PAPERS_CODE,
    output:
        reported(
            "papers/scholkopf1998/table{version}.csv",
            "Published results",
            "Schölkopf, Smola and Müller 1998{version}",
            "papers/scholkopf1998/caption",
        ),
    log:
        results("logs/paper_scholkopf1998{version}.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/papers/scholkopf1998/table.py"


rule paper_mika1998:
    input:
        published=shipped("workflow/scripts/papers/mika1998/published.csv"),
        usps=lambda wildcards: USPS_IMAGES if USPS and wildcards.version else [],
        code=PAPERS_CODE,
    output:
        reported(
            "papers/mika1998/table{version}.csv",
            "Published results",
            "Mika et al. 1998{version}",
            "papers/mika1998/caption",
        ),
    log:
        results("logs/paper_mika1998{version}.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
        draws=lambda wildcards: 100 if wildcards.version else 6,
    script:
        "../scripts/papers/mika1998/table.py"


rule paper_overview:
    input:
        tables=[
            shipped(Path(path).with_name("tables.csv"))
            for path in sorted(ROOT.glob("workflow/scripts/papers/*/published.csv"))
        ],
        published=PUBLISHED,
        ours=expand(results("papers/{name}/table{{version}}.csv"), name=PAPER_NAMES),
        code=modules("workflow/scripts/papers/*.py"),
    output:
        overview=reported(
            "papers/overview{version}.csv",
            "Published results",
            "overview: cells reproduced{version}",
            "papers/papers_overview",
        ),
        cells=results("papers/cells{version}.csv"),
    log:
        results("logs/paper_overview{version}.log"),
    conda:
        ENVIRONMENT
    script:
        "../scripts/papers/overview.py"


VERSIONED = [
    *(results(f"papers/{name}/table{{version}}.csv") for name in PAPER_NAMES),
    *(results(f"papers/{name}{{version}}.csv") for name in ("overview", "cells")),
]
PAPERS = expand(VERSIONED, version="")


# Quick and complete versions of all tables, and the figures of the papers.
rule papers:
    input:
        expand(VERSIONED, version=["", "_whole"]),
        rules.linear_figures.output.sparse_loadings,
        rules.scholkopf_figures.output,
    localrule: True
