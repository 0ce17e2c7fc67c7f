"""Back to the input space: de-noising and novelty."""


rule denoising_table:
    output:
        results("tables/denoising.csv"),
    log:
        results("logs/denoising_table.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("input_space/denoising"),
    script:
        "../scripts/input_space/denoising.py"


rule denoising:
    input:
        digits=results("tables/denoising.csv"),
    output:
        figure("input_space/denoising", "Input space", "error of de-noised digits"),
    log:
        results("logs/figures/denoising.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("input_space/figure_denoising"),
    script:
        "../scripts/input_space/figure_denoising.py"


rule denoised_images:
    input:
        digits=results("tables/denoising.csv"),
    output:
        figure("input_space/denoised_images", "Input space", "de-noised digits"),
    log:
        results("logs/figures/denoised_images.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("input_space/figure_denoised_images"),
    script:
        "../scripts/input_space/figure_denoised_images.py"


rule denoising_usps_table:
    input:
        USPS_IMAGES,
    output:
        results("tables/denoising_usps.csv"),
    log:
        results("logs/denoising_usps_table.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        usps=USPS,
        code=script_code("input_space/denoising"),
    script:
        "../scripts/input_space/denoising.py"


rule denoising_usps:
    input:
        digits=results("tables/denoising_usps.csv"),
    output:
        figure(
            "input_space/denoising_usps",
            "Input space",
            "error of de-noised USPS digits",
        ),
    log:
        results("logs/figures/denoising_usps.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("input_space/figure_denoising"),
    script:
        "../scripts/input_space/figure_denoising.py"


rule denoised_images_usps:
    input:
        USPS_IMAGES,
        digits=results("tables/denoising_usps.csv"),
    output:
        figure(
            "input_space/denoised_images_usps", "Input space", "de-noised USPS digits"
        ),
    log:
        results("logs/figures/denoised_images_usps.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        usps=USPS,
        code=script_code("input_space/figure_denoised_images"),
    script:
        "../scripts/input_space/figure_denoised_images.py"


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


rule denoised_curves:
    input:
        curves=results("tables/denoised_curves.csv"),
    output:
        figure("input_space/denoised_curves", "Input space", "de-noised curves"),
    log:
        results("logs/figures/denoised_curves.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("input_space/figure_denoised_curves"),
    script:
        "../scripts/input_space/figure_denoised_curves.py"


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


rule novelty_roc:
    input:
        areas=results("tables/novelty.csv"),
        curves=results("tables/novelty_curves.csv"),
    output:
        figure("input_space/novelty_roc", "Input space", "novelty: ROC curves"),
    log:
        results("logs/figures/novelty_roc.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("input_space/figure_novelty_roc"),
    script:
        "../scripts/input_space/figure_novelty_roc.py"


rule novelty_boundary:
    output:
        figure(
            "input_space/novelty_boundary",
            "Input space",
            "novelty: decision boundaries",
        ),
    log:
        results("logs/figures/novelty_boundary.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("input_space/figure_novelty_boundary"),
    script:
        "../scripts/input_space/figure_novelty_boundary.py"


TARGETS["input_space"] = [
    rules.denoising_table.output,
    rules.denoised_curves_table.output,
    rules.novelty_tables.output,
    *drawn("denoising", "denoised_images", "denoised_curves"),
    *drawn("novelty_roc", "novelty_boundary"),
    *drawn("scholkopf_parabola", "scholkopf_clusters"),
]
if USPS:
    TARGETS["input_space"] += [
        rules.denoising_usps_table.output,
        *drawn("denoising_usps", "denoised_images_usps"),
    ]
