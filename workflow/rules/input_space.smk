"""Back to the input space: de-noising, novelty, level lines of components."""

# Table of de-noised images: the same study of other images.
DENOISED = {"denoising": {"seed": CONFIG["seed"]}}
if USPS:
    DENOISED["denoising_usps"] = DENOISED["denoising"] | {"usps": USPS}


for name, arguments in DENOISED.items():

    rule:
        name:
            f"{name}_table"
        input:
            USPS_FILES if "usps" in arguments else [],
        output:
            results(f"tables/{name}.csv"),
        log:
            results(f"logs/{name}_table.log"),
        conda:
            ENVIRONMENT
        params:
            arguments=arguments,
            code=script_code("input_space/denoising"),
        script:
            "../scripts/input_space/denoising.py"


rule denoised_curves_table:
    output:
        results("tables/denoised_curves.csv"),
    log:
        results("logs/denoised_curves_table.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("input_space/curves"),
    script:
        "../scripts/input_space/curves.py"


rule novelty_tables:
    output:
        areas=results("tables/novelty.csv"),
        curves=results("tables/novelty_curves.csv"),
    log:
        results("logs/novelty_tables.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("input_space/novelty"),
    script:
        "../scripts/input_space/novelty.py"


of_input_space = partial(plan, "input_space", "Input space")
of_figures_3_and_4 = partial(plan, "papers/scholkopf1998", "Input space")
PLANE = [name for name, spec in DATASETS.items() if in_the_plane(spec)]
INPUT_FIGURES = [
    *of_input_space(
        "denoised_curves",
        "de-noised curves",
        {"curves": results("tables/denoised_curves.csv")},
        seed=CONFIG["seed"],
    ),
    *of_input_space(
        "novelty_roc",
        "novelty: ROC curves",
        {
            "areas": results("tables/novelty.csv"),
            "curves": results("tables/novelty_curves.csv"),
        },
    ),
    *of_input_space(
        "novelty_boundary", "novelty: decision boundaries", seed=CONFIG["seed"]
    ),
    *of_figures_3_and_4(
        "scholkopf_parabola", "polynomial components of a parabola", seed=CONFIG["seed"]
    ),
    *of_figures_3_and_4(
        "scholkopf_clusters",
        "Gaussian components of three clusters",
        seed=CONFIG["seed"],
    ),
]
for name, arguments in DENOISED.items():
    what = "USPS digits" if "usps" in arguments else "digits"
    digits = {"digits": results(f"tables/{name}.csv")}
    INPUT_FIGURES += of_input_space(
        name, f"error of de-noised {what}", digits, script="denoising"
    )
    INPUT_FIGURES += of_input_space(
        name.replace("denoising", "denoised_images"),
        f"de-noised {what}",
        digits,
        script="denoised_images",
        files=USPS_FILES if "usps" in arguments else [],
        **arguments,
    )

# One's own data in the plane get their level lines without being asked for.
FIGURES += of_input_space(
    "contours",
    "level lines of the components",
    stores(PLANE),
    points=POINTS,
    when=PLANE,
)
