"""Back to the input space: de-noising, variance inflation, novelty, level lines of components."""

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
        gains=results("tables/inflation_gains.csv"),
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
for plot in INPUT_PLOTS.values():
    plot["code"] = fingerprint(
        f"{STUDY}.looks",
        f"{STUDY}.{plot['study']}",
        "kpca.pipeline.contours",
        "kpca.pipeline.shown",
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
    fingerprint("kpca.pipeline.contours", "kpca.pipeline.shown"),
    "Input space",
)
