"""Choosing γ and the number of components without labels, beside the supervised choice."""


# Of training rows alone, whatever has been scored.
rule choice:
    input:
        dataset=results("datasets/{dataset}.npz"),
    output:
        results("choice/{dataset}.csv"),
    log:
        results("logs/choice/{dataset}.log"),
    conda:
        ENVIRONMENT
    resources:
        runtime=60,
    params:
        multiples=(CONFIG["kernels"].get("rbf") or {}).get("median", []),
        sizes=SIZES,
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
        mem_mb=2000,
    params:
        code=script_code("choice/scored"),
    script:
        "../scripts/choice/scored.py"


MEASURED = ROWS and sweeps("rbf", "median")
of_choice = partial(plan, "choice", "Choosing without labels")
FIGURES += [
    *of_choice(
        "choice",
        "what each criterion chooses",
        table("label_free", "choice_measures", "scores", "datasets"),
        when=MEASURED,
    ),
    *of_choice(
        "choice",
        "why nothing is chosen without labels",
        script="missing",
        when=ROWS and not MEASURED,
    ),
    *of_choice(
        "choice_scores",
        "what choosing without labels costs",
        table("label_free", "datasets"),
        when=MEASURED and TRUTH,
    ),
]
