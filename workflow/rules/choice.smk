"""Choices of γ and the number of components without labels, compared with supervised choices."""


rule choice_measures:
    """Measures that use only training rows, so that they do not depend on scores."""
    input:
        datasets=made_of("datasets/{dataset}.npz", ROWS),
        code=[
            *CORE,
            *modules("kpca/choice/*.py", "kpca/study/fitting/*.py"),
            *modules("kpca/study/datasets/splits.py"),
        ],
    output:
        results("tables/choice_measures.csv"),
    log:
        results("logs/choice_measures.log"),
    priority: 1
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing_memory(2000),
    params:
        multiples=(config["kernels"].get("rbf") or {}).get("median", []),
        sizes=EVALUATION["n_components"],
        folds=EVALUATION["folds"],
        seed=SEED,
    script:
        "../scripts/choice/measures.py"


rule label_free:
    input:
        **table("variance_rule", "scores", measures="choice_measures"),
        code=modules("kpca/study/evidence/*.py"),
    output:
        results("tables/label_free.csv"),
    log:
        results("logs/label_free.log"),
    priority: 1
    conda:
        ENVIRONMENT
    script:
        "../scripts/choice/scored.py"


CHOICE_TARGETS = [*rules.choice_measures.output, *rules.label_free.output] if CHOICE else []

if ROWS and not CHOICE and not QUICK and workflow.is_main_process:
    logger.info(
        "γ is not chosen without labels: it is chosen among two or more multiples of the median "
        "heuristic, `kernels: { rbf: { median: [0.1, 1, 10] } }`."
    )
