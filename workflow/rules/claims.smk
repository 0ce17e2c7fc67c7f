"""Every statement of the theory as an experiment: `results/tables/claims.csv` and its figures.

A topic writes its cases to `results/tables/claims/TOPIC.csv`, and beside it what its figure shows.
"""

STATEMENTS = beside_snakefile("workflow/scripts/claims/statements.csv")
TOPICS = "centring shift separability unrolling limits degree identities rkhs".split()
TOPICS += ["feature_space", "costs"]
# Without labels nothing is tuned, and there is nothing to say of the sweep.
JUDGED = [*TOPICS, "sweep"] if LABELLED_ROWS else TOPICS


rule claims_table:
    input:
        **{topic: results(f"tables/claims/{topic}.csv") for topic in JUDGED},
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


rule claims_overview:
    input:
        **table("claims", "claims_cases"),
    output:
        figure("claims/claims_overview", "Claims", "every statement with its cases"),
    log:
        results("logs/figures/claims_overview.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/figure_overview"),
    script:
        "../scripts/claims/figure_overview.py"


rule claims_centring_cases:
    output:
        **of_topic("centring", "spectra", "scores"),
        claims=results("tables/claims/centring.csv"),
    log:
        results("logs/claims/centring.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/centring"),
    script:
        "../scripts/claims/centring.py"


rule claims_centring:
    input:
        **of_topic("centring", "spectra", "scores"),
    output:
        figure(
            "claims/claims_centring",
            "Claims",
            "the formula of centring and its misprints",
        ),
    log:
        results("logs/figures/claims_centring.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/figure_centring"),
    script:
        "../scripts/claims/figure_centring.py"


rule claims_shift_cases:
    output:
        **of_topic("shift", "sizes", "cosines", "losses", "example"),
        claims=results("tables/claims/shift.csv"),
    log:
        results("logs/claims/shift.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/shift"),
    script:
        "../scripts/claims/shift.py"


rule claims_shift:
    input:
        **of_topic("shift", "sizes", "cosines", "losses", "example"),
    output:
        figure("claims/claims_shift", "Claims", "what is lost without centring"),
    log:
        results("logs/figures/claims_shift.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/figure_shift"),
    script:
        "../scripts/claims/figure_shift.py"


rule claims_separability_cases:
    output:
        **of_topic("separability", "planes"),
        claims=results("tables/claims/separability.csv"),
    log:
        results("logs/claims/separability.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/separability"),
    script:
        "../scripts/claims/separability.py"


rule claims_separability:
    input:
        **of_topic("separability", "planes"),
    output:
        figure(
            "claims/claims_separability",
            "Claims",
            "rings and spirals: linear separability",
        ),
    log:
        results("logs/figures/claims_separability.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/figure_separability"),
    script:
        "../scripts/claims/figure_separability.py"


rule claims_unrolling_cases:
    output:
        **of_topic("unrolling", "embeddings"),
        claims=results("tables/claims/unrolling.csv"),
    log:
        results("logs/claims/unrolling.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/unrolling"),
    script:
        "../scripts/claims/unrolling.py"


rule claims_unrolling:
    input:
        **of_topic("unrolling", "embeddings"),
    output:
        figure("claims/claims_unrolling", "Claims", "what unrolls the Swiss roll"),
    log:
        results("logs/figures/claims_unrolling.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/figure_unrolling"),
    script:
        "../scripts/claims/figure_unrolling.py"


rule claims_limits_cases:
    output:
        **of_topic("limits", "widths"),
        claims=results("tables/claims/limits.csv"),
    log:
        results("logs/claims/limits.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/limits"),
    script:
        "../scripts/claims/limits.py"


rule claims_limits:
    input:
        **of_topic("limits", "widths"),
    output:
        figure("claims/claims_limits", "Claims", "the width of the Gaussian kernel"),
    log:
        results("logs/figures/claims_limits.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/figure_limits"),
    script:
        "../scripts/claims/figure_limits.py"


rule claims_degree_cases:
    output:
        **of_topic("degree", "scores"),
        claims=results("tables/claims/degree.csv"),
    log:
        results("logs/claims/degree.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/degree"),
    script:
        "../scripts/claims/degree.py"


rule claims_degree:
    input:
        **of_topic("degree", "scores"),
    output:
        figure("claims/claims_degree", "Claims", "the degree of the polynomial kernel"),
    log:
        results("logs/figures/claims_degree.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/figure_degree"),
    script:
        "../scripts/claims/figure_degree.py"


rule claims_identities_cases:
    output:
        **of_topic("identities", "gains"),
        claims=results("tables/claims/identities.csv"),
    log:
        results("logs/claims/identities.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/identities"),
    script:
        "../scripts/claims/identities.py"


rule claims_identities:
    input:
        **of_topic("identities", "gains"),
        statements=STATEMENTS,
        identities=results("tables/claims/identities.csv"),
        rkhs=results("tables/claims/rkhs.csv"),
    output:
        figure(
            "claims/claims_identities",
            "Claims",
            "every identity beside the bound of its rule",
        ),
    log:
        results("logs/figures/claims_identities.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/figure_identities"),
    script:
        "../scripts/claims/figure_identities.py"


rule claims_rkhs_cases:
    output:
        **of_topic("rkhs", "ascents", "ratios"),
        claims=results("tables/claims/rkhs.csv"),
    log:
        results("logs/claims/rkhs.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/rkhs"),
    script:
        "../scripts/claims/rkhs.py"


rule claims_rkhs:
    input:
        **of_topic("rkhs", "ascents", "ratios"),
    output:
        figure("claims/claims_rkhs", "Claims", "components as functions"),
    log:
        results("logs/figures/claims_rkhs.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/figure_rkhs"),
    script:
        "../scripts/claims/figure_rkhs.py"


rule claims_feature_space_cases:
    output:
        **of_topic("feature_space", "axes", "rows"),
        claims=results("tables/claims/feature_space.csv"),
    log:
        results("logs/claims/feature_space.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/feature_space"),
    script:
        "../scripts/claims/feature_space.py"


rule claims_feature_space:
    input:
        **of_topic("feature_space", "axes", "rows"),
    output:
        figure(
            "claims/claims_feature_space",
            "Claims",
            "level lines, and an axis without a pre-image",
        ),
    log:
        results("logs/figures/claims_feature_space.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/figure_feature_space"),
    script:
        "../scripts/claims/figure_feature_space.py"


rule claims_costs_cases:
    output:
        **of_topic("costs", "counts", "crossings"),
        claims=results("tables/claims/costs.csv"),
    log:
        results("logs/claims/costs.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/costs"),
    script:
        "../scripts/claims/costs.py"


rule claims_costs:
    input:
        **of_topic("costs", "counts", "crossings"),
    output:
        figure("claims/claims_costs", "Claims", "multiplications of PCA and kernel PCA"),
    log:
        results("logs/figures/claims_costs.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/figure_costs"),
    script:
        "../scripts/claims/figure_costs.py"


# The sweep measures nothing: it reads what the tables have.
rule claims_sweep_cases:
    input:
        **table("scores", "selected", "comparisons", "variance_rule", "datasets"),
        **(table("label_free") if CHOICE else {}),
    output:
        claims=results("tables/claims/sweep.csv"),
    log:
        results("logs/claims/sweep.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/sweep"),
    script:
        "../scripts/claims/sweep.py"


TARGETS["claims"] = [
    *(getattr(rules, f"claims_{topic}_cases").output for topic in JUDGED),
    *rules.claims_table.output,
    *drawn("claims_overview", *(f"claims_{topic}" for topic in TOPICS)),
]


rule claims:
    input:
        TARGETS["claims"],
    localrule: True
