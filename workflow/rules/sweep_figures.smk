"""Figures of the sweep, each where the configuration has what it shows."""


rule gallery:
    input:
        **fitted(DATASETS),
        **table("scores"),
    output:
        figure("sweep/gallery", "Embeddings", "every dataset under every kernel"),
    log:
        results("logs/figures/gallery.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
        origin=ORIGIN,
        code=script_code("sweep/figure_gallery"),
    script:
        "../scripts/sweep/figure_gallery.py"


rule rings:
    input:
        **fitted(with_source("generator", "rings")),
        **table("scores", "comparisons"),
    output:
        figure("sweep/rings", "Embeddings", "rings"),
    log:
        results("logs/figures/rings.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
        origin=ORIGIN,
        code=script_code("sweep/figure_rings"),
    script:
        "../scripts/sweep/figure_rings.py"


rule swiss_roll:
    input:
        **fitted(with_source("generator", "swiss_roll")),
        **table("selected"),
    output:
        figure("sweep/swiss_roll", "Embeddings", "Swiss roll"),
    log:
        results("logs/figures/swiss_roll.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
        origin=ORIGIN,
        code=script_code("sweep/figure_swiss_roll"),
    script:
        "../scripts/sweep/figure_swiss_roll.py"


rule digits:
    input:
        **fitted(with_source("sklearn", "digits")),
        **table("scores"),
    output:
        figure("sweep/digits", "Embeddings", "digits"),
    log:
        results("logs/figures/digits.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
        origin=ORIGIN,
        code=script_code("sweep/figure_images"),
    script:
        "../scripts/sweep/figure_images.py"


rule contours:
    input:
        **fitted(PLANE),
    output:
        figure("sweep/contours", "Input space", "level lines of the components"),
    log:
        results("logs/figures/contours.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
        origin=ORIGIN,
        code=script_code("sweep/figure_contours"),
    script:
        "../scripts/sweep/figure_contours.py"


rule spectrum:
    input:
        **fits_of(DATASETS),
    output:
        figure("sweep/spectrum", "Parameters", "scree and cumulative variance"),
    log:
        results("logs/figures/spectrum.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
        origin=ORIGIN,
        code=script_code("sweep/figure_spectrum"),
    script:
        "../scripts/sweep/figure_spectrum.py"


rule grid_accuracy:
    input:
        **table("scores", "selected"),
    output:
        figure("sweep/grid_accuracy", "Parameters", "accuracy over the grid"),
    log:
        results("logs/figures/grid_accuracy.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
        metrics={"linear_svm": "balanced_accuracy", "least_squares": "correlation"},
        sizes=EVALUATION["n_components"],
        code=script_code("sweep/figure_heatmap"),
    script:
        "../scripts/sweep/figure_heatmap.py"


rule grid_ari:
    input:
        **table("scores", "selected"),
    output:
        figure("sweep/grid_ari", "Parameters", "adjusted Rand index over the grid"),
    log:
        results("logs/figures/grid_ari.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
        metrics={"kmeans": "ari"},
        sizes=EVALUATION["n_components"],
        code=script_code("sweep/figure_heatmap"),
    script:
        "../scripts/sweep/figure_heatmap.py"


rule bandwidth:
    input:
        **table("scores", "datasets"),
    output:
        figure("sweep/bandwidth", "Parameters", "bandwidth sweep"),
    log:
        results("logs/figures/bandwidth.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
        kernel="rbf",
        parameter=next(iter(WIDTHS), "median"),
        code=script_code("sweep/figure_sweep"),
    script:
        "../scripts/sweep/figure_sweep.py"


rule degree:
    input:
        **table("scores", "datasets"),
    output:
        figure("sweep/degree", "Parameters", "degree sweep"),
    log:
        results("logs/figures/degree.log"),
    conda:
        ENVIRONMENT
    params:
        points=POINTS,
        kernel="poly",
        parameter="degree",
        code=script_code("sweep/figure_sweep"),
    script:
        "../scripts/sweep/figure_sweep.py"


rule comparison:
    input:
        **table("comparisons", "datasets"),
    output:
        figure("sweep/comparison", "Methods", "test scores"),
    log:
        results("logs/figures/comparison.log"),
    conda:
        ENVIRONMENT
    params:
        clustering=False,
        value="mean",
        code=script_code("sweep/figure_comparison"),
    script:
        "../scripts/sweep/figure_comparison.py"


rule gain:
    input:
        **table("comparisons", "datasets"),
    output:
        figure("sweep/gain", "Methods", "gains over PCA"),
    log:
        results("logs/figures/gain.log"),
    conda:
        ENVIRONMENT
    params:
        clustering=False,
        value="gain",
        code=script_code("sweep/figure_comparison"),
    script:
        "../scripts/sweep/figure_comparison.py"


rule comparison_clustering:
    input:
        **table("comparisons", "datasets"),
    output:
        figure("sweep/comparison_clustering", "Methods", "clustering: test scores"),
    log:
        results("logs/figures/comparison_clustering.log"),
    conda:
        ENVIRONMENT
    params:
        clustering=True,
        value="mean",
        code=script_code("sweep/figure_comparison"),
    script:
        "../scripts/sweep/figure_comparison.py"


rule gain_clustering:
    input:
        **table("comparisons", "datasets"),
    output:
        figure("sweep/gain_clustering", "Methods", "clustering: gains over PCA"),
    log:
        results("logs/figures/gain_clustering.log"),
    conda:
        ENVIRONMENT
    params:
        clustering=True,
        value="gain",
        code=script_code("sweep/figure_comparison"),
    script:
        "../scripts/sweep/figure_comparison.py"


SWEEP_FIGURES = drawn("gallery", "spectrum", "comparison")
if CURVED and with_source("generator", "rings"):
    SWEEP_FIGURES += drawn("rings")
if CURVED and with_source("sklearn", "digits"):
    SWEEP_FIGURES += drawn("digits")
if with_source("generator", "swiss_roll"):
    SWEEP_FIGURES += drawn("swiss_roll")
# One's own data in the plane get their level lines without being asked for.
if PLANE:
    SWEEP_FIGURES += drawn("contours")
if ANSWERED:
    SWEEP_FIGURES += drawn("grid_accuracy")
if LABELLED:
    SWEEP_FIGURES += drawn("grid_ari", "comparison_clustering")
if ROWS:
    SWEEP_FIGURES += drawn("gain")
if LABELLED_ROWS:
    SWEEP_FIGURES += drawn("gain_clustering")
if ROWS and ANSWERED and WIDTHS:
    SWEEP_FIGURES += drawn("bandwidth")
if ROWS and ANSWERED and sweeps("poly", "degree"):
    SWEEP_FIGURES += drawn("degree")
if QUICK:
    few = set(drawn(*QUICK_FIGURES))
    SWEEP_FIGURES = [path for path in SWEEP_FIGURES if path in few]
