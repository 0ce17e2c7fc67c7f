"""The page of the run, which is written last: what came out, in one file."""


rule page:
    input:
        made=lambda wildcards: MADE,
        sources=page_sources,
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
