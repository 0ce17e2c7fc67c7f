"""Back to the input space: de-noising, variance inflation, novelty, level lines of components."""

DENOISING = {
    "seed": CONFIG["seed"],
    "replicates": 5,
    "n_train": 600,
    "n_test": 200,
    "n_components": [1, 4, 16, 32, 64, 128, 256],
    "multiples": [0.1, 0.3, 1, 3],
    "usps": None,
}
# Table of de-noised images: the same study of other images.
DENOISED = {"denoising": DENOISING}
if USPS:
    DENOISED["denoising_usps"] = DENOISING | {"usps": USPS}
INFLATION = {
    "seed": CONFIG["seed"],
    "replicates": 6,
    "n_train": 200,
    "n_test": 99,
    "n_components": [4, 16, 32],
    "multiples": [0.1, 0.3, 1, 3, 10, 30],
}
NOVELTY = {
    "seed": CONFIG["seed"],
    "replicates": 5,
    "n_novel": 400,
    "multiples": [0.1, 0.3, 1, 3, 10],
}
SEED = {"seed": CONFIG["seed"]}
STUDY = "kpca.pipeline.studies.input_space"


for name, arguments in DENOISED.items():

    rule:
        name:
            f"{name}_table"
        input:
            **(usps_files(USPS) if arguments["usps"] else {}),
        output:
            results(f"tables/{name}.csv"),
        log:
            results(f"logs/{name}_table.log"),
        conda:
            ENVIRONMENT
        params:
            arguments=arguments,
            code=fingerprint(f"{STUDY}.denoising"),
        script:
            "../scripts/denoising_table.py"


rule denoised_curves_table:
    output:
        results("tables/denoised_curves.csv"),
    log:
        results("logs/denoised_curves_table.log"),
    conda:
        ENVIRONMENT
    params:
        arguments={name: DENOISING[name] for name in ("seed", "replicates")},
        code=fingerprint(f"{STUDY}.curves"),
    script:
        "../scripts/denoised_curves_table.py"


rule inflation_tables:
    output:
        ratios=results("tables/inflation.csv"),
        gains=results("tables/inflation_gains.csv"),
    log:
        results("logs/inflation_tables.log"),
    conda:
        ENVIRONMENT
    params:
        arguments=INFLATION,
        code=fingerprint(f"{STUDY}.inflation"),
    script:
        "../scripts/inflation_tables.py"


rule novelty_tables:
    output:
        areas=results("tables/novelty.csv"),
        curves=results("tables/novelty_curves.csv"),
    log:
        results("logs/novelty_tables.log"),
    conda:
        ENVIRONMENT
    params:
        arguments=NOVELTY,
        code=fingerprint(f"{STUDY}.novelty"),
    script:
        "../scripts/novelty_tables.py"


PLANE = [name for name, spec in DATASETS.items() if in_the_plane(spec)]
INPUT_PLOTS = {
    "denoised_curves": {
        "title": "de-noised curves",
        "input": {"curves": results("tables/denoised_curves.csv")},
        "arguments": SEED,
        "study": "curves",
    },
    "inflation": {
        "title": "variance inflation",
        "input": {
            "ratios": results("tables/inflation.csv"),
            "gains": results("tables/inflation_gains.csv"),
        },
        "arguments": {},
        "study": "looks",
    },
    "novelty_roc": {
        "title": "novelty: ROC curves",
        "input": {
            "areas": results("tables/novelty.csv"),
            "curves": results("tables/novelty_curves.csv"),
        },
        "arguments": {},
        "study": "looks",
    },
    "novelty_boundary": {
        "title": "novelty: decision boundaries",
        "input": {},
        "arguments": SEED,
        "study": "boundaries",
    },
    "importance": {
        "title": "what the components read",
        "input": {},
        "arguments": SEED,
        "study": "toy",
    },
    "scholkopf_parabola": {
        "title": "polynomial components of a parabola",
        "input": {},
        "arguments": SEED,
        "study": "toy",
    },
    "scholkopf_clusters": {
        "title": "Gaussian components of three clusters",
        "input": {},
        "arguments": SEED,
        "study": "toy",
    },
}
for name, arguments in DENOISED.items():
    what = "USPS digits" if arguments["usps"] else "digits"
    images = usps_files(USPS) if arguments["usps"] else {}
    drawn_from = {
        "input": {"digits": results(f"tables/{name}.csv"), **images},
        "arguments": arguments,
    }
    INPUT_PLOTS |= {
        name: drawn_from
        | {
            "script": "denoising",
            "title": f"error of de-noised {what}",
            "study": "looks",
        },
        name.replace("denoising", "denoised_images"): drawn_from
        | {
            "script": "denoised_images",
            "title": f"de-noised {what}",
            "study": "denoising",
        },
    }
for plot in INPUT_PLOTS.values():
    plot["code"] = fingerprint(
        f"{STUDY}.looks",
        f"{STUDY}.{plot['study']}",
        "pipeline.drawing.contours",
        "pipeline.drawing.shown",
        "kpca.sensitivity",
    )
INPUT_FIGURES = plan(INPUT_PLOTS, None, "Input space")

# One's own data in the plane get their level lines without being asked for.
CONTOURS = {
    "contours": {
        "title": "level lines of the components",
        "input": stores(PLANE),
        "arguments": {"points": POINTS},
        "when": PLANE,
    }
}
FIGURES += plan(
    CONTOURS,
    fingerprint("pipeline.drawing.contours", "pipeline.drawing.shown"),
    "Input space",
)
