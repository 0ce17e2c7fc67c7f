"""Kernel PCA: one job fits the whole grid on all replicates of a dataset, computing what is new."""


rule fit:
    input:
        dataset=results("datasets/{dataset}.npz"),
    output:
        update(results("fits/{dataset}.npz")),
        touch(finished(results("fits/{dataset}.npz"))),
    log:
        results("logs/fit/{dataset}.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing(2000),
        runtime=growing(120),
    params:
        points=plain_points,
        n_components=max(EVALUATION["n_components"]),
        variance_share=EVALUATION["variance_share"],
        fingerprint=script_code("sweep/fit"),
        own_code=own_kernels,
    script:
        "../scripts/sweep/fit.py"
