"""Datasets with their train/test splits, one file each."""


rule dataset:
    input:
        own_file,
    output:
        results("datasets/{dataset}.npz"),
    log:
        results("logs/dataset/{dataset}.log"),
    conda:
        ENVIRONMENT
    params:
        spec=dataset_spec,
        seed=CONFIG["seed"],
        replicates=replicates,
        code=fingerprint("pipeline.datasets.make"),
    script:
        "../scripts/make_dataset.py"
