"""Every statement of the theory as an experiment: `results/tables/claims.csv` and its figures.

A topic writes its cases to `results/tables/claims/TOPIC.csv`, and beside it what its figure shows.
"""

STATEMENTS = str(ROOT / "workflow/scripts/claims/statements.csv")
# Topic: the tables beside its cases, which its figure shows.
TOPICS = {
    "centring": ["spectra"],
    "shift": ["sizes", "cosines", "losses", "example"],
    "separability": ["planes"],
    "unrolling": ["embeddings"],
    "limits": ["widths"],
    "degree": ["scores"],
    "identities": ["gains"],
    "known_answers": [],
    "landmark_choices": ["errors"],
    "rkhs": ["ascents", "ratios"],
    "feature_space": ["axes"],
    "costs": ["counts", "crossings"],
}
# Without labels nothing is tuned, and there is nothing to say of the sweep.
JUDGED = [*TOPICS, "sweep"] if LABELLED_ROWS else TOPICS


def cases_of(*topics):
    """Return the tables of the cases of topics, as named files."""
    return {topic: results(f"tables/claims/{topic}.csv") for topic in topics}


def claim_figure(title, topic, *names, inputs=None, **params):
    """Return the entry of a figure that shows what a topic writes for it, all or some."""
    return figure("Claims", title, of_topic(topic, *names) | (inputs or {}), params=params)


CLAIMS_FIGURES = {
    "claims_centring": claim_figure("the formula of centring and its misprints", "centring"),
    "claims_shift": claim_figure(
        "new points without centring", "shift", "sizes", "losses", "example"
    ),
    "claims_uncentred": claim_figure("no centring at all", "shift", "cosines", "losses"),
    "claims_separability": claim_figure(
        "rings and spirals: linear separability", "separability", seed=SEED
    ),
    "claims_unrolling": claim_figure("what unrolls the Swiss roll", "unrolling", seed=SEED),
    "claims_limits": claim_figure("the width of the Gaussian kernel", "limits"),
    "claims_degree": claim_figure("the degree of the polynomial kernel", "degree"),
    "claims_identities": claim_figure(
        "every identity beside the bound of its rule",
        "identities",
        inputs={"statements": STATEMENTS} | cases_of("identities", "known_answers", "rkhs"),
    ),
    "claims_rkhs": claim_figure("components as functions", "rkhs"),
    "claims_feature_space": claim_figure(
        "level lines, and an axis without a pre-image", "feature_space", seed=SEED
    ),
    "claims_landmark_choices": claim_figure(
        "landmarks on a smile and on a spiral", "landmark_choices"
    ),
    "claims_costs": claim_figure("multiplications of PCA and kernel PCA", "costs"),
}
add_figures("claims", CLAIMS_FIGURES)


CLAIMS_TABLES = {
    f"claims_{topic}_cases": study_table(
        topic,
        of_topic(topic) | {"claims": results(f"tables/claims/{topic}.csv")},
        **({} if topic == "costs" else {"seed": SEED}),
    )
    for topic in TOPICS
}
# The sweep measures nothing: it reads what the tables have.
CLAIMS_TABLES["claims_sweep_cases"] = study_table(
    "sweep",
    {"claims": results("tables/claims/sweep.csv")},
    table("scores", "selected", "variance_rule", "datasets")
    | (table("label_free") if CHOICE else {}),
    shown=LABELLED_ROWS,
)
JUDGEMENT = "tables/claims.csv", "claims/claims", "Claims", "every statement with its verdict"
CLAIMS_TABLES["claims_table"] = study_table(
    "claim",
    {"claims": reported(*JUDGEMENT), "claims_cases": results("tables/claims_cases.csv")},
    cases_of(*JUDGED) | {"statements": STATEMENTS},
)
add_study_tables("claims", CLAIMS_TABLES)

TARGETS["claims"] = [*tables_of(CLAIMS_TABLES), *shown(CLAIMS_FIGURES)]


rule claims:
    input:
        TARGETS["claims"],
    localrule: True
