"""Datasets with their train/test splits, one file each."""


rule dataset:
    input:
        own_file,
    output:
        results("datasets/{dataset}.npz"),
    log:
        results("logs/dataset/{dataset}.log"),
    priority: 2
    conda:
        ENVIRONMENT
    params:
        name=lambda wildcards: wildcards.dataset,
        spec=dataset_spec,
        seed=CONFIG["seed"],
        replicates=replicates,
        origin=lambda wildcards: source_key(CONFIG, wildcards.dataset),
        code=script_code("sweep/make_dataset"),
    script:
        "../scripts/sweep/make_dataset.py"
