"""Claims about the sweep itself, whatever it is about: topics that read its tables."""

# Without labels nothing is tuned, and there is nothing to claim.
SWEEP_CLAIMS = {
    "variance_share": {
        "title": "a share of the variance as the rule for k",
        "input": table("scores", "selected", "variance_rule", "datasets"),
        "tables": ["picks", "costs"],
        "arguments": {"share": EVALUATION["variance_share"]},
        "drawn": {"share": EVALUATION["variance_share"]},
        "when": LABELS,
    },
    "gains": {
        "title": "kernel PCA before the SVM and before k-means",
        "input": table("scores", "selected", "datasets"),
        "tables": ["gains", "equivalence"],
        "when": LABELS and ROWS,
    },
    "sensitivity": {
        "title": "sensitivity to parameters, and which kernel suits which data",
        "input": table("scores", "selected", "variance_rule", "datasets"),
        "tables": ["near", "families"],
        "arguments": {"sizes": SIZES},
        "when": LABELS and ROWS,
    },
    "regret": {
        "title": "γ by cross-validation",
        "input": table("scores", "datasets"),
        "tables": ["regrets", "choices"],
        "when": LABELS and ROWS and len(POINTS.get("rbf", [])) > 1,
    },
}
SWEEP_TOPICS = {
    topic: {key: study[key] for key in ("input", "tables")}
    | {"script": "claims_topic", "arguments": study.get("arguments", {})}
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
        "arguments": study.get("drawn", {}),
        "when": study["when"],
    }
    for topic, study in SWEEP_CLAIMS.items()
}
