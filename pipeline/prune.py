"""Remove stored fits and scores that no configuration needs: `python -m pipeline.prune`.

    python -m pipeline.prune config/config.yaml my.yaml

keeps what the configurations that are named need, all of those whose entries shall stay; without
one, what `config/config.yaml` needs. It looks into the folders of results of these configurations,
and is to be run where Snakemake is.
"""

import sys
from pathlib import Path

import yaml

from pipeline.configuration.config import resolve
from pipeline.entries import Entries
from pipeline.errors import input_error
from pipeline.outlook import tasks_of

DEFAULT = "config/config.yaml"


def prune(files: list[str]) -> str:
    """Remove what the configurations do not need, and say how much it was.

    Scores go by the file, all of one representation of one replicate.

    Raises
    ------
    InputError
        Where a dataset is not made as its configuration says, since its entries are not known then.
    """
    kept: dict[Path, set[Path]] = {}
    problems = []
    for file in files:
        config = resolve(yaml.safe_load(Path(file).read_text(encoding="utf-8")))
        folder = Path(config["results"], "entries")
        entries, needed = Entries(folder), kept.setdefault(folder, set())
        for dataset in config["datasets"]:
            listed = tasks_of(config, dataset)
            if listed is None:
                target = f"{config['results']}/datasets/{dataset}.npz"
                problems.append(
                    f"dataset {dataset!r} of {file} is not made as it is configured, and its "
                    f"entries are not known; first run `snakemake {target} --configfile {file}`"
                )
            for task in listed or []:
                needed |= {entries.fit_path(task), entries.scores_path(task)}
    if problems:
        raise input_error("nothing removed", problems)
    gone = [
        path
        for folder, needed in kept.items()
        for path in sorted(folder.glob("*/*"))
        if path.is_file() and path not in needed
    ]
    size = sum(path.stat().st_size for path in gone)
    for path in gone:
        path.unlink()
    return f"{len(gone)} files removed ({size / 1e6:.1f} MB), {sum(map(len, kept.values()))} needed"


if __name__ == "__main__":
    try:
        print(prune(sys.argv[1:] or [DEFAULT]))
    except (ValueError, OSError) as error:
        sys.exit(f"error: {error}")
