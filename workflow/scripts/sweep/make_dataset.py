"""Make a dataset with its splits."""

from typing import Any

from pipeline.datasets import describe, make_dataset


def main(name: str, spec: dict[str, Any], seed: int, replicates: int, output: str) -> str:
    """Write the dataset; return what it is, in words."""
    dataset = make_dataset(name, spec, seed=seed, replicates=replicates)
    dataset.save(output)
    return ", ".join(f"{key} {value}" for key, value in describe(dataset).items())


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake) as log:
        arguments = {n: snakemake.params[n] for n in ("spec", "seed", "replicates")}
        log.info(main(snakemake.wildcards.dataset, **arguments, output=snakemake.output[0]))
