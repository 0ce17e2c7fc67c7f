"""Analyses of a user's rows: what features contribute, and which rows are novel."""

# Datasets that are not generated anew for every replicate.
OWN = [name for name, spec in DATASETS.items() if "generator" not in spec]
# Datasets with features, which a kernel matrix does not have.
OWN_ROWS = [name for name in OWN if name in ROWS]
# Datasets for which contributions of features and the quality of pictures are measured.
MEASURED = [] if QUICK else OWN_ROWS
# Dataset with rows in the order of time, or of normal operation → label of the time axis.
MONITORED = {
    name: DATASETS[name].get("time", "row of the file")
    for name in OWN_ROWS
    if "time" in DATASETS[name] or not LOADED.is_answered(name)
}
OWN_CODE = [
    *CORE,
    *modules("kpca/inspection/*.py", "kpca/study/monitoring/*.py"),
    *modules("workflow/scripts/own_data/*.py"),
]


rule own_novelty_table:
    input:
        datasets=made_of("datasets/{dataset}.npz", OWN),
        code=[*OWN_CODE, *modules("kpca/novelty/*.py")],
    output:
        results("tables/own_novelty.csv"),
    log:
        results("logs/own_novelty_table.log"),
    priority: 1
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
    params:
        seed=SEED,
    script:
        "../scripts/own_data/novelty.py"


rule own_features_table:
    input:
        datasets=made_of("datasets/{dataset}.npz", OWN_ROWS),
        code=OWN_CODE,
    output:
        results("tables/own_features.csv"),
    log:
        results("logs/own_features_table.log"),
    priority: 1
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
    script:
        "../scripts/own_data/features.py"


rule own_view_table:
    input:
        **fitted(OWN_ROWS),
        **table("decisions", described="datasets"),
        code=[*OWN_CODE, *modules("kpca/study/evidence/faithfulness.py")],
    output:
        results("tables/own_view.csv"),
    log:
        results("logs/own_view_table.log"),
    priority: 1
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
    params:
        slow="data" in config,
        seed=SEED,
    script:
        "../scripts/own_data/view.py"


rule own_figures:
    input:
        **({"features": results("tables/own_features.csv")} if MEASURED else {}),
        **table("components", "decisions", *["importance"] * DRIVEN),
        novelty=results("tables/own_novelty.csv"),
        code=[*OWN_CODE, *DRAWING],
    output:
        **drawn(
            "Your own rows",
            "own_data",
            {
                "figures/own_novelty.svg": "the rows most unlike the rest",
                "figures/own_components.svg": "what a second sample would show",
            },
        ),
        **(
            drawn(
                "Your own rows",
                "own_data",
                {"figures/own_features.svg": "what each feature contributes"},
            )
            if MEASURED
            else {}
        ),
        **(
            drawn(
                "Your own rows",
                "own_data",
                {"figures/own_importance.svg": "what drives the prediction"},
            )
            if DRIVEN
            else {}
        ),
        **(
            drawn(
                "Your own rows", "own_data", {"figures/own_monitoring.svg": "novelty along time"}
            )
            if MONITORED
            else {}
        ),
    log:
        results("logs/figures/own_data.log"),
    conda:
        ENVIRONMENT
    params:
        monitored=MONITORED,
    script:
        "../scripts/own_data/figures.py"


OWN_DATA = [*rules.own_novelty_table.output, *rules.own_figures.output] if OWN else []
if MEASURED:
    OWN_DATA += [*rules.own_features_table.output, *rules.own_view_table.output]
