"""Published tables beside ours: quick in `all`, and as `…_whole` by `snakemake papers`."""

# A folder a paper: protocol.md, published.csv, tables.csv (the lines of the overview), caption.rst.
PUBLISHED = [shipped(path) for path in sorted(ROOT.glob("workflow/scripts/papers/*/published.csv"))]
PAPER_NAMES = [Path(path).parent.name for path in PUBLISHED]
# By degree of the kernel and drawn subset; without smoothing it is another table.
TABLE1_ERRORS = results("papers/scholkopf1998/errors/{images}_{degree}_{subset}.csv")
TABLE1 = {
    "": expand(TABLE1_ERRORS, images="smoothed", degree=[3, 5], subset=range(3)),
    "_whole": [
        *expand(TABLE1_ERRORS, images="smoothed", degree=range(1, 8), subset=range(10)),
        *expand(TABLE1_ERRORS, images="plain", degree=4, subset=range(10)),
    ],
}


# "" is the quick version, and "_whole" that of `snakemake papers`.
wildcard_constraints:
    version="|_whole",


def paper(name, title, inputs, **params):
    """Return the job that writes the table of a paper, quick or whole."""
    table, caption = f"papers/{name}/table{{version}}.csv", f"papers/{name}/caption"
    shown = reported(table, "Published results", f"{title}{{version}}", caption)
    inputs = {"published": shipped(f"workflow/scripts/papers/{name}/published.csv")} | inputs
    return study_table(f"{name}/table", shown, inputs, **params)


PAPERS_TABLES = {
    "paper_zou2006": paper(
        "zou2006", "Zou, Hastie and Tibshirani 2006", {"correlations": PITPROPS}
    ),
    "paper_scholkopf1998_errors": study_table(
        "scholkopf1998/usps_errors",
        TABLE1_ERRORS,
        {"usps": USPS_IMAGES},
        seed=SEED,
        images=lambda wildcards: wildcards.images,
        degree=lambda wildcards: int(wildcards.degree),
        subset=lambda wildcards: int(wildcards.subset),
    ),
    "paper_scholkopf1998": paper(
        "scholkopf1998",
        "Schölkopf, Smola and Müller 1998",
        {"errors": lambda wildcards: TABLE1[wildcards.version] if USPS else []},
        seed=SEED,
    ),
    "paper_mika1998": paper(
        "mika1998",
        "Mika et al. 1998",
        {"usps": lambda wildcards: USPS_IMAGES if USPS and wildcards.version else []},
        seed=SEED,
        draws=lambda wildcards: 100 if wildcards.version else 6,
    ),
    "paper_overview": study_table(
        "overview",
        {
            "overview": reported(
                "papers/overview{version}.csv",
                "Published results",
                "overview: cells reproduced{version}",
                "papers/papers_overview",
            ),
            "cells": results("papers/cells{version}.csv"),
        },
        {
            "tables": [shipped(Path(path).with_name("tables.csv")) for path in PUBLISHED],
            "published": PUBLISHED,
            "ours": expand(results("papers/{name}/table{{version}}.csv"), name=PAPER_NAMES),
        },
    ),
}
# What the paper shows in the plane, which the study of the input space draws.
plane_figure = partial(figure, "Input space", script="level_lines", params={"seed": SEED})
SCHOLKOPF_PLANE = {
    "scholkopf_parabola": plane_figure("polynomial components of a parabola"),
    "scholkopf_clusters": plane_figure("Gaussian components of three clusters"),
}
add_study("papers", PAPERS_TABLES)
add_study("papers/scholkopf1998", {}, SCHOLKOPF_PLANE)

VERSIONED = [str(path) for path in tables_of(PAPERS_TABLES) if "{version}" in path]
TARGETS["papers"] = expand(VERSIONED, version="") + (TABLE1[""] if USPS else [])
# The whole of what is quick in the default run, and what the papers show as figures.
whole = expand(VERSIONED, version="_whole")
add_target("papers", TARGETS["papers"] + whole + drawn("sparse_loadings", *SCHOLKOPF_PLANE))
