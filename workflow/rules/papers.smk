"""Published tables beside ours: quick in `all`, and as `…_whole` by `snakemake papers`."""

# A folder a paper: protocol.md, published.csv, tables.csv (the lines of the overview), caption.rst.
PAPERS_FOLDER = beside_snakefile("workflow/scripts/papers")
PAPER_NAMES = sorted(
    path.parent.name for path in Path(PAPERS_FOLDER).glob("*/published.csv")
)
PAPER_TABLES = {name: results(f"papers/{name}/table.csv") for name in PAPER_NAMES}
# Only Table 1 of Schölkopf et al. (1998) has a quick version and a whole one.
WHOLE_TABLES = PAPER_TABLES | {
    "scholkopf1998": results("papers/scholkopf1998/table_whole.csv")
}
# By degree of the kernel and drawn subset; without smoothing it is another table.
TABLE1_ERRORS = results("papers/scholkopf1998/errors/{images}_{degree}_{subset}.csv")
TABLE1_QUICK = expand(TABLE1_ERRORS, images="smoothed", degree=[3, 5], subset=range(3))
TABLE1_WHOLE = [
    *expand(TABLE1_ERRORS, images="smoothed", degree=range(1, 8), subset=range(10)),
    *expand(TABLE1_ERRORS, images="plain", degree=4, subset=range(10)),
]


rule paper_zou2006:
    input:
        published=f"{PAPERS_FOLDER}/zou2006/published.csv",
        correlations=f"{PAPERS_FOLDER}/zou2006/pitprops.csv",
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


rule scholkopf_parabola:
    output:
        figure(
            "papers/scholkopf1998/scholkopf_parabola",
            "Input space",
            "polynomial components of a parabola",
        ),
    log:
        results("logs/figures/scholkopf_parabola.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("papers/scholkopf1998/figure_scholkopf_parabola"),
    script:
        "../scripts/papers/scholkopf1998/figure_scholkopf_parabola.py"


rule scholkopf_clusters:
    output:
        figure(
            "papers/scholkopf1998/scholkopf_clusters",
            "Input space",
            "Gaussian components of three clusters",
        ),
    log:
        results("logs/figures/scholkopf_clusters.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("papers/scholkopf1998/figure_scholkopf_clusters"),
    script:
        "../scripts/papers/scholkopf1998/figure_scholkopf_clusters.py"


rule paper_scholkopf1998_errors:
    input:
        USPS_IMAGES,
    output:
        TABLE1_ERRORS,
    log:
        results("logs/papers/scholkopf1998_errors/{images}_{degree}_{subset}.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing(2000),
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
        errors=TABLE1_QUICK if USPS else [],
    output:
        report(
            results("papers/scholkopf1998/table.csv"),
            caption="../scripts/papers/scholkopf1998/caption.rst",
            category="Published results",
            labels={"table": "Schölkopf, Smola and Müller 1998"},
        ),
    log:
        results("logs/papers/scholkopf1998.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("papers/scholkopf1998/table1"),
    script:
        "../scripts/papers/scholkopf1998/table1.py"


rule scholkopf_table1:
    input:
        USPS_IMAGES,  # without them there is no Table 1 to draw
        table=results("papers/scholkopf1998/table.csv"),
    output:
        figure(
            "papers/scholkopf1998/scholkopf_table1",
            "Published results",
            "test errors on the USPS digits",
        ),
    log:
        results("logs/figures/scholkopf_table1.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("papers/scholkopf1998/figure_scholkopf_table1"),
    script:
        "../scripts/papers/scholkopf1998/figure_scholkopf_table1.py"


rule paper_overview:
    input:
        tables=expand(f"{PAPERS_FOLDER}/{{name}}/tables.csv", name=PAPER_NAMES),
        published=expand(f"{PAPERS_FOLDER}/{{name}}/published.csv", name=PAPER_NAMES),
        ours=PAPER_TABLES.values(),
    output:
        overview=report(
            results("papers/overview.csv"),
            caption="../scripts/papers/papers_overview.rst",
            category="Published results",
            labels={"table": "overview: cells reproduced"},
        ),
        cells=results("papers/cells.csv"),
    log:
        results("logs/papers/overview.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("papers/overview"),
    script:
        "../scripts/papers/overview.py"


rule papers_published:
    input:
        overview=results("papers/overview.csv"),
        cells=results("papers/cells.csv"),
    output:
        figure(
            "papers/papers_published",
            "Published results",
            "published numbers within our intervals",
        ),
    log:
        results("logs/figures/papers_published.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("papers/figure_papers_published"),
    script:
        "../scripts/papers/figure_papers_published.py"


rule paper_scholkopf1998_whole:
    input:
        published=f"{PAPERS_FOLDER}/scholkopf1998/published.csv",
        figures=results("papers/scholkopf1998/figures.csv"),
        errors=TABLE1_WHOLE if USPS else [],
    output:
        report(
            results("papers/scholkopf1998/table_whole.csv"),
            caption="../scripts/papers/scholkopf1998/caption.rst",
            category="Published results",
            labels={"table": "Schölkopf, Smola and Müller 1998, whole"},
        ),
    log:
        results("logs/papers/scholkopf1998_whole.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("papers/scholkopf1998/table1"),
    script:
        "../scripts/papers/scholkopf1998/table1.py"


rule scholkopf_table1_whole:
    input:
        USPS_IMAGES,  # without them there is no Table 1 to draw
        table=results("papers/scholkopf1998/table_whole.csv"),
    output:
        figure(
            "papers/scholkopf1998/scholkopf_table1",
            "Published results",
            "test errors on the USPS digits, whole",
            version="_whole",
        ),
    log:
        results("logs/figures/scholkopf_table1_whole.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("papers/scholkopf1998/figure_scholkopf_table1"),
    script:
        "../scripts/papers/scholkopf1998/figure_scholkopf_table1.py"


rule paper_overview_whole:
    input:
        tables=expand(f"{PAPERS_FOLDER}/{{name}}/tables.csv", name=PAPER_NAMES),
        published=expand(f"{PAPERS_FOLDER}/{{name}}/published.csv", name=PAPER_NAMES),
        ours=WHOLE_TABLES.values(),
    output:
        overview=report(
            results("papers/overview_whole.csv"),
            caption="../scripts/papers/papers_overview.rst",
            category="Published results",
            labels={"table": "overview, whole: cells reproduced"},
        ),
        cells=results("papers/cells_whole.csv"),
    log:
        results("logs/papers/overview_whole.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("papers/overview"),
    script:
        "../scripts/papers/overview.py"


rule papers_published_whole:
    input:
        overview=results("papers/overview_whole.csv"),
        cells=results("papers/cells_whole.csv"),
    output:
        figure(
            "papers/papers_published",
            "Published results",
            "published numbers within our intervals, whole",
            version="_whole",
        ),
    log:
        results("logs/figures/papers_published_whole.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("papers/figure_papers_published"),
    script:
        "../scripts/papers/figure_papers_published.py"


TARGETS["papers"] = [
    results("papers/scholkopf1998/figures.csv"),
    *PAPER_TABLES.values(),
    *rules.paper_overview.output,
    *drawn("papers_published"),
]
if USPS:
    TARGETS["papers"] += [
        *rules.paper_scholkopf1998.input.errors,
        *drawn("scholkopf_table1"),
    ]


rule papers:
    input:
        TARGETS["papers"],
        # The whole of what is quick in the default run, where its images are given.
        [
            results("papers/overview_whole.csv"),
            drawn("papers_published_whole", "scholkopf_table1_whole"),
        ]
        if USPS
        else [],
        # What the papers show as figures.
        drawn("scholkopf_parabola", "scholkopf_clusters", "sparse_loadings"),
    localrule: True
