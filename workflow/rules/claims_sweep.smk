"""Claims about the sweep itself, whatever it is about: topics that read its tables."""

CLAIM_PACKAGE = "kpca.pipeline.studies.claims"
SHARES = [0.8, 0.9]
LABELLED = [name for name, spec in DATASETS.items() if may_have("label", spec)]

# Without labels nothing is tuned, and there is nothing to claim.
SWEEP_CLAIMS = {
    "variance_share": {
        "script": "claims_variance_share",
        "title": "a share of the variance as the rule for k",
        "input": {
            "selected": results("tables/selected.csv"),
            "described": results("tables/datasets.csv"),
            **stores(LABELLED),
        },
        "tables": ["picks", "costs"],
        "arguments": {"shares": SHARES, "points": POINTS, "evaluation": EVALUATION},
        "code": ["shares", "variance_share"],
        "when": LABELLED,
    },
    "gains": {
        "title": "kernel PCA before the SVM and before k-means",
        "input": table("scores", "selected", "datasets"),
        "tables": ["gains", "equivalence"],
        "when": LABELLED and ROWS,
    },
    "sensitivity": {
        "title": "sensitivity to parameters, and which kernel suits which data",
        "input": table("scores", "selected", "variance_rule", "datasets"),
        "tables": ["near", "families"],
        "arguments": {"sizes": SIZES},
        "when": LABELLED and ROWS,
    },
    "regret": {
        "title": "γ by cross-validation",
        "input": table("scores", "datasets"),
        "tables": ["regrets", "choices"],
        "when": LABELLED and ROWS and len(POINTS.get("rbf", [])) > 1,
    },
}
SWEEP_TOPICS = {
    topic: {
        "script": study.get("script", "claims_topic"),
        "input": study["input"],
        "tables": study["tables"],
        "arguments": study.get("arguments", {}),
        "code": [f"{CLAIM_PACKAGE}.{name}" for name in study.get("code", [topic])],
    }
    for topic, study in SWEEP_CLAIMS.items()
    if study["when"]
}
SWEEP_PLOTS = {
    f"claims_{topic}": {
        "topic": topic,
        "title": study["title"],
        "input": {
            name: results(f"tables/claims/{topic}_{name}.csv")
            for name in study["tables"]
        },
        "arguments": {},
        "when": study["when"],
    }
    for topic, study in SWEEP_CLAIMS.items()
}
