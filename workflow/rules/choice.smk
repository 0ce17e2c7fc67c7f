"""Choosing γ and the number of components without labels, beside the supervised choice."""

CHOICE_ARGUMENTS = {
    "multiples": (CONFIG["kernels"].get("rbf") or {}).get("median", []),
    "plan": {
        "sizes": SIZES,
        "folds": EVALUATION["folds"],
        "noise": 0.3,
        "draws": 20,
    },
    "seed": CONFIG["seed"],
}


# Of training rows alone, whatever has been scored.
rule choice:
    input:
        results("datasets/{dataset}.npz"),
    output:
        results("choice/{dataset}.csv"),
    log:
        results("logs/choice/{dataset}.log"),
    conda:
        ENVIRONMENT
    resources:
        runtime=60,
    params:
        arguments=CHOICE_ARGUMENTS,
        code=script_code("choice/choice_measures"),
    script:
        "../scripts/choice/choice_measures.py"


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
        code=script_code("choice/label_free"),
    script:
        "../scripts/choice/label_free.py"


MEASURED = ROWS and sweeps("rbf", "median")
CHOICE_PLOTS = {
    "choice": {
        "title": "what each criterion chooses",
        "input": table("label_free", "choice_measures", "scores", "datasets"),
        "arguments": {},
        "when": MEASURED,
    },
    "choice_scores": {
        "title": "what choosing without labels costs",
        "input": table("label_free", "datasets"),
        "arguments": {},
        "when": MEASURED and TRUTH,
    },
    "choice_errors": {
        "title": "held-out errors over the bandwidth",
        "input": table("choice_measures", "datasets"),
        "arguments": {"noise": CHOICE_ARGUMENTS["plan"]["noise"]},
        "when": MEASURED,
    },
}
FIGURES += plan(
    CHOICE_PLOTS,
    "choice",
    "Choosing without labels",
)
