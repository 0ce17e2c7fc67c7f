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
            code=script_code("input_space/denoising_table"),
        script:
            "../scripts/input_space/denoising_table.py"


rule denoised_curves_table:
    output:
        results("tables/denoised_curves.csv"),
    log:
        results("logs/denoised_curves_table.log"),
    conda:
        ENVIRONMENT
    params:
        arguments={name: DENOISING[name] for name in ("seed", "replicates")},
        code=script_code("input_space/denoised_curves_table"),
    script:
        "../scripts/input_space/denoised_curves_table.py"


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
        code=script_code("input_space/inflation_tables"),
    script:
        "../scripts/input_space/inflation_tables.py"


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
        code=script_code("input_space/novelty_tables"),
    script:
        "../scripts/input_space/novelty_tables.py"


PLANE = [name for name, spec in DATASETS.items() if in_the_plane(spec)]
INPUT_PLOTS = {
    "denoised_curves": {
        "title": "de-noised curves",
        "input": {"curves": results("tables/denoised_curves.csv")},
        "arguments": SEED,
    },
    "inflation": {
        "title": "variance inflation",
        "input": {
            "ratios": results("tables/inflation.csv"),
            "gains": results("tables/inflation_gains.csv"),
        },
        "arguments": {},
    },
    "novelty_roc": {
        "title": "novelty: ROC curves",
        "input": {
            "areas": results("tables/novelty.csv"),
            "curves": results("tables/novelty_curves.csv"),
        },
        "arguments": {},
    },
    "novelty_boundary": {
        "title": "novelty: decision boundaries",
        "input": {},
        "arguments": SEED,
    },
    "importance": {
        "title": "what the components read",
        "input": {},
        "arguments": SEED,
    },
    "scholkopf_parabola": {
        "study": "papers/scholkopf1998",
        "title": "polynomial components of a parabola",
        "input": {},
        "arguments": SEED,
    },
    "scholkopf_clusters": {
        "study": "papers/scholkopf1998",
        "title": "Gaussian components of three clusters",
        "input": {},
        "arguments": SEED,
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
        },
        name.replace("denoising", "denoised_images"): drawn_from
        | {
            "script": "denoised_images",
            "title": f"de-noised {what}",
        },
    }
INPUT_FIGURES = plan(INPUT_PLOTS, "input_space", "Input space")

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
    "input_space",
    "Input space",
)
