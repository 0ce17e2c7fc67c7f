"""Figures: one rule for every plot that was planned, in two formats and with a caption."""

for name, plot in DRAWN.items():

    rule:
        name:
            f"figure_{name}"
        input:
            plot["files"],
            **plot["tables"],
        output:
            report(
                results(f"figures/{name}.svg"),
                caption=f"../scripts/{plot['study']}/{name.removesuffix('_whole')}.rst",
                category=plot["category"],
                labels={"figure": plot["title"]},
            ),
            results(f"figures/{name}.png"),
        log:
            results(f"logs/figures/{name}.log"),
        conda:
            ENVIRONMENT
        params:
            script=plot["script"],
            arguments=plot["arguments"],
            origin=ORIGIN if "fits" in plot["tables"] else "",
            code=script_code(plot["script"]),
        script:
            "../scripts/{params.script}.py"
