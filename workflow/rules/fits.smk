"""Kernel PCA: one job fits a kernel family on all replicates of a dataset, computing what is new."""


rule fit:
    input:
        dataset=results("datasets/{dataset}.npz"),
    output:
        fits=update(results("fits/{dataset}/{kernel}.npz")),
        finished=touch(finished(results("fits/{dataset}/{kernel}.npz"))),
    log:
        results("logs/fit/{dataset}/{kernel}.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        points=plain_points,
        n_components=max(EVALUATION["n_components"]),
        variance_share=EVALUATION["variance_share"],
        fingerprint=fit_code,
    script:
        "../scripts/sweep/fit_family.py"
