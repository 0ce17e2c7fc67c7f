"""Datasets with their splits, their fits and scores, which are stored one by one, and the tables."""

SCORES = made_of("scores", DATASETS)


# One job per dataset. Where it has `parts`, as many jobs before it fill the folder of entries.
WHOLE_SWEEP = study_table(
    "fit_and_score",
    [results("fits/{dataset}.npz"), results("scores/{dataset}.npz")],
    {"sources": parts_of, "dataset": results("datasets/{dataset}.npz")},
    priority=2,
    memory=1500,
    sweep=lambda wildcards: sweep_of(config, wildcards.dataset),
    part=lambda wildcards: [int(number) for number in wildcards[1:]],
    input_digest=lambda wildcards: input_digest_of(config, wildcards.dataset),
    # How results are stored changes none of them.
    code=code_of("workflow/scripts/sweep/fit_and_score.py", STORED, words=False),
) | {"runtime": 240, "threads": threads_of_sweep}
PART_OF_SWEEP = WHOLE_SWEEP | {
    "inputs": {"dataset": results("datasets/{dataset}.npz")},
    "outputs": temp(touch(results("parts/{dataset}-{part}-of-{parts}"))),
}
for rule_name, entry, job in (
    ("sweep", WHOLE_SWEEP, "{dataset}"),
    ("sweep_part", PART_OF_SWEEP, "{dataset}-{part}-of-{parts}"),
):
    add_rule(rule_name, entry, "sweep/fit_and_score", results(f"logs/sweep/{job}.log"))


SWEEP_TABLES = {
    "dataset": study_table(
        "make_dataset",
        results("datasets/{dataset}.npz"),
        {"sources": own_file},
        shown=False,
        priority=2,
        name=lambda wildcards: wildcards.dataset,
        spec=lambda wildcards: source_of(DATASETS[wildcards.dataset]),
        draw=draw_of,
        input_digest=lambda wildcards: source_key(config, wildcards.dataset),
    ),
    "tables": study_table(
        "make_tables",
        table("datasets", "scores", "variance_rule", "selected", "budgets"),
        {"datasets": made_of("datasets", DATASETS), "stores": SCORES},
        priority=2,
        memory=4000,
        left_out=LOADED.left_out,
        input_digest=INPUT_DIGEST,
    ),
    "provenance": study_table(
        "provenance",
        results("provenance.csv"),
        config=config,
        digests={name: code_below(name) for name in ("kpca", "workflow")},
    ),
}

# Targets too, since Snakemake does not miss what is missing in the middle.
STORES = [made_of("datasets", DATASETS), made_of("fits", DATASETS), SCORES]
