"""Experiments on the statements of the theory: `results/tables/claims.csv` and its figures.

Each topic writes its cases (measurements that test a statement) to
`results/tables/claims/TOPIC.csv`, and the data of its figures to
`results/tables/claims/TOPIC_NAME.csv`.
"""

STATEMENTS = shipped("workflow/scripts/claims/statements.csv")
# Times that were measured once on one machine; `snakemake costs` measures them again.
TIMES = shipped("benchmarks/costs.csv")
CLAIMS_CODE = [*CORE, *modules("kpca/inspection/*.py", "workflow/scripts/claims/c*.py")]
CLAIMS_CODE += modules(
    "kpca/reading/errors.py",
    "kpca/study/datasets/generators.py",
    "kpca/study/evidence/statistics.py",
    "kpca/study/fitting/*.py",
    "kpca/study/scoring/*.py",
    "workflow/scripts/experiments/centring.py",
    "workflow/scripts/experiments/setting.py",
    "workflow/scripts/experiments/settings.yaml",
    "workflow/scripts/experiments/shapes.py",
)
COSTS_CODE = [*CLAIMS_CODE, *modules("workflow/scripts/claims/exponents.csv")]


rule claims_centring_cases:
    input:
        code=CLAIMS_CODE,
    output:
        **claims_tables("centring", "spectra", "losses"),
    log:
        results("logs/claims_centring_cases.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/experiments/centring.py"


rule claims_identities_cases:
    input:
        code=CLAIMS_CODE,
    output:
        **claims_tables("identities"),
    log:
        results("logs/claims_identities_cases.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/experiments/identities.py"


rule claims_shapes_cases:
    input:
        code=[*CLAIMS_CODE, *modules("workflow/drawing/plane.py")],
    output:
        **claims_tables("shapes", "embeddings"),
    log:
        results("logs/claims_shapes_cases.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/experiments/shapes.py"


rule claims_gaussian_cases:
    input:
        code=CLAIMS_CODE,
    output:
        **claims_tables("gaussian", "widths", "shares"),
    log:
        results("logs/claims_gaussian_cases.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/experiments/gaussian.py"


rule claims_degree_cases:
    input:
        code=CLAIMS_CODE,
    output:
        **claims_tables("degree", "scores", "images"),
    log:
        results("logs/claims_degree_cases.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/experiments/degree.py"


rule claims_known_answers_cases:
    input:
        code=CLAIMS_CODE,
    output:
        **claims_tables("known_answers"),
    log:
        results("logs/claims_known_answers_cases.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/experiments/known_answers.py"


rule claims_landmark_choices_cases:
    input:
        code=CLAIMS_CODE,
    output:
        **claims_tables("landmark_choices"),
    log:
        results("logs/claims_landmark_choices_cases.log"),
    priority: 1
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/experiments/landmark_choices.py"


rule claims_studies_cases:
    """Cases from the tables of other studies."""
    input:
        **table(
            variances="sparse_paths",
            loadings="sparse_loadings",
            wide="sparse_wide",
            errors="linear_svd_errors",
            digits="denoising",
        ),
        code=CLAIMS_CODE,
    output:
        **claims_tables("studies"),
    log:
        results("logs/claims_studies_cases.log"),
    priority: 1
    conda:
        ENVIRONMENT
    script:
        "../scripts/claims/studies.py"


rule claims_sweep_cases:
    """Cases from the tables of the sweep."""
    input:
        **table("scores", "selected", "variance_rule", "datasets", "comparisons"),
        **(table("label_free") if CHOICE else {}),
        code=[*CLAIMS_CODE, *modules("workflow/scripts/claims/compared.csv")],
    output:
        **claims_tables("sweep"),
    log:
        results("logs/claims_sweep_cases.log"),
    priority: 1
    conda:
        ENVIRONMENT
    script:
        "../scripts/claims/sweep.py"


rule claims_costs_table:
    """Statements on costs, judged by times that were measured once."""
    input:
        times=TIMES,
        statements=STATEMENTS,
        code=COSTS_CODE,
    output:
        reported(
            "tables/costs.csv",
            "Claims",
            "statements on costs with their verdicts",
            "claims/costs",
        ),
    log:
        results("logs/claims_costs_table.log"),
    conda:
        ENVIRONMENT
    script:
        "../scripts/claims/costs.py"


use rule claims_costs_table as claims_costs_statements_table with:
    input:
        times=results("timings/costs.csv"),
        statements=STATEMENTS,
        code=COSTS_CODE,
    output:
        reported(
            "timings/costs_statements.csv",
            "Claims",
            "statements on costs with their verdicts",
            "claims/costs",
        ),
    log:
        results("logs/claims_costs_statements_table.log"),


rule claims_table:
    """Verdicts on all statements; without labels, statements about the sweep are left out."""
    input:
        **({"sweep": rules.claims_sweep_cases.output.claims} if LABELLED_ROWS else {}),
        centring=rules.claims_centring_cases.output.claims,
        identities=rules.claims_identities_cases.output.claims,
        shapes=rules.claims_shapes_cases.output.claims,
        gaussian=rules.claims_gaussian_cases.output.claims,
        degree=rules.claims_degree_cases.output.claims,
        known_answers=rules.claims_known_answers_cases.output.claims,
        landmark_choices=rules.claims_landmark_choices_cases.output.claims,
        studies=rules.claims_studies_cases.output.claims,
        statements=STATEMENTS,
        code=CLAIMS_CODE,
    output:
        claims=reported(
            "tables/claims.csv", "Claims", "every statement with its verdict", "claims/claims"
        ),
        claims_cases=results("tables/claims_cases.csv"),
    log:
        results("logs/claims_table.log"),
    conda:
        ENVIRONMENT
    script:
        "../scripts/claims/claim.py"


rule claims_figures:
    input:
        spectra=rules.claims_centring_cases.output.spectra,
        losses=rules.claims_centring_cases.output.losses,
        scores=rules.claims_degree_cases.output.scores,
        images=rules.claims_degree_cases.output.images,
        embeddings=rules.claims_shapes_cases.output.embeddings,
        widths=rules.claims_gaussian_cases.output.widths,
        shares=rules.claims_gaussian_cases.output.shares,
        code=[
            *CLAIMS_CODE,
            *modules("workflow/scripts/experiments/*.py", "workflow/scripts/claims_figures/*.py"),
            *DRAWING,
        ],
    output:
        **drawn(
            "Claims",
            "claims_figures",
            {
                "figures/claims_centring.svg": "the formula of centring and its misprints",
                "figures/claims_degree.svg": "the degree of the polynomial kernel",
                "figures/claims_unrolling.svg": "what unrolls the Swiss roll",
                "figures/claims_limits.svg": "the width of the Gaussian kernel",
                "figures/claims_feature_space.svg": "level lines in the plane and in the feature space",
                "figures/claims_readings.svg": "components read back to the features",
                "figures/claims_images.svg": "images: error against number of components",
                "figures/claims_uncentred.svg": "what leaving out the centring costs",
            },
        ),
    log:
        results("logs/figures/claims.log"),
    conda:
        ENVIRONMENT
    params:
        seed=SEED,
    script:
        "../scripts/claims_figures/figures.py"


CLAIMS = [*rules.claims_table.output, *rules.claims_costs_table.output]
CLAIMS += rules.claims_figures.output


rule claims:
    input:
        CLAIMS,
    localrule: True
