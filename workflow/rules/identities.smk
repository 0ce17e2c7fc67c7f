"""Identities of the theory, its functions and spaces, and counted costs: claims with figures."""

# Figure: the tables that it shows.
IDENTITY_TABLES = {
    figure: {name: claim_table(figure, name) for name in names}
    for figure, names in {
        "identities": ["deviations", "gains"],
        "rkhs": ["directions", "ascents", "levels", "gram", "ratios"],
        "feature_space": ["paths", "rows"],
        "costs": ["counts", "crossings"],
    }.items()
}
CLAIM_TOPICS.append("identities")
CLAIM_FIGURES += [path for name in IDENTITY_TABLES for path in drawn(f"claims_{name}")]


rule claims_identities:
    input:
        statements=STATEMENTS,
    output:
        **{k: v for tables in IDENTITY_TABLES.values() for k, v in tables.items()},
        claims=results("tables/claims/identities.csv"),
    log:
        results("logs/claims/identities.log"),
    conda:
        ENVIRONMENT
    params:
        topic="identities",
        arguments={"seed": CONFIG["seed"]},
        code=script_code("claims/identities"),
    script:
        "../scripts/claims/claims_topic.py"


rule figure_claims_identities:
    input:
        **IDENTITY_TABLES["identities"],
    output:
        *claim_figure("identities", "every identity beside the bound of its rule"),
    log:
        results("logs/figures/claims_identities.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/figure_identities"),
    script:
        "../scripts/claims/figure_identities.py"


rule figure_claims_rkhs:
    input:
        **IDENTITY_TABLES["rkhs"],
    output:
        *claim_figure("rkhs", "components as functions"),
    log:
        results("logs/figures/claims_rkhs.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/figure_rkhs"),
    script:
        "../scripts/claims/figure_rkhs.py"


rule figure_claims_feature_space:
    input:
        **IDENTITY_TABLES["feature_space"],
    output:
        *claim_figure("feature_space", "level lines, and an axis without a pre-image"),
    log:
        results("logs/figures/claims_feature_space.log"),
    conda:
        ENVIRONMENT
    params:
        seed=CONFIG["seed"],
        code=script_code("claims/figure_feature_space"),
    script:
        "../scripts/claims/figure_feature_space.py"


rule figure_claims_costs:
    input:
        **IDENTITY_TABLES["costs"],
    output:
        *claim_figure("costs", "multiplications of PCA and kernel PCA"),
    log:
        results("logs/figures/claims_costs.log"),
    conda:
        ENVIRONMENT
    params:
        code=script_code("claims/figure_costs"),
    script:
        "../scripts/claims/figure_costs.py"
