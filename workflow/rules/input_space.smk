"""Back to the input space: de-noising, variance inflation, novelty, level lines of components."""

import csv

DENOISING = {
    "seed": CONFIG["seed"],
    "replicates": 5,
    "n_train": 600,
    "n_test": 200,
    "n_components": [1, 4, 16, 32, 64, 128, 256],
    "multiples": [0.1, 0.3, 1, 3],
}
INFLATION = {
    "seed": CONFIG["seed"],
    "replicates": 10,
    "n_train": 200,
    "n_test": 200,
    "n_components": 32,
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


rule denoising_tables:
    output:
        digits=results("tables/denoising.csv"),
        curves=results("tables/denoised_curves.csv"),
    log:
        results("logs/denoising_tables.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        arguments=DENOISING,
        code=fingerprint(f"{STUDY}.denoising", f"{STUDY}.curves"),
    script:
        "../scripts/denoising_tables.py"


rule inflation_tables:
    output:
        ratios=results("tables/inflation.csv"),
        accuracy=results("tables/inflation_accuracy.csv"),
    log:
        results("logs/inflation_tables.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
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
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        arguments=NOVELTY,
        code=fingerprint(f"{STUDY}.novelty"),
    script:
        "../scripts/novelty_tables.py"


def in_the_plane(spec):
    """Return whether a dataset has, or may turn out to have, two columns."""
    if "generator" in spec:
        return spec["generator"] != "swiss_roll"
    if "features" in spec:
        return len(spec["features"]) == 2
    if str(spec.get("path", "")).endswith(".csv"):
        with Path(spec["path"]).open(newline="") as file:
            names = len(next(csv.reader(file), []))
        return names - len({"label", "group", "target"} & set(spec)) == 2
    return "sklearn" not in spec and not spec.get("kernel_matrix")


PLANE = [name for name, spec in DATASETS.items() if in_the_plane(spec)]
INPUT_PLOTS = {
    "denoised_images": {
        "title": "de-noised digits",
        "input": {"digits": results("tables/denoising.csv")},
        "arguments": DENOISING,
        "study": "denoising",
    },
    "denoising": {
        "title": "error of de-noised digits",
        "input": {"digits": results("tables/denoising.csv")},
        "arguments": DENOISING,
        "study": "looks",
    },
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
            "accuracy": results("tables/inflation_accuracy.csv"),
        },
        "arguments": INFLATION,
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
    "contours": {
        "title": "level lines of the components",
        "input": stores(PLANE),
        "arguments": {"points": POINTS},
        "study": "toy",
    },
}


for name, plot in INPUT_PLOTS.items():

    rule:
        name:
            f"figure_{name}"
        input:
            **plot["input"],
        output:
            report(
                results(f"figures/{name}.svg"),
                caption=f"../report/{name}.rst",
                category="Input space",
                labels={"figure": plot["title"]},
            ),
            results(f"figures/{name}.png"),
        log:
            results(f"logs/figures/{name}.log"),
        conda:
            ENVIRONMENT
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            script=name,
            arguments=plot["arguments"],
            code=fingerprint(
                f"{STUDY}.looks",
                f"{STUDY}.{plot['study']}",
                "kpca.pipeline.contours",
                "kpca.pipeline.shown",
                "kpca.sensitivity",
            ),
        script:
            "../scripts/figure_{params.script}.py"


# One's own data in the plane get their level lines without being asked for.
CONTOURS = drawn("contours") if PLANE else []
INPUT_FIGURES = [
    path for name in INPUT_PLOTS if name != "contours" for path in drawn(name)
]
