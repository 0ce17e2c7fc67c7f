"""Figures of the input space: denoised digits, and level lines in the plane."""

INPUT_SPACE_CODE = [*CORE, *modules("workflow/scripts/input_space/*.py")]


rule denoising_table:
    input:
        code=INPUT_SPACE_CODE,
    output:
        results("tables/denoising.csv"),
    log:
        results("logs/denoising_table.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/input_space/denoising.py"


rule input_space_figures:
    input:
        digits=results("tables/denoising.csv"),
        code=[*INPUT_SPACE_CODE, *DRAWING],
    output:
        **drawn(
            "Input space",
            "input_space",
            {
                "figures/denoising.svg": "error of de-noised digits",
                "figures/denoised_images.svg": "de-noised digits",
            },
        ),
    log:
        results("logs/figures/input_space.log"),
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/input_space/figures.py"


rule scholkopf_figures:
    """Figures 3 and 4 of Schölkopf, Smola and Müller (1998)."""
    input:
        code=[
            *CORE,
            *modules("kpca/study/datasets/generators.py"),
            *modules("workflow/scripts/papers/scholkopf1998/*.py"),
            *DRAWING,
        ],
    output:
        **drawn(
            "Input space",
            "papers/scholkopf1998",
            {
                "figures/scholkopf_parabola.svg": "polynomial components of a parabola",
                "figures/scholkopf_clusters.svg": "Gaussian components of three clusters",
            },
        ),
    log:
        results("logs/figures/scholkopf.log"),
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/papers/scholkopf1998/level_lines.py"


INPUT_SPACE = [*rules.denoising_table.output, *rules.input_space_figures.output]
INPUT_SPACE += rules.scholkopf_figures.output
