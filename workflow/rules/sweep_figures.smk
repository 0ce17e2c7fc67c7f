"""Figures of the sweep, one rule per figure; `all` includes those for which the run has data."""

# Nonlinear kernels, and parameters of the bandwidth of which the grid has several values.
CURVED = [kernel for kernel in config["kernels"] if kernel != "linear"]
WIDTHS = [name for name in ("median", "gamma", "sigma") if LOADED.sweeps("rbf", name)]
RINGS = [name for name, spec in DATASETS.items() if spec.get("generator") == "rings"]
PLANE = LOADED.in_the_plane()


rule rings:
    input:
        **fitted(RINGS),
        scores=made_of("scores/{dataset}/scores.csv", RINGS),
        comparisons=made_of("scores/{dataset}/comparisons.csv", RINGS),
        code=DRAWING,
    output:
        svg=reported("figures/rings.svg", "Embeddings", "rings", "sweep_figures/rings"),
        png=results("figures/rings.png"),
    log:
        results("logs/figures/rings.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
    script:
        "../scripts/sweep_figures/figure_rings.py"


rule spectrum:
    input:
        **fitted(DATASETS),
        code=DRAWING,
    output:
        svg=reported(
            "figures/spectrum.svg",
            "Parameters",
            "how many components carry the variance",
            "sweep_figures/spectrum",
        ),
        png=results("figures/spectrum.png"),
    log:
        results("logs/figures/spectrum.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
    script:
        "../scripts/sweep_figures/figure_spectrum.py"


rule contours:
    input:
        **fitted(PLANE),
        code=DRAWING,
    output:
        svg=reported(
            "figures/contours.svg",
            "Input space",
            "level lines of the components",
            "sweep_figures/contours",
        ),
        png=results("figures/contours.png"),
    log:
        results("logs/figures/contours.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
    script:
        "../scripts/sweep_figures/figure_contours.py"


rule kernels:
    input:
        **table("scores", "datasets"),
        code=DRAWING,
    output:
        svg=reported(
            "figures/kernels.svg",
            "Parameters",
            "what the kernel and the number of components cost",
            "sweep_figures/kernels",
        ),
        png=results("figures/kernels.png"),
    log:
        results("logs/figures/kernels.log"),
    conda:
        ENVIRONMENT
    params:
        sizes=EVALUATION["n_components"],
    script:
        "../scripts/sweep_figures/figure_kernels.py"


rule gain:
    input:
        **table("comparisons"),
        code=DRAWING,
    output:
        svg=reported("figures/gain.svg", "Methods", "gains over PCA", "sweep_figures/gain"),
        png=results("figures/gain.png"),
    log:
        results("logs/figures/gain.log"),
    conda:
        ENVIRONMENT
    params:
        clustering=False,
    script:
        "../scripts/sweep_figures/figure_comparison.py"


use rule gain as gain_clustering with:
    output:
        svg=reported(
            "figures/gain_clustering.svg",
            "Methods",
            "clustering: gains over PCA",
            "sweep_figures/gain_clustering",
        ),
        png=results("figures/gain_clustering.png"),
    log:
        results("logs/figures/gain_clustering.log"),
    params:
        clustering=True,


rule bandwidth:
    input:
        **table("scores", "datasets"),
        code=DRAWING,
    output:
        svg=reported(
            "figures/bandwidth.svg",
            "Parameters",
            "what the width of the Gaussian kernel costs",
            "sweep_figures/bandwidth",
        ),
        png=results("figures/bandwidth.png"),
    log:
        results("logs/figures/bandwidth.log"),
    conda:
        ENVIRONMENT
    params:
        parameter=next(iter(WIDTHS), "median"),
    script:
        "../scripts/sweep_figures/figure_bandwidth.py"


# With `quick`, data with labels or a target have only the figure of scores by components.
SWEEP_FIGURES = [*rules.spectrum.output] if not (QUICK and ANSWERED) else []
if not QUICK:
    SWEEP_FIGURES += rules.gain.output if ROWS else []
    SWEEP_FIGURES += rules.rings.output if CURVED and RINGS else []
    SWEEP_FIGURES += rules.contours.output if PLANE else []
    SWEEP_FIGURES += rules.kernels.output if ROWS and ANSWERED and CURVED else []
    SWEEP_FIGURES += rules.gain_clustering.output if LABELLED_ROWS else []
    SWEEP_FIGURES += rules.bandwidth.output if ROWS and ANSWERED and WIDTHS else []
