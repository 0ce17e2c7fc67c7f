"""Every statement of the theory as an experiment: `results/tables/claims.csv` and its figures.

A topic writes its cases to `results/tables/claims/TOPIC.csv`, and beside it what its figure shows.
"""

STATEMENTS = shipped("workflow/scripts/claims/statements.csv")
# Times that were measured once, on one machine; `snakemake costs` measures anew.
TIMES = shipped("benchmarks/costs.csv")
# Topic: the tables beside its cases, which its figure shows.
TOPICS = {
    "centring": ["spectra", "rings", "sizes", "cosines", "losses"],
    "identities": ["ascents"],
    "shapes": ["planes", "embeddings", "axes"],
    "gaussian": ["widths", "shares", "spectra", "residuals"],
    "degree": ["scores", "images"],
    "known_answers": [],
    "landmark_choices": [],
}
CASES = {topic: results(f"tables/claims/{topic}.csv") for topic in [*TOPICS, "studies", "sweep"]}
# Without labels nothing is tuned, and there is nothing to say of the sweep.
JUDGED = CASES if LABELLED_ROWS else {topic: CASES[topic] for topic in CASES if topic != "sweep"}


def of_topic(topic, *names):
    """Return what a topic writes for a figure, all or some, as named files."""
    return table(**{name: f"claims/{topic}_{name}" for name in names or TOPICS[topic]})


# Figure: its title, and the topic and the tables that it shows.
SHOWN_CLAIMS = {
    "claims_centring": ("the formula of centring and its misprints", "centring", "spectra"),
    "claims_degree": ("the degree of the polynomial kernel", "degree", "scores"),
    "claims_rkhs": ("components as functions", "identities", "ascents"),
    "claims_separability": ("rings and spirals: linear separability", "shapes", "planes"),
    "claims_unrolling": ("what unrolls the Swiss roll", "shapes", "embeddings"),
    "claims_limits": ("the width of the Gaussian kernel", "gaussian", "widths"),
    "claims_feature_space": ("level lines, and an axis without a pre-image", "shapes", "axes"),
    "claims_readings": ("components read back to the features", "gaussian", "shares"),
    "claims_images": ("images: error against number of components", "degree", "images"),
    "claims_population": (
        "eigenvalues of sample and population",
        *("gaussian", "spectra", "residuals"),
    ),
    "claims_shift": ("new points without centring", "centring", "sizes", "losses"),
    "claims_uncentred": ("no centring at all", "centring", "cosines", "losses", "rings"),
}
# They fit models while they are drawn.
SEEDED = ("claims_unrolling", "claims_feature_space", "claims_readings")
claim_figure = partial(figure, "Claims", script="figures")
CLAIMS_FIGURES = {
    name: claim_figure(title, of_topic(*shown), params={"seed": SEED} if name in SEEDED else None)
    for name, (title, *shown) in SHOWN_CLAIMS.items()
}
CLAIMS_FIGURES |= {"claims_costs": claim_figure("processor times, measured once", {"times": TIMES})}


def statements_on_costs(file, times, shown):
    """Return the job that judges the statements on costs by some times."""
    title = "statements on costs with their verdicts"
    judged = reported(file, "Claims", title, "claims/claims_costs")
    return study_table("costs", judged, {"times": times, "statements": STATEMENTS}, shown=shown)


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
CLAIMS_TABLES["claims_costs_table"] = statements_on_costs("tables/costs.csv", TIMES, True)
CLAIMS_TABLES["claims_costs_statements_table"] = statements_on_costs(
    "timings/costs_statements.csv", results("timings/costs.csv"), False
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
