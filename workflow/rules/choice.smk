"""Choosing γ and the number of components without labels, beside the supervised choice."""

CHOICE_TABLES = {
    # Measures of training rows alone, so they do not depend on scores.
    "choice_measures": study_table(
        "measures",
        results("tables/choice_measures.csv"),
        {"datasets": made_of("datasets", ROWS)},
        shown=CHOICE,
        multiples=(config["kernels"].get("rbf") or {}).get("median", []),
        sizes=EVALUATION["n_components"],
        folds=EVALUATION["folds"],
        seed=SEED,
    ),
    "label_free": study_table(
        "scored",
        results("tables/label_free.csv"),
        table("variance_rule", "scores", measures="choice_measures"),
        shown=CHOICE,
    ),
}
CHOICE_FIGURES = {
    "choice_scores": figure(
        "Choosing without labels",
        "what choosing without labels costs",
        table("label_free", "datasets"),
        shown=CHOICE and ANSWERED,
    )
}
add_study("choice", CHOICE_TABLES, CHOICE_FIGURES)

if ROWS and not CHOICE and not QUICK and workflow.is_main_process:
    logger.info(
        "γ is not chosen without labels: it is chosen among two or more multiples of the median "
        "heuristic, `kernels: { rbf: { median: [0.1, 1, 10] } }`."
    )
