"""`snakemake full`: the default, published tables and benchmarks whole, and the large sweep, a run of config/full.yaml."""

import sys


# Without an output it always runs, and the run inside finds out what is left to do.
rule full:
    input:
        rules.all.input,
        rules.papers.input,
        rules.benchmarks.input,
    log:
        results("logs/full.log"),
    conda:
        ENVIRONMENT
    # Nothing runs beside it: it hands out the cores itself.
    threads: workflow.cores or 1
    resources:
        mem_mb=8000,
        runtime=24 * 60,
    params:
        python=sys.executable,
        snakefile=beside_snakefile("Snakefile"),
        config=beside_snakefile("config/full.yaml"),
    shell:
        "{params.python:q} -m snakemake --snakefile {params.snakefile:q} --configfile {params.config:q}"
        " --cores {threads} --nolock --rerun-incomplete all 2>&1 | tee {log:q}"
