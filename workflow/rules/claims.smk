"""Every statement of the theory as an experiment: `results/tables/claims.csv` and its figures.

A topic writes its cases to `results/tables/claims/TOPIC.csv`, and beside it what its figure shows.
"""

STATEMENTS = beside_snakefile("workflow/scripts/claims/statements.csv")

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
    code = script_code(f"claims/{topic}")
    return {"topic": topic, "arguments": arguments, "code": code}


def shown(topic, *names):
    """Return tables of a topic as named inputs of its figure."""
    return {name: claim_table(topic, name) for name in names}


def claim_figure(topic, title):
    """Return the two files of a figure, the first one with its caption for the report."""
    svg, png = drawn(f"claims_{topic}")
    about = {"category": "Claims", "labels": {"figure": title}}
    return [report(svg, caption=f"../scripts/claims/claims_{topic}.rst", **about), png]


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
        "../scripts/claims/claims_topic.py"


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
        "../scripts/claims/claims_topic.py"


rule claims_table:
    input:
        lambda wildcards: [
            results(f"tables/claims/{topic}.csv") for topic in CLAIM_TOPICS
        ],
    output:
        report(
            results("tables/claims.csv"),
            caption="../scripts/claims/claims.rst",
            category="Claims",
            labels={"table": "every statement with its verdict"},
        ),
        results("tables/claims_cases.csv"),
    log:
        results("logs/claims.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/claims_table"),
    script:
        "../scripts/claims/claims_table.py"


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
        code=script_code("claims/figure_overview"),
    script:
        "../scripts/claims/figure_overview.py"


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
        code=script_code("claims/figure_centring"),
    script:
        "../scripts/claims/figure_centring.py"


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
        code=script_code("claims/figure_uncentred"),
    script:
        "../scripts/claims/figure_uncentred.py"


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
        code=script_code("claims/figure_shift"),
    script:
        "../scripts/claims/figure_shift.py"


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
        code=script_code("claims/figure_separability"),
    script:
        "../scripts/claims/figure_separability.py"


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
        code=script_code("claims/figure_unrolling"),
    script:
        "../scripts/claims/figure_unrolling.py"


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
        code=script_code("claims/figure_limits"),
    script:
        "../scripts/claims/figure_limits.py"


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
        code=script_code("claims/figure_degree"),
    script:
        "../scripts/claims/figure_degree.py"


rule claims:
    input:
        lambda wildcards: [*rules.claims_table.output, *CLAIM_FIGURES],
    localrule: True
