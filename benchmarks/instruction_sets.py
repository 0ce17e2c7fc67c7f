"""What moves in the results where processors offer other instructions.

    python -m benchmarks.instruction_sets CONFIG FOLDER CORES

The tables of CONFIG, once as the machine is and once for each entry of `SETS`, in folders below
FOLDER; each is then held against the first by `pipeline.compare`, whose words are written beside it
as ``NAME.txt``, and every verdict that changed stands in ``verdicts.csv``.
"""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import yaml

from pipeline.compare import compare_folders

ROOT = Path(__file__).parents[1]
AS_IT_IS = "as it is"
SETS = {
    "linear algebra by SSE4.2": {"OPENBLAS_CORETYPE": "Nehalem"},
    "linear algebra by AVX": {"OPENBLAS_CORETYPE": "Sandybridge"},
    "NumPy by SSE4.2": {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"},
}
"""Name → variables of the environment that take instructions away."""

TARGETS = ("results/tables/decisions.csv", "results/tables/claims.csv")
VERDICTS = {
    "comparisons": ["dataset", "method", "metric", "kernel", "criterion"],
    "decisions": ["dataset"],
    "claims": ["claim"],
}
"""Table → columns that name its rows."""


def run(config: dict[str, object], folder: Path, cores: str, variables: dict[str, str]) -> Path:
    """Make the tables in a folder, and return that of the results."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    options = ["--snakefile", str(ROOT / "Snakefile"), "--configfile", "config.yaml", "--quiet"]
    command = [sys.executable, "-m", "snakemake", *options, "--cores", cores, "--", *TARGETS]
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | variables
    subprocess.run(command, check=True, cwd=folder, env=environment)
    return folder / "results"


def changed_verdicts(before: Path, after: Path) -> pd.DataFrame:
    """Return every verdict that differs between two folders of results."""
    found = []
    for table, keys in VERDICTS.items():
        rows, others = (pd.read_csv(folder / f"tables/{table}.csv") for folder in (before, after))
        both = rows.merge(others, on=keys, suffixes=("_before", "_after"))
        names = [", ".join(map(str, row)) for row in both[keys].itertuples(index=False)]
        verdicts = both[["verdict_before", "verdict_after"]].assign(table=table, row=names)
        differ = verdicts["verdict_before"].fillna("") != verdicts["verdict_after"].fillna("")
        found.append(verdicts[differ])
    return pd.concat(found, ignore_index=True)


def main(config: str, folder: str, cores: str) -> None:
    """Run all, and write what moved."""
    place = Path(folder).resolve()
    settings = yaml.safe_load(Path(config).read_text(encoding="utf-8")) | {"results": "results"}
    before, verdicts = run(settings, place / AS_IT_IS, cores, {}), []
    for name, variables in SETS.items():
        after = run(settings, place / name, cores, variables)
        _, words = compare_folders(before, after)
        (place / f"{name}.txt").write_text(words + "\n", encoding="utf-8")
        verdicts.append(changed_verdicts(before, after).assign(instructions=name))
    pd.concat(verdicts).to_csv(place / "verdicts.csv", index=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
