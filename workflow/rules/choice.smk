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


CHOICE_FIGURES = {
    "choice_scores": figure(
        "Choosing without labels",
        "what choosing without labels costs",
        table("label_free", "datasets"),
        shown=CHOICE and ANSWERED,
    ),
}
add_figures("choice", CHOICE_FIGURES)

CHOICE_TABLES = [*rules.label_free.input.measures, *rules.label_free.output]
CHOICE_MADE = [*CHOICE_TABLES, *shown(CHOICE_FIGURES)] if CHOICE else []
if ROWS and not CHOICE and not QUICK:
    logger.info(
        "γ is not chosen without labels: it is chosen among two or more multiples of the median "
        "heuristic, `kernels: { rbf: { median: [0.1, 1, 10] } }`."
    )
