"""Every statement of the theory as an experiment: `results/tables/claims.csv` and its figures.

A topic writes its cases to `results/tables/claims/TOPIC.csv`, and beside it what its figure shows.
"""

from functools import partial

STATEMENTS = str(ROOT / "workflow/scripts/claims/statements.csv")
# Times that were measured once, on one machine; `snakemake costs` measures anew.
TIMES = str(ROOT / "benchmarks/costs.csv")
# Topic: the tables beside its cases, which its figure shows.
TOPICS = {
    "centring": ["spectra"],
    "shift": ["rings", "sizes", "cosines", "losses"],
    "separability": ["planes"],
    "unrolling": ["embeddings"],
    "limits": ["widths"],
    "degree": ["scores"],
    "identities": [],
    "known_answers": [],
    "landmark_choices": [],
    "rkhs": ["ascents"],
    "feature_space": ["axes"],
    "images": ["scores"],
    "readings": ["shares"],
    "population": ["spectra", "residuals"],
}
CASES = {topic: results(f"tables/claims/{topic}.csv") for topic in [*TOPICS, "studies", "sweep"]}
# Without labels nothing is tuned, and there is nothing to say of the sweep.
JUDGED = CASES if LABELLED_ROWS else {topic: CASES[topic] for topic in CASES if topic != "sweep"}


def of_topic(topic, *names):
    """Return what a topic writes for a figure, all or some, as named files."""
    return table(**{name: f"claims/{topic}_{name}" for name in names or TOPICS[topic]})


claim_figure = partial(figure, "Claims")
# Script: the topics that it draws whole, with the titles of their figures.
DRAWN_TOPICS = {
    "figures": {
        "centring": "the formula of centring and its misprints",
        "degree": "the degree of the polynomial kernel",
        "rkhs": "components as functions",
    },
    "figures_of_models": {
        "separability": "rings and spirals: linear separability",
        "unrolling": "what unrolls the Swiss roll",
        "limits": "the width of the Gaussian kernel",
        "feature_space": "level lines, and an axis without a pre-image",
        "readings": "components read back to the features",
    },
    "figures_of_studies": {
        "images": "images: error against number of components",
        "population": "eigenvalues of sample and population",
    },
}
CLAIMS_FIGURES = {
    f"claims_{topic}": claim_figure(
        title,
        of_topic(topic),
        script=script,
        params={"seed": SEED} if script == "figures_of_models" else None,
    )
    for script, titles in DRAWN_TOPICS.items()
    for topic, title in titles.items()
}
CLAIMS_FIGURES |= {
    "claims_shift": claim_figure(
        "new points without centring", of_topic("shift", "sizes", "losses"), script="figures"
    ),
    "claims_uncentred": claim_figure(
        "no centring at all", of_topic("shift", "cosines", "losses", "rings"), script="figures"
    ),
    "claims_costs": claim_figure(
        "processor times, measured once", {"times": TIMES}, script="figures_of_studies"
    ),
}
CLAIMS_TABLES = {
    f"claims_{topic}_cases": study_table(
        topic, of_topic(topic) | {"claims": CASES[topic]}, seed=SEED
    )
    for topic in TOPICS
}
# Other studies have measured, too.
CLAIMS_TABLES["claims_studies_cases"] = study_table(
    "studies",
    {"claims": CASES["studies"]},
    table(
        variances="sparse_paths",
        loadings="sparse_loadings",
        wide="sparse_wide",
        errors="linear_svd_errors",
        digits="denoising",
    ),
)
for name, times in {
    "tables/costs": TIMES,
    "timings/costs_statements": results("timings/costs.csv"),
}.items():
    CLAIMS_TABLES[f"claims_{Path(name).name}_table"] = study_table(
        "costs",
        reported(
            f"{name}.csv",
            "Claims",
            "statements on costs with their verdicts",
            "claims/claims_costs",
        ),
        {"times": times, "statements": STATEMENTS},
        shown=times == TIMES,
    )
# The sweep measures nothing: it reads what the tables have.
CLAIMS_TABLES["claims_sweep_cases"] = study_table(
    "sweep",
    {"claims": CASES["sweep"]},
    table("scores", "selected", "variance_rule", "datasets", "comparisons")
    | (table("label_free") if CHOICE else {}),
    shown=LABELLED_ROWS,
)
JUDGEMENT = "tables/claims.csv", "Claims", "every statement with its verdict", "claims/claims"
CLAIMS_TABLES["claims_table"] = study_table(
    "claim",
    {"claims": reported(*JUDGEMENT), "claims_cases": results("tables/claims_cases.csv")},
    JUDGED | {"statements": STATEMENTS},
)
add_study("claims", CLAIMS_TABLES, CLAIMS_FIGURES)
add_target("claims", TARGETS["claims"])
