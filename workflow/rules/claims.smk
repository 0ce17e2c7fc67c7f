"""Every statement of the theory as an experiment: `results/tables/claims.csv` and its figures.

A topic writes its cases to `results/tables/claims/TOPIC.csv`, and beside it what its figure shows.
"""

CLAIM_STUDY = "kpca.pipeline.studies.claims"
STATEMENTS = beside_snakefile("kpca/pipeline/studies/claims/statements.csv")

# The topics whose cases `claims_table` joins, and the figures beside: other rules add theirs.
CLAIM_TOPICS = "centring uncentred shift separability unrolling limits degree".split()
CLAIM_FIGURES = [
    *drawn("claims_overview"),
    *(path for topic in CLAIM_TOPICS for path in drawn(f"claims_{topic}")),
]
# Without labels nothing is tuned, and there is nothing to say of the sweep.
if ROWS and any(may_have("label", DATASETS[name]) for name in ROWS):
    CLAIM_TOPICS.append("sweep")


def topic_tables(topic, *names):
    """Return what a topic writes: its cases, and the tables of its figure."""
    return {"claims": results(f"tables/claims/{topic}.csv")} | {
        name: claim_table(topic, name) for name in names
    }


def measuring(topic):
    """Return the parameters of the rule that measures a topic."""
    arguments = {} if topic == "sweep" else {"seed": CONFIG["seed"]}
    code = fingerprint(f"{CLAIM_STUDY}.{topic}")
    return {"topic": topic, "arguments": arguments, "code": code}


def shown(topic, *names):
    """Return tables of a topic as named inputs of its figure."""
    return {name: claim_table(topic, name) for name in names}


def claim_figure(topic, title):
    """Return the two files of a figure, the first one with its caption for the report."""
    svg, png = drawn(f"claims_{topic}")
    about = {"category": "Claims", "labels": {"figure": title}}
    return [report(svg, caption=f"../report/claims_{topic}.rst", **about), png]


def figure_code(topic):
    """Return the digest of what a figure draws with."""
    drawing = ["shown", "contours", "curves", "boundary"]
    modules = [f"pipeline.{name}" for name in drawing]
    return fingerprint(f"{CLAIM_STUDY}.{topic}", f"{CLAIM_STUDY}.looks", *modules)


rule claims_centring:
    input:
        statements=STATEMENTS,
    output:
        **topic_tables("centring", "spectra", "scores"),
    log:
        results("logs/claims/centring.log"),
    conda:
        ENVIRONMENT
    params:
        **measuring("centring"),
    script:
        "../scripts/claims_topic.py"


use rule claims_centring as claims_uncentred with:
    output:
        **topic_tables("uncentred", "cosines", "losses"),
    log:
        results("logs/claims/uncentred.log"),
    params:
        **measuring("uncentred"),


use rule claims_centring as claims_shift with:
    output:
        **topic_tables("shift", "sizes", "losses", "example"),
    log:
        results("logs/claims/shift.log"),
    params:
        **measuring("shift"),


use rule claims_centring as claims_separability with:
    output:
        **topic_tables("separability", "planes", "lines"),
    log:
        results("logs/claims/separability.log"),
    params:
        **measuring("separability"),


use rule claims_centring as claims_unrolling with:
    output:
        **topic_tables("unrolling", "embeddings"),
    log:
        results("logs/claims/unrolling.log"),
    params:
        **measuring("unrolling"),


use rule claims_centring as claims_limits with:
    output:
        **topic_tables("limits", "widths"),
    log:
        results("logs/claims/limits.log"),
    params:
        **measuring("limits"),


use rule claims_centring as claims_degree with:
    output:
        **topic_tables("degree", "scores", "changes"),
    log:
        results("logs/claims/degree.log"),
    params:
        **measuring("degree"),


# It measures nothing: it reads what the sweep has written.
rule claims_sweep:
    input:
        **table("scores", "selected", "comparisons", "variance_rule", "datasets"),
        **(table("label_free") if MEASURED else {}),
        statements=STATEMENTS,
    output:
        **topic_tables("sweep"),
    log:
        results("logs/claims/sweep.log"),
    conda:
        ENVIRONMENT
    params:
        **measuring("sweep"),
    script:
        "../scripts/claims_topic.py"


rule claims_table:
    input:
        lambda wildcards: [
            results(f"tables/claims/{topic}.csv") for topic in CLAIM_TOPICS
        ],
    output:
        report(
            results("tables/claims.csv"),
            caption="../report/claims.rst",
            category="Claims",
            labels={"table": "every statement with its verdict"},
        ),
        results("tables/claims_cases.csv"),
    log:
        results("logs/claims.log"),
    conda:
        ENVIRONMENT
    params:
        code=fingerprint(f"{CLAIM_STUDY}.claim", "pipeline.tables.tables"),
    script:
        "../scripts/claims_table.py"


rule figure_claims_overview:
    input:
        **table("claims", "claims_cases"),
    output:
        *claim_figure("overview", "every statement with its cases"),
    log:
        results("logs/figures/claims_overview.log"),
    conda:
        ENVIRONMENT
    params:
        code=figure_code("claim"),
    script:
        "../scripts/figure_claims_overview.py"


rule figure_claims_centring:
    input:
        **shown("centring", "spectra", "scores"),
    output:
        *claim_figure("centring", "the formula of centring and its misprints"),
    log:
        results("logs/figures/claims_centring.log"),
    conda:
        ENVIRONMENT
    params:
        code=figure_code("centring"),
    script:
        "../scripts/figure_claims_centring.py"


rule figure_claims_uncentred:
    input:
        **shown("uncentred", "cosines", "losses"),
    output:
        *claim_figure("uncentred", "kernel PCA without centring"),
    log:
        results("logs/figures/claims_uncentred.log"),
    conda:
        ENVIRONMENT
    params:
        code=figure_code("uncentred"),
    script:
        "../scripts/figure_claims_uncentred.py"


rule figure_claims_shift:
    input:
        **shown("shift", "sizes", "losses", "example"),
    output:
        *claim_figure("shift", "new points without their centring term"),
    log:
        results("logs/figures/claims_shift.log"),
    conda:
        ENVIRONMENT
    params:
        code=figure_code("shift"),
    script:
        "../scripts/figure_claims_shift.py"


rule figure_claims_separability:
    input:
        **shown("separability", "planes", "lines"),
    output:
        *claim_figure("separability", "rings and spirals: linear separability"),
    log:
        results("logs/figures/claims_separability.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=figure_code("separability"),
    script:
        "../scripts/figure_claims_separability.py"


rule figure_claims_unrolling:
    input:
        **shown("unrolling", "embeddings"),
    output:
        *claim_figure("unrolling", "what unrolls the Swiss roll"),
    log:
        results("logs/figures/claims_unrolling.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=figure_code("unrolling"),
    script:
        "../scripts/figure_claims_unrolling.py"


rule figure_claims_limits:
    input:
        **shown("limits", "widths"),
    output:
        *claim_figure("limits", "the width of the Gaussian kernel"),
    log:
        results("logs/figures/claims_limits.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=figure_code("limits"),
    script:
        "../scripts/figure_claims_limits.py"


rule figure_claims_degree:
    input:
        **shown("degree", "scores", "changes"),
    output:
        *claim_figure("degree", "the degree of the polynomial kernel"),
    log:
        results("logs/figures/claims_degree.log"),
    conda:
        ENVIRONMENT
    params:
        code=figure_code("degree"),
    script:
        "../scripts/figure_claims_degree.py"


rule claims:
    input:
        lambda wildcards: [*rules.claims_table.output, *CLAIM_FIGURES],
    localrule: True
