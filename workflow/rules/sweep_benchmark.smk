"""Sweeps and folds beside loops of fits, and this whole sweep beside one plain script with scikit-learn."""

import os

SWEEP_BENCHMARK = "benchmarks/sweep"


rule benchmark_sharing:
    output:
        results("benchmarks/sharing.csv"),
    log:
        results("logs/benchmarks/sharing.log"),
    conda:
        ENVIRONMENT
    # Every core, so that nothing runs beside what is timed.
    threads: workflow.cores
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        launch=LAUNCH,
        code=fingerprint("benchmarks.sharing", "kpca.sharing.cross_validation"),
    shell:
        "{params.launch} benchmarks.sharing {output} 2> {log}"


rule benchmark_sweep:
    output:
        multiext(
            results(f"{SWEEP_BENCHMARK}/"),
            agreement="agreement.csv",
            times="times.csv",
            anatomy="anatomy.csv",
        ),
    log:
        results("logs/benchmarks/sweep.log"),
    conda:
        ENVIRONMENT
    threads: workflow.cores
    resources:
        mem_mb=8000,
        runtime=120,
    params:
        launch=LAUNCH,
        snakefile=beside_snakefile("Snakefile"),
        config=[os.path.abspath(file) for file in workflow.configfiles[-1:]],
        folder=subpath(output[0], parent=True),
        code=fingerprint(
            "benchmarks.whole_sweep",
            "benchmarks.plain_sweep",
            "benchmarks.sweep_anatomy",
            "kpca.pipeline.evaluation.families",
        ),
    shell:
        "{params.launch} benchmarks.whole_sweep {params.snakefile:q} {params.config:q}"
        " {params.folder} {threads} > {log} 2>&1"


rule benchmark_sweep_figure:
    input:
        rules.benchmark_sweep.output,
    output:
        report(
            results(f"{SWEEP_BENCHMARK}/benchmark_sweep.svg"),
            caption="../report/benchmark_sweep.rst",
            category="Benchmarks",
            labels={"figure": "where the time of the sweep goes"},
        ),
        results(f"{SWEEP_BENCHMARK}/benchmark_sweep.png"),
    log:
        results("logs/benchmarks/sweep_figure.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        launch=LAUNCH,
        folder=subpath(output[0], parent=True),
        code=fingerprint("benchmarks.sweep_figure", "kpca.pipeline.style"),
    shell:
        "{params.launch} benchmarks.sweep_figure {params.folder} 2> {log}"


rule benchmarks_sweep:
    input:
        rules.benchmark_sharing.output,
        rules.benchmark_sweep_figure.output,
    localrule: True
