"""Which embedding can be trusted: two datasets in `all`, all by `snakemake embeddings`."""

# Swiss roll and digits if the configuration has one of them; otherwise its first two datasets.
EMBEDDED = [name for name in ("swiss_roll", "digits") if name in ROWS] or ROWS[:2]
EMBEDDINGS_CODE = [*CORE, *modules("kpca/study/evidence/*.py")]


rule embeddings_small_table:
    input:
        datasets=made_of("datasets/{dataset}.npz", EMBEDDED),
        code=EMBEDDINGS_CODE,
    output:
        results("embeddings/small.csv"),
    log:
        results("logs/embeddings_small_table.log"),
    priority: 1
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
    params:
        seed=SEED,
        extent={"rows": 200, "replicates": 3, "seeds": 2, "bootstraps": 2},
    script:
        "../scripts/embeddings/embeddings.py"


rule embeddings_table:
    input:
        datasets=made_of("datasets/{dataset}.npz", ROWS),
        code=EMBEDDINGS_CODE,
    output:
        measures=reported(
            "embeddings/embeddings.csv", "Embeddings", "which to trust", "embeddings/table"
        ),
        seconds=results("timings/embeddings.csv"),
    log:
        results("logs/embeddings_table.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
    params:
        seed=SEED,
        extent={"rows": 300, "replicates": 5, "seeds": 10, "bootstraps": 5},
    script:
        "../scripts/embeddings/embeddings.py"


rule embeddings_small:
    input:
        embeddings=results("embeddings/small.csv"),
        code=DRAWING,
    output:
        svg=reported(
            "figures/embeddings_small.svg",
            "Embeddings",
            "which embedding to trust, two datasets",
            "embeddings/embeddings",
        ),
        png=results("figures/embeddings_small.png"),
    log:
        results("logs/figures/embeddings_small.log"),
    conda:
        ENVIRONMENT
    script:
        "../scripts/embeddings/figure_embeddings.py"


use rule embeddings_small as embeddings_whole with:
    input:
        embeddings=results("embeddings/embeddings.csv"),
        code=DRAWING,
    output:
        svg=reported(
            "figures/embeddings_whole.svg",
            "Embeddings",
            "which embedding to trust",
            "embeddings/embeddings",
        ),
        png=results("figures/embeddings_whole.png"),
    log:
        results("logs/figures/embeddings_whole.log"),


rule embeddings:
    input:
        rules.embeddings_table.output,
        rules.embeddings_whole.output,
    localrule: True


EMBEDDINGS = []
if ROWS:
    EMBEDDINGS = [*rules.embeddings_small_table.output, *rules.embeddings_small.output]
