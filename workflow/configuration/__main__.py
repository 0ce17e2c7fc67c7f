"""Check a file without a run: ``python -m workflow.configuration my.yaml``.

Of a file that is no YAML, Snakemake itself tells neither name nor line.
"""

import sys
from pathlib import Path

from kpca.reading.errors import InputError, input_error
from workflow.configuration.config import check_config
from workflow.configuration.explain import read_yaml


def check_file(file: Path) -> None:
    """Raise everything that is wrong with a file as a configuration; data are not read."""
    config = read_yaml(file)
    if not isinstance(config, dict):
        raise input_error("configuration", [f"{file}: there are no keys; write `key: value`"])
    check_config(config, [file])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m workflow.configuration FILE")
    try:
        check_file(Path(sys.argv[1]))
    except (InputError, OSError) as error:
        sys.exit(str(error))
    print("nothing is wrong with it")
