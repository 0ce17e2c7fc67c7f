"""Choosing γ and the number of components without labels, beside the supervised choice."""


# Of training rows alone, whatever has been scored.
rule choice_measures:
    input:
        dataset=results("datasets/{dataset}.npz"),
    output:
        results("choice/{dataset}.csv"),
    log:
        results("logs/choice/{dataset}.log"),
    conda:
        ENVIRONMENT
    resources:
        runtime=growing(60),
    params:
        multiples=(CONFIG["kernels"].get("rbf") or {}).get("median", []),
        sizes=EVALUATION["n_components"],
        folds=EVALUATION["folds"],
        seed=CONFIG["seed"],
        code=script_code("choice/measures"),
    script:
        "../scripts/choice/measures.py"


rule label_free:
    input:
        **table("variance_rule", "scores"),
        measures=[results(f"choice/{name}.csv") for name in ROWS],
    output:
        measures=results("tables/choice_measures.csv"),
        label_free=results("tables/label_free.csv"),
    log:
        results("logs/label_free.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=growing(2000),
    params:
        code=script_code("choice/scored"),
    script:
        "../scripts/choice/scored.py"


rule choice:
    input:
        **table("label_free", "choice_measures", "scores", "datasets"),
    output:
        figure(
            "choice/choice", "Choosing without labels", "what each criterion chooses"
        ),
    log:
        results("logs/figures/choice.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("choice/figure_choice"),
    script:
        "../scripts/choice/figure_choice.py"


rule choice_scores:
    input:
        **table("label_free", "datasets"),
    output:
        figure(
            "choice/choice_scores",
            "Choosing without labels",
            "what choosing without labels costs",
        ),
    log:
        results("logs/figures/choice_scores.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("choice/figure_choice_scores"),
    script:
        "../scripts/choice/figure_choice_scores.py"


CHOICE_FIGURES = []
if CHOICE:
    CHOICE_FIGURES += [
        *rules.label_free.input.measures,
        *rules.label_free.output,
        *drawn("choice"),
    ]
if CHOICE and ANSWERED:
    CHOICE_FIGURES += drawn("choice_scores")
if ROWS and not CHOICE and not QUICK:
    logger.info(
        "γ is not chosen without labels: it is chosen among two or more multiples of the median "
        "heuristic, `kernels: { rbf: { median: [0.1, 1, 10] } }`."
    )
