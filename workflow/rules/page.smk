"""The page of the run, the page to explore its fits, and the crate, which is written last."""

EXPLORED = ROWS and not QUICK
if not ROWS and workflow.is_main_process:
    logger.info("no explorer: a kernel matrix has no rows that could be shown")

# An edit of `sources`, which the scripts do not import, writes a page anew.
PAGES = {
    "explorer": study_table(
        "write_explorer",
        results("report/explorer.html"),
        fitted(ROWS) | table("scores", "decisions") | {"sources": TEMPLATES},
        shown=EXPLORED,
        points=POINTS,
        input_digest=INPUT_DIGEST,
    ),
    "lesson": study_table(
        "write_lesson",
        results("report/lesson.html"),
        table("decisions") | {"sources": TEMPLATES},
    ),
    "page": study_table(
        "write_page",
        results("report/index.html"),
        {"sources": page_sources, "made": lambda wildcards: MADE},
        shown=False,
        figures=shown_figures,
        finished=finished_calibration,
    ),
    "crate": study_table(
        "write_crate",
        [
            results("ro-crate-metadata.json"),
            results("workflow/Snakefile"),
        ],
        {
            "made": lambda wildcards: [*MADE, *rules.page.output],
            "snakefile": shipped("Snakefile"),
        },
        shown=False,
        config=GIVEN,
    ),
}
add_study("page", PAGES)
