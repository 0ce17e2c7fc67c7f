"""Figures: one rule and one script each. A figure is drawn where the configuration has what it shows."""


def drawn(name):
    """Return the two files of a figure."""
    return [results(f"figures/{name}.{kind}") for kind in ("svg", "png")]


def sweeps(kernel, parameter):
    """Return whether the grid of a kernel has at least two values of a parameter."""
    return len((CONFIG["kernels"].get(kernel) or {}).get(parameter, [])) > 1


rule figure_bandwidth:
    input:
        scores=results("tables/scores.csv"),
        datasets=results("tables/datasets.csv"),
    output:
        report(
            results("figures/bandwidth.svg"),
            caption="../report/bandwidth.rst",
            category="Parameters",
            labels={"figure": "bandwidth sweep"},
        ),
        results("figures/bandwidth.png"),
    log:
        results("logs/figures/bandwidth.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        kernel="rbf",
        parameter="median",
        code=fingerprint("kpca.pipeline.style", "kpca.pipeline.curves"),
    script:
        "../scripts/figure_sweep.py"


use rule figure_bandwidth as figure_degree with:
    output:
        report(
            results("figures/degree.svg"),
            caption="../report/degree.rst",
            category="Parameters",
            labels={"figure": "degree sweep"},
        ),
        results("figures/degree.png"),
    log:
        results("logs/figures/degree.log"),
    params:
        kernel="poly",
        parameter="degree",
        code=fingerprint("kpca.pipeline.style", "kpca.pipeline.curves"),


FIGURES = [
    *(drawn("bandwidth") if sweeps("rbf", "median") else []),
    *(drawn("degree") if sweeps("poly", "degree") else []),
]
