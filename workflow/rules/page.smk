"""The page of the run, the explorer of its fits, and the crate, which is written last."""

EXPLORED = ROWS and not QUICK
if not ROWS and workflow.is_main_process:
    logger.info("no explorer: a kernel matrix has no rows that could be shown")

# Study → its targets in `all`.
OF_STUDIES = {
    "linear": LINEAR,
    "input_space": INPUT_SPACE,
    "papers": PAPERS,
    "claims": CLAIMS,
    "large_n": LARGE_N,
    "own_data": OWN_DATA,
    "calibration": CALIBRATION,
    "embeddings": EMBEDDINGS,
}
# Tables and figures that the run makes.
MADE = [*rules.tables.output, *rules.decisions.output, *rules.models.output]
MADE += rules.by_components.output if ANSWERED else []
MADE += [*rules.provenance.output, *SWEEP_FIGURES, *CHOICE_TARGETS]
MADE += [path for study in STUDIES for path in OF_STUDIES[study]]
UNSEEN = (rules.tables.output.variance_rule, rules.tables.output.selected)
# Files that the page shows, or whose paths it names.
SHOWN = [file for file in MADE if not file.endswith(".png") and file not in UNSEEN]
# These intermediate files are targets, because Snakemake does not recreate deleted ones otherwise.
STORES = [results(f"{kind}/{name}.npz") for kind in ("datasets", "classified") for name in DATASETS]
STORES += [results(f"clustered/{name}.npz") for name in CLUSTERED]
STORES += [results(f"scores/{name}/{table}.csv") for name in DATASETS for table in SCORED]


rule explorer:
    input:
        **fitted(ROWS),
        **table("scores", "decisions"),
        sources=TEMPLATES,
        code=[*DRAWING, *modules("workflow/page/*.py")],
    output:
        results("report/explorer.html"),
    log:
        results("logs/explorer.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
    params:
        points=POINTS,
    script:
        "../scripts/page/write_explorer.py"


rule lesson:
    input:
        decisions=results("tables/decisions.csv"),
        sources=TEMPLATES,
        code=modules("workflow/page/*.py"),
    output:
        results("report/lesson.html"),
    log:
        results("logs/lesson.log"),
    conda:
        ENVIRONMENT
    script:
        "../scripts/page/write_lesson.py"


rule page:
    input:
        made=SHOWN,
        pages=[*(rules.explorer.output if EXPLORED else []), *rules.lesson.output],
        sources=page_sources,
        code=[*DRAWING, *modules("workflow/page/*.py", "workflow/populations.py")],
    output:
        results("report/index.html"),
        results("report/results.md"),
    log:
        results("logs/page.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
    params:
        figures=shown_figures,
        finished=finished_calibration,
    script:
        "../scripts/page/write_page.py"


rule crate:
    input:
        made=[*STORES, *MADE, *rules.page.input.pages, *rules.page.output],
        snakefile=shipped("Snakefile"),
        code=modules("workflow/crate.py"),
    output:
        results("ro-crate-metadata.json"),
        results("workflow/Snakefile"),
    log:
        results("logs/crate.log"),
    conda:
        ENVIRONMENT
    params:
        config=GIVEN,
    script:
        "../scripts/page/write_crate.py"
