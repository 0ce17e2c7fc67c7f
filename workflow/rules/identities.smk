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
IDENTITY_CLAIMS = results("tables/claims/identities.csv")
IDENTITY_FIGURES = [
    path for name in IDENTITY_TABLES for path in drawn(f"claims_{name}")
]


rule claims_identities:
    input:
        statements=beside_snakefile("kpca/pipeline/studies/claims/stated.csv"),
    output:
        **{k: v for tables in IDENTITY_TABLES.values() for k, v in tables.items()},
        claims=IDENTITY_CLAIMS,
    log:
        results("logs/claims/identities.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        topic="identities",
        arguments={"seed": CONFIG["seed"]},
        code=fingerprint("kpca.pipeline.studies.claims.identities"),
    script:
        "../scripts/claims_topic.py"


rule figure_claims_identities:
    input:
        **IDENTITY_TABLES["identities"],
    output:
        report(
            results("figures/claims_identities.svg"),
            caption="../report/claims_identities.rst",
            category="Claims",
            labels={"figure": "every identity beside the bound of its rule"},
        ),
        results("figures/claims_identities.png"),
    log:
        results("logs/figures/claims_identities.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kpca.pipeline.style"),
    script:
        "../scripts/figure_claims_identities.py"


rule figure_claims_rkhs:
    input:
        **IDENTITY_TABLES["rkhs"],
    output:
        report(
            results("figures/claims_rkhs.svg"),
            caption="../report/claims_rkhs.rst",
            category="Claims",
            labels={"figure": "components as functions"},
        ),
        results("figures/claims_rkhs.png"),
    log:
        results("logs/figures/claims_rkhs.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kpca.pipeline.style"),
    script:
        "../scripts/figure_claims_rkhs.py"


rule figure_claims_feature_space:
    input:
        **IDENTITY_TABLES["feature_space"],
    output:
        report(
            results("figures/claims_feature_space.svg"),
            caption="../report/claims_feature_space.rst",
            category="Claims",
            labels={"figure": "level lines, and an axis without a pre-image"},
        ),
        results("figures/claims_feature_space.png"),
    log:
        results("logs/figures/claims_feature_space.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        seed=CONFIG["seed"],
        code=fingerprint(
            "kpca.pipeline.contours", "kpca.pipeline.studies.claims.feature_space"
        ),
    script:
        "../scripts/figure_claims_feature_space.py"


rule figure_claims_costs:
    input:
        **IDENTITY_TABLES["costs"],
    output:
        report(
            results("figures/claims_costs.svg"),
            caption="../report/claims_costs.rst",
            category="Claims",
            labels={"figure": "multiplications of PCA and kernel PCA"},
        ),
        results("figures/claims_costs.png"),
    log:
        results("logs/figures/claims_costs.log"),
    conda:
        ENVIRONMENT
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kpca.pipeline.style", "kpca.pipeline.studies.claims.costs"),
    script:
        "../scripts/figure_claims_costs.py"
