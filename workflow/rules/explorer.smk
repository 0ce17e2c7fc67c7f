"""The page to explore the fits of the sweep, to which the page of the run leads."""


rule explorer:
    input:
        **fitted(ROWS),
        **table("scores", "decisions"),
        templates=page_templates,
    output:
        results("report/explorer.html"),
    log:
        results("logs/explorer.log"),
    resources:
        mem_mb=growing(2000),
    params:
        points=POINTS,
        origin=ORIGIN,
        code=script_code("page/write_explorer"),
    script:
        "../scripts/page/write_explorer.py"


EXPLORER = [] if QUICK or not ROWS else rules.explorer.output
if not ROWS and workflow.is_main_process:
    logger.info("no explorer: a kernel matrix has no rows that could be shown")
