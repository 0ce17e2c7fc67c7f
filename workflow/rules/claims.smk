"""Every statement of the theory as an experiment: `results/tables/claims.csv` and its figures.

A topic writes its cases to `results/tables/claims/TOPIC.csv`, and beside it what its figure shows.
"""

from functools import partial

STATEMENTS = str(ROOT / "workflow/scripts/claims/statements.csv")
# Topic: the tables beside its cases, which its figure shows.
TOPICS = {
    "centring": ["spectra", "scores"],
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


claim_figure = partial(figure, "Claims")
CLAIMS_FIGURES = {
    "claims_centring": claim_figure(
        "the formula of centring and its misprints", of_topic("centring")
    ),
    "claims_shift": claim_figure(
        "new points without centring", of_topic("shift", "sizes", "losses", "example")
    ),
    "claims_uncentred": claim_figure("no centring at all", of_topic("shift", "cosines", "losses")),
    "claims_separability": claim_figure(
        "rings and spirals: linear separability", of_topic("separability"), params={"seed": SEED}
    ),
    "claims_unrolling": claim_figure(
        "what unrolls the Swiss roll", of_topic("unrolling"), params={"seed": SEED}
    ),
    "claims_limits": claim_figure("the width of the Gaussian kernel", of_topic("limits")),
    "claims_degree": claim_figure("the degree of the polynomial kernel", of_topic("degree")),
    "claims_identities": claim_figure(
        "every identity beside the bound of its rule",
        of_topic("identities")
        | {
            "statements": STATEMENTS,
            "identities": results("tables/claims/identities.csv"),
            "known_answers": results("tables/claims/known_answers.csv"),
            "rkhs": results("tables/claims/rkhs.csv"),
        },
    ),
    "claims_rkhs": claim_figure("components as functions", of_topic("rkhs")),
    "claims_feature_space": claim_figure(
        "level lines, and an axis without a pre-image",
        of_topic("feature_space"),
        params={"seed": SEED},
    ),
    "claims_landmark_choices": claim_figure(
        "landmarks on a smile and on a spiral", of_topic("landmark_choices")
    ),
    "claims_costs": claim_figure("multiplications of PCA and kernel PCA", of_topic("costs")),
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
CLAIMS_TABLES["claims_table"] = study_table(
    "claim",
    {
        "claims": reported(
            "tables/claims.csv", "claims/claims", "Claims", "every statement with its verdict"
        ),
        "claims_cases": results("tables/claims_cases.csv"),
    },
    {topic: results(f"tables/claims/{topic}.csv") for topic in JUDGED} | {"statements": STATEMENTS},
)
add_study_tables("claims", CLAIMS_TABLES)

TARGETS["claims"] = [*tables_of(CLAIMS_TABLES), *shown(CLAIMS_FIGURES)]


rule claims:
    input:
        TARGETS["claims"],
    localrule: True
