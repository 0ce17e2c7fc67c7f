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


claim_figure = partial(figure, "Claims", script="figures")
# Some fit models while they are drawn.
model_figure = partial(claim_figure, params={"seed": SEED})
CLAIMS_FIGURES = {
    "claims_centring": claim_figure(
        "the formula of centring and its misprints", of_topic("centring", "spectra")
    ),
    "claims_degree": claim_figure(
        "the degree of the polynomial kernel", of_topic("degree", "scores")
    ),
    "claims_rkhs": claim_figure("components as functions", of_topic("identities")),
    "claims_separability": claim_figure(
        "rings and spirals: linear separability", of_topic("shapes", "planes")
    ),
    "claims_unrolling": model_figure(
        "what unrolls the Swiss roll", of_topic("shapes", "embeddings")
    ),
    "claims_limits": claim_figure(
        "the width of the Gaussian kernel", of_topic("gaussian", "widths")
    ),
    "claims_feature_space": model_figure(
        "level lines, and an axis without a pre-image", of_topic("shapes", "axes")
    ),
    "claims_readings": model_figure(
        "components read back to the features", of_topic("gaussian", "shares")
    ),
    "claims_images": claim_figure(
        "images: error against number of components", of_topic("degree", "images")
    ),
    "claims_population": claim_figure(
        "eigenvalues of sample and population", of_topic("gaussian", "spectra", "residuals")
    ),
    "claims_shift": claim_figure(
        "new points without centring", of_topic("centring", "sizes", "losses")
    ),
    "claims_uncentred": claim_figure(
        "no centring at all", of_topic("centring", "cosines", "losses", "rings")
    ),
    "claims_costs": claim_figure("processor times, measured once", {"times": TIMES}),
}


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
