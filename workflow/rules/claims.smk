"""Every statement of the theory as an experiment: `results/tables/claims.csv` and its figures."""

CLAIM_STUDY = "kpca.pipeline.studies.claims"

# What accuracies are compared on, whatever the sweep is about.
CLAIM_DATA = {
    "rings": {"generator": "rings", "n_train": 150, "n_test": 2000, "noise": 0.08},
    "moons": {"generator": "moons", "n_train": 150, "n_test": 2000, "noise": 0.2},
    "spirals": {"generator": "spirals", "n_train": 150, "n_test": 2000, "noise": 0.05},
    "iris": {"sklearn": "iris"},
    "wine": {"sklearn": "wine", "standardize": True},
    "breast_cancer": {"sklearn": "breast_cancer", "standardize": True, "max_rows": 250},
    "digits": {"sklearn": "digits", "max_rows": 300},
}
CLAIM_KERNELS = ["linear", "poly", "rbf", "laplacian", "sigmoid", "cosine"]
CLAIM_DRAWS = {"seed": CONFIG["seed"], "replicates": 10, "datasets": CLAIM_DATA}

# Over γ: multiples of the median heuristic. Over σ: multiples of its width.
SEPARABILITY = {
    "seed": CONFIG["seed"],
    "replicates": 5,
    "multiples": [0.03, 0.056, 0.1, 0.18, 0.32, 0.56, 1, 1.8, 3.2, 5.6, 10, 18, 32]
    + [56, 100],
    "n_components": [2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64],
    "ratios": [0.1, 0.3, 0.5, 0.7, 0.9],
}
UNROLLING = {
    "seed": CONFIG["seed"],
    "replicates": 5,
    "n": 800,
    "multiples": [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
    "degrees": [2, 3, 4, 5],
    "neighbours": [6, 8, 10, 12, 15, 20],
}
LIMITS = {
    "seed": CONFIG["seed"],
    "replicates": 10,
    "widths": [0.056, 0.1, 0.18, 0.32, 0.56, 1, 1.8, 3.2, 5.6, 10, 18, 32, 56, 100],
}
DEGREE_STEP = {"low": 2, "high": 9}

# Topic: the inputs, further tables, arguments and code of its script, which writes its claims
# and, for its figures, the further tables. The script is `claims_<topic>.py`, or for a topic
# whose module is all there is, `claims_topic.py`: it calls `measure(**arguments)`.
CLAIM_TOPICS = {
    "centring": {
        "script": "claims_topic",
        "tables": ["spectra", "scores"],
        "arguments": {"seed": CONFIG["seed"]},
    },
    "uncentred": {
        "script": "claims_topic",
        "tables": ["cosines", "losses"],
        "arguments": CLAIM_DRAWS | {"sizes": [2, 5, 10]},
    },
    "shift": {
        "script": "claims_topic",
        "tables": ["sizes", "losses", "example"],
        "arguments": CLAIM_DRAWS,
    },
    "separability": {
        "script": "claims_topic",
        "tables": ["planes", "lines"],
        "arguments": SEPARABILITY,
    },
    "unrolling": {
        "script": "claims_topic",
        "tables": ["embeddings"],
        "arguments": UNROLLING,
    },
    "limits": {
        "script": "claims_topic",
        "tables": ["widths"],
        "arguments": LIMITS,
    },
    "degree": {
        "script": "claims_topic",
        "tables": ["scores", "changes"],
        "arguments": CLAIM_DRAWS | DEGREE_STEP | {"degrees": [1, 2, 3, 5, 7, 9]},
    },
}
CLAIM_TOPICS |= SWEEP_TOPICS


for topic, study in CLAIM_TOPICS.items():

    rule:
        name:
            f"claims_{topic}"
        input:
            **study.get("input", {}),
        output:
            **{name: claim_table(topic, name) for name in study.get("tables", [])},
            claims=results(f"tables/claims/{topic}.csv"),
        log:
            results(f"logs/claims/{topic}.log"),
        conda:
            ENVIRONMENT
        threads: 1
        resources:
            mem_mb=1000,
            runtime=30,
        params:
            topic=topic,
            script=study.get("script", f"claims_{topic}"),
            arguments=study.get("arguments", {}),
            code=fingerprint(*study.get("code", [f"{CLAIM_STUDY}.{topic}"])),
        script:
            "../scripts/{params.script}.py"


rule claims_table:
    input:
        [results(f"tables/claims/{topic}.csv") for topic in CLAIM_TOPICS],
        IDENTITY_CLAIMS,
    output:
        report(
            results("tables/claims.csv"),
            caption="../report/claims.rst",
            category="Claims",
            labels={"table": "every statement with its verdict"},
        ),
    log:
        results("logs/claims.log"),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint(f"{CLAIM_STUDY}.claim", "kpca.pipeline.tables"),
    script:
        "../scripts/claims_table.py"


# A plot names the topic whose code draws it; see `plan`.
CLAIM_PLOTS = {
    "claims_overview": {
        "topic": "overview",
        "title": "every claim with its verdict",
        "input": {"claims": rules.claims_table.output[0]},
        "arguments": {
            "cases": sorted(
                {
                    *DATASETS,
                    *CONFIG["kernels"],
                    *CLAIM_DATA,
                    *CLAIM_KERNELS,
                    "chosen_kernel",
                }
            )
        },
    },
    "claims_centring": {
        "topic": "centring",
        "title": "the formula of centring and its misprints",
        "input": claim_tables("centring"),
        "arguments": {},
    },
    "claims_uncentred": {
        "topic": "uncentred",
        "title": "kernel PCA without centring",
        "input": claim_tables("uncentred"),
        "arguments": {},
    },
    "claims_shift": {
        "topic": "shift",
        "title": "new points without their centring term",
        "input": claim_tables("shift"),
        "arguments": {},
    },
    "claims_separability": {
        "topic": "separability",
        "title": "rings and spirals: linear separability",
        "input": claim_tables("separability"),
        "arguments": {"seed": CONFIG["seed"]},
    },
    "claims_unrolling": {
        "topic": "unrolling",
        "title": "what unrolls the Swiss roll",
        "input": claim_tables("unrolling"),
        "arguments": {key: UNROLLING[key] for key in ("n", "seed")},
    },
    "claims_limits": {
        "topic": "limits",
        "title": "the width of the Gaussian kernel",
        "input": claim_tables("limits"),
        "arguments": {"seed": CONFIG["seed"]},
    },
    "claims_degree": {
        "topic": "degree",
        "title": "the degree of the polynomial kernel",
        "input": claim_tables("degree"),
        "arguments": DEGREE_STEP,
    },
}
CLAIM_PLOTS |= SWEEP_PLOTS
for plot in CLAIM_PLOTS.values():
    plot["code"] = fingerprint(
        f"{CLAIM_STUDY}.{plot['topic']}",
        f"{CLAIM_STUDY}.drawn",
        f"{CLAIM_STUDY}.looks",
        "kpca.pipeline.shown",
        "kpca.pipeline.contours",
        "kpca.pipeline.curves",
    )
CLAIM_FIGURES = plan(CLAIM_PLOTS, None, "Claims")
CLAIMS = [
    *rules.claims_table.output,
    *CLAIM_FIGURES,
    *IDENTITY_FIGURES,
]


rule claims:
    input:
        CLAIMS,
    localrule: True
