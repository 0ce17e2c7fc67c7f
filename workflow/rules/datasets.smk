"""Datasets with their train/test splits, one file each."""


rule dataset:
    input:
        own_file,
    output:
        results("datasets/{dataset}.npz"),
    log:
        results("logs/dataset/{dataset}.log"),
    priority: 2
    params:
        name=lambda wildcards: wildcards.dataset,
        spec=lambda wildcards: source_of(DATASETS[wildcards.dataset]),
        seed=SEED,
        replicates=lambda wildcards: DATASETS[wildcards.dataset].get(
            "replicates", config["replicates"]
        ),
        origin=lambda wildcards: source_key(config, wildcards.dataset),
        code=script_code("sweep/make_dataset"),
    script:
        "../scripts/sweep/make_dataset.py"
