"""Every statement of the theory as an experiment: `results/tables/claims.csv` and its figures.

A topic writes its cases to `results/tables/claims/TOPIC.csv`, and beside it what its figure shows.
"""

STATEMENTS = beside_snakefile("workflow/scripts/claims/statements.csv")

# Topic: the tables that its figure shows.
TOPICS = {
    "centring": ["spectra", "scores"],
    "shift": ["sizes", "cosines", "losses", "example"],
    "separability": ["planes"],
    "unrolling": ["embeddings"],
    "limits": ["widths"],
    "degree": ["scores"],
    "identities": ["gains"],
    "rkhs": ["ascents", "ratios"],
    "feature_space": ["axes", "rows"],
    "costs": ["counts", "crossings"],
}
# Without labels nothing is tuned, and there is nothing to say of the sweep.
if ROWS and any(may_have("label", DATASETS[name]) for name in ROWS):
    TOPICS["sweep"] = []


# The sweep measures nothing: it reads what the tables have.
READ = {
    "sweep": table("scores", "selected", "comparisons", "variance_rule", "datasets")
    | (table("label_free") if MEASURED else {})
}
SEEDED = {"seed": CONFIG["seed"]}


for topic in TOPICS:

    rule:
        name:
            f"claims_{topic}"
        input:
            **READ.get(topic, {}),
        output:
            **shown(topic),
            claims=cases(topic)[topic],
        log:
            results(f"logs/claims/{topic}.log"),
        conda:
            ENVIRONMENT
        params:
            script=f"claims/{topic}",
            arguments={} if topic in ("costs", "sweep") else SEEDED,
            code=script_code(f"claims/{topic}"),
        script:
            "../scripts/{params.script}.py"


rule claims_table:
    input:
        **cases(*TOPICS),
        statements=STATEMENTS,
    output:
        claims=report(
            results("tables/claims.csv"),
            caption="../scripts/claims/claims.rst",
            category="Claims",
            labels={"table": "every statement with its verdict"},
        ),
        claims_cases=results("tables/claims_cases.csv"),
    log:
        results("logs/claims.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/claim"),
    script:
        "../scripts/claims/claim.py"


# Topic: the title of its figure, and the arguments of what draws it.
CLAIM_TITLES = {
    "centring": ("the formula of centring and its misprints", {}),
    "shift": ("what is lost without centring", {}),
    "separability": ("rings and spirals: linear separability", SEEDED),
    "unrolling": ("what unrolls the Swiss roll", SEEDED),
    "limits": ("the width of the Gaussian kernel", SEEDED),
    "degree": ("the degree of the polynomial kernel", {}),
    "rkhs": ("components as functions", {}),
    "feature_space": ("level lines, and an axis without a pre-image", SEEDED),
    "costs": ("multiplications of PCA and kernel PCA", {}),
}
of_claims = partial(plan, "claims", "Claims")
CLAIM_FIGURES = [
    *(
        path
        for topic, (title, arguments) in CLAIM_TITLES.items()
        for path in of_claims(
            f"claims_{topic}", title, shown(topic), script=topic, **arguments
        )
    ),
    *of_claims(
        "claims_identities",
        "every identity beside the bound of its rule",
        {"statements": STATEMENTS} | shown("identities") | cases("identities", "rkhs"),
        script="identities",
    ),
    *of_claims(
        "claims_overview",
        "every statement with its cases",
        table("claims", "claims_cases"),
        script="overview",
    ),
]


rule claims:
    input:
        rules.claims_table.output,
        CLAIM_FIGURES,
    localrule: True
