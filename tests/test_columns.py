"""Two documents have every column of every table that a run writes, and no other.

Of tables that config/test.yaml does not write, the function that makes them is called with as
little as it takes; what is too dear for that, the times and the USPS digits, has a line in its own
tests.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from benchmarks import scaling
from pipeline.datasets.make import make_dataset
from pipeline.evaluation.settings import Settings
from tests.columns import columns_of
from tests.workflow.pipeline import small_config, succeeded
from workflow.scripts.claims import (
    centring,
    costs,
    degree,
    feature_space,
    identities,
    limits,
    rkhs,
    separability,
    shift,
    unrolling,
)
from workflow.scripts.claims.claim import joined
from workflow.scripts.input_space import curves, denoising
from workflow.scripts.large_n import landmarks
from workflow.scripts.linear import agreement, sparse_features, sparse_paths, svd_errors
from workflow.scripts.papers.overview import tables as paper_tables
from workflow.scripts.papers.scholkopf1998 import figures
from workflow.scripts.papers.zou2006 import table as zou

ROOT = Path(__file__).parents[1]
PAPERS = ROOT / "workflow/scripts/papers"
Tables = dict[str, pd.DataFrame]
FEW: dict[str, Any] = {"seed": 0, "replicates": 2}
IRIS = {"iris": {"sklearn": "iris"}}
TOPICS: dict[str, Callable[[], Tables]] = {
    "centring": lambda: centring.measure(seed=0),
    "costs": costs.measure,
    "degree": lambda: degree.measure(**FEW, datasets=IRIS, degrees=(degree.LOW, degree.HIGH)),
    "feature_space": lambda: feature_space.measure(seed=0),
    "identities": lambda: identities.measure(**FEW),
    "limits": lambda: limits.measure(**FEW, widths=(limits.SMALL, limits.LARGE)),
    "rkhs": lambda: rkhs.measure(seed=0),
    "separability": lambda: separability.measure(**FEW, multiples=[1], n_components=[2]),
    "shift": lambda: shift.measure(**FEW, datasets=IRIS),
    "unrolling": lambda: unrolling.measure(**FEW, n=60, grid={"rbf": [1], "geodesic": [8]}),
}


def of_topics() -> Tables:
    found = {topic: measure() for topic, measure in TOPICS.items()}
    statements = pd.read_csv(ROOT / "workflow/scripts/claims/statements.csv")
    cases = {topic: tables.pop("claims") for topic, tables in found.items()}
    whole = joined(statements, **cases)
    return (
        {f"tables/claims/{topic}.csv": table for topic, table in cases.items()}
        | {f"tables/claims/{t}_{n}.csv": table for t in found for n, table in found[t].items()}
        | {f"tables/{name}.csv": table for name, table in whole.items()}
    )


def of_papers() -> Tables:
    published = {name: PAPERS / name / "published.csv" for name in ("scholkopf1998", "zou2006")}
    correlations = pd.read_csv(PAPERS / "zou2006/pitprops.csv")
    drawn = figures.table(pd.read_csv(published["scholkopf1998"]), seed=0, draws=3)
    loadings = zou.table(pd.read_csv(published["zou2006"]), correlations)
    return {"papers/scholkopf1998/figures.csv": drawn, "papers/zou2006/table.csv": loadings}


def of_overview(tmp_path: Path) -> Tables:
    ours = tmp_path / "zou2006/table.csv"
    ours.parent.mkdir()
    of_papers()["papers/zou2006/table.csv"].to_csv(ours, index=False)
    known = (str(PAPERS / f"zou2006/{name}.csv") for name in ("tables", "published"))
    found = paper_tables(*([path] for path in known), [str(ours)])
    return {f"papers/{name}.csv": table for name, table in found.items()}


def of_linear_methods() -> Tables:
    one = dict.fromkeys(("pitprops", "breast_cancer", "digits"), 1)
    sparse = sparse_paths.tables(pd.read_csv(PAPERS / "zou2006/pitprops.csv"), [0.5], one)
    settings = Settings.from_config(small_config()["evaluation"])
    iris = make_dataset("iris", {"sklearn": "iris"}, seed=0, replicates=2)
    features = sparse_features.sparse_features(iris, [], n_components=1, settings=settings, seed=0)
    return (
        {f"tables/linear_{name}.csv": table for name, table in agreement.tables(0).items()}
        | {f"tables/sparse_{name}.csv": table for name, table in sparse.items()}
        | {"tables/linear_svd_errors.csv": svd_errors.randomized_errors(seed=0, draws=0)}
        | {"tables/sparse_features.csv": features}
    )


def of_input_space() -> Tables:
    denoised = denoising.denoising(
        seed=0, replicates=1, n_train=40, n_test=20, n_components=[1], multiples=[1]
    )
    return {
        "tables/denoising.csv": denoised,
        "tables/denoising_usps.csv": denoised,
        "tables/denoised_curves.csv": curves.curves(seed=0, replicates=0),
    }


def of_landmarks() -> Tables:
    found = landmarks.landmarks(
        seed=0, replicates=1, bootstraps=1, n_components=2, n_landmarks=[10], n_points=50
    )
    return {
        "tables/landmarks.csv": found["errors"],
        "tables/landmarks_sampling.csv": found["sampling"],
        "tables/landmarks_enough.csv": found["enough"],
    }


def of_times(monkeypatch: pytest.MonkeyPatch) -> Tables:
    monkeypatch.setattr(scaling, "in_fresh_process", lambda work, *arguments: work(*arguments))
    monkeypatch.setattr(scaling, "REPEATED", 0)
    return {
        "scaling/nystrom.csv": pd.DataFrame([scaling.row("nystrom", 400)]),
        "timings/exact_million.csv": pd.DataFrame([scaling.row("exact", 400)]),
    }


def differences(tables: Tables) -> list[str]:
    """Return the tables whose columns are not those of the document."""
    return [
        path for path, table in tables.items() if _first([*table.columns]) != expected(path, table)
    ]


def _first(columns: list[str]) -> list[str]:
    """Leave out the components after the first, which the document does not list."""
    return [name for name in columns if not re.fullmatch(r"component_(?!1$)\d+", name)]


def expected(path: str, table: pd.DataFrame) -> list[str]:
    """Return the columns of the document; an embedding has none for what is not known of a row."""
    known = {"id", "label", "target", "group"} if "component_1" in table else set()
    return [name for name in columns_of(path) if name in table or name not in known]


def test_the_document_has_the_columns_of_a_run(swept: Path) -> None:
    results = swept / "results"
    found = {str(path.relative_to(results)): path for path in results.rglob("*.csv")}
    assert len(found) > 10
    assert differences({name: pd.read_csv(path) for name, path in found.items()}) == []


@pytest.mark.filterwarnings("ignore")
def test_the_document_has_the_columns_of_what_the_tests_do_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = (of_topics(), of_papers(), of_overview(tmp_path), of_linear_methods(), of_input_space())
    for tables in (*made, of_landmarks(), of_times(monkeypatch)):
        assert differences(tables) == []


def test_every_table_of_a_plan_is_described(tmp_path: Path) -> None:
    plan = ("all", "benchmarks", "scaling", "exact_million", "--dry-run")
    run = succeeded(tmp_path, *plan, f"--configfile={ROOT / 'config/config.yaml'}")

    written = re.findall(r"^    output: (.+)", run.output, flags=re.MULTILINE)
    tables = [path for line in written for path in re.findall(r"results/(\S+\.csv)", line)]
    assert len(tables) > 70
    assert [path for path in tables if not columns_of(path)] == []
