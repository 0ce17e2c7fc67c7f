"""The page of the run, which is written last: what came out, in one file."""


rule page:
    input:
        made=lambda wildcards: MADE,
        sources=page_sources,
    output:
        results("report/index.html"),
    log:
        results("logs/page.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing(2000),
    params:
        folder=lambda wildcards: CONFIG["results"],
        figures=shown_figures,
        finished=finished_calibration,
        code=script_code("page/write_page"),
    script:
        "../scripts/page/write_page.py"
