"""The page of the run, the page to explore its fits, and the crate, which is written last."""


rule explorer:
    input:
        page_templates,  # an edit of one writes the page anew
        **fitted(ROWS),
        **table("scores", "decisions"),
    output:
        results("report/explorer.html"),
    log:
        results("logs/explorer.log"),
    resources:
        mem_mb=growing(2000),
    params:
        points=POINTS,
        input_digest=INPUT_DIGEST,
        code=script_code("page/write_explorer"),
    script:
        "../scripts/page/write_explorer.py"


EXPLORER = [] if QUICK or not ROWS else rules.explorer.output
if not ROWS and workflow.is_main_process:
    logger.info("no explorer: a kernel matrix has no rows that could be shown")


rule page:
    input:
        page_sources,
        made=lambda wildcards: MADE,
    output:
        results("report/index.html"),
    log:
        results("logs/page.log"),
    resources:
        mem_mb=growing(2000),
    params:
        figures=shown_figures,
        roles={
            name: {
                role: str(spec[role])
                for role in ("id", "label", "target", "group")
                if role in spec
            }
            for name, spec in DATASETS.items()
        },
        finished=lambda wildcards: [
            str(Path(file).relative_to(config["results"]))
            for file in finished_calibration(wildcards)
        ],
        code=script_code("page/write_page"),
    script:
        "../scripts/page/write_page.py"


rule crate:
    input:
        made=lambda wildcards: [*MADE, *rules.page.output],
        snakefile=str(ROOT / "Snakefile"),
    output:
        results("ro-crate-metadata.json"),
        results("workflow/Snakefile"),
    log:
        results("logs/crate.log"),
    resources:
        mem_mb=growing(2000),
    params:
        config=GIVEN,
        code=script_code("page/write_crate"),
    script:
        "../scripts/page/write_crate.py"
