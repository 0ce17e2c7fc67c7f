"""The crate that a run writes: valid, complete, and enough to repeat the run."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from rocrate_validator.models import Severity, ValidationSettings
from rocrate_validator.services import validate
from rocrate_validator.utils.http import HttpRequester

from tests.workflow.pipeline import small_config, succeeded, write_config
from workflow import crate, verify

# The terms of https://w3id.org/ro/crate/1.1/context that the crate uses, with their addresses.
TERMS = """
    Claim ComputerLanguage CreateAction CreativeWork Dataset HowTo HowToStep Organization
    PropertyValue SoftwareApplication SoftwareSourceCode about additionalType author codeRepository
    contentSize datePublished
    description exampleOfWork hasPart instrument isBasedOn license mainEntity mentions name object
    programmingLanguage result softwareRequirements softwareVersion step text value version
    workExample
"""
CONTEXT = {term: f"http://schema.org/{term}" for term in TERMS.split()} | {
    "ComputationalWorkflow": "https://bioschemas.org/ComputationalWorkflow",
    "File": "http://schema.org/MediaObject",
    "FormalParameter": "https://bioschemas.org/FormalParameter",
    "conformsTo": "http://purl.org/dc/terms/conformsTo",
    "input": "https://bioschemas.org/ComputationalWorkflow#input",
}
SCORES = "tables/scores.csv"


def problems(folder: Path, profile: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what a profile requires and a crate does not have, without a network."""

    def get(_: HttpRequester, address: str, *args: Any, **options: Any) -> Any:
        assert address == "https://w3id.org/ro/crate/1.1/context"
        kind, context = {"Content-Type": "application/ld+json"}, {"@context": CONTEXT}
        answer = {"status_code": 200, "headers": kind, "text": json.dumps(context)}
        return SimpleNamespace(**answer, json=lambda: context)

    monkeypatch.setattr(HttpRequester, "get", get, raising=False)
    settings = {
        "rocrate_uri": str(folder),
        "profile_identifier": profile,
        "requirement_severity": Severity.REQUIRED,
        "offline": True,
    }
    result = validate(ValidationSettings.parse(settings))
    assert len(result.executed_checks) > 50
    return [str(issue.message) for issue in result.get_issues()]


def entities(folder: Path) -> dict[str, dict[str, Any]]:
    graph = json.loads((folder / crate.METADATA).read_text())["@graph"]
    return {entity["@id"]: entity for entity in graph}


@pytest.fixture
def copy(swept: Path, tmp_path: Path) -> Path:
    """The results of a run, to be changed."""
    shutil.copytree(swept / "results", tmp_path / "results", ignore=lambda *_: ["entries"])
    return tmp_path / "results"


def test_every_file_has_its_digest_and_its_rule(swept: Path) -> None:
    folder, found = swept / "results", entities(swept / "results")
    left_out = ("entries", "logs", "ro-crate-metadata.json")
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    files -= {path for path in files if path.split("/")[0] in left_out}
    files -= {"figures/of_an_earlier_run.svg"}
    listed = {name for name, entity in found.items() if "sha256" in entity and ":" not in name}
    assert listed == files
    for name in files:
        assert found[name]["sha256"] == hashlib.sha256((folder / name).read_bytes()).hexdigest()

    def made_by(name: str) -> list[str]:
        actions = [e for e in found.values() if f"'{name}'" in str(e.get("result"))]
        rules = (action["instrument"]["@id"] for action in actions)
        return [rule for rule in rules if rule[0] == "#"]

    assert made_by("figures/rings.svg") == ["#rule/rings"]
    assert made_by("fits/rings.npz") == made_by("scores/digits.npz") == ["#rule/sweep"]
    assert all(len(made_by(name)) == 1 for name in files - {crate.WORKFLOW, crate.SOURCE})
    said = pd.read_csv(folder / "tables/decisions.csv").set_index("dataset")["sentence"]
    assert {name: found[f"#decision/{name}"]["text"] for name in said.index} == said.to_dict()
    assert {"#version/numpy", "#code/kpca", "#code/workflow/rules/page.smk"} <= set(found)


def test_the_crate_keeps_its_profile_and_without_records_that_of_a_workflow_run(
    swept: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert problems(copy, "provenance-run-crate-0.5", monkeypatch) == []
    monkeypatch.chdir(copy.parent)
    run = verify.read_crate(Path("results"))
    made = [f"results/{name}" for name in run.outputs]
    found = crate.metadata(Path("results"), made[:5], json.dumps(run.config))
    (copy / crate.METADATA).write_text(json.dumps(found))
    assert "provenance" not in str(entities(copy)["./"]["conformsTo"])
    assert "Which job made which file is unknown" in entities(copy)["./"]["description"]
    assert problems(copy, "workflow-run-crate-0.5", monkeypatch) == []
    monkeypatch.chdir(swept)
    again = crate.metadata(Path("results"), made, json.dumps(run.config))
    assert json.loads((swept / "results" / crate.METADATA).read_text()) == again


def test_the_crate_names_authors_and_its_repository_without_a_password(
    swept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow = entities(swept / "results")[crate.WORKFLOW]
    author = entities(swept / "results")[workflow["author"]["@id"]]
    assert author["name"] in (crate.ROOT / "CITATION.cff").read_text()
    assert {"@id": crate.SOURCE} in workflow["isBasedOn"]
    monkeypatch.setattr(crate, "ROOT", tmp_path)
    assert crate.repository() == ""
    for command in ("init", "remote add origin https://me:secret@example.org/kpca.git"):
        subprocess.run(["git", "-C", tmp_path, *command.split()], check=True, capture_output=True)
    assert crate.repository() == "https://example.org/kpca.git"


@pytest.mark.slow
def test_a_stranger_repeats_a_run_from_its_crate_alone(copy: Path, tmp_path: Path) -> None:
    """Without a checkout: code, rules and what they read come from the archive."""
    (tmp_path / "empty").mkdir()
    command = [sys.executable, "-m", "workflow.verify", str(copy), "--rerun"]
    given = {"cwd": tmp_path / "empty", "capture_output": True, "text": True, "check": False}
    done = subprocess.run(command, **given)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every table was reproduced." in done.stdout
    (copy / crate.SOURCE).unlink()
    assert "there is no workflow/source" in subprocess.run(command, **given).stderr


def test_dates_come_from_the_environment_the_commit_or_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crate, "ROOT", tmp_path)
    assert crate.date() == crate.UNKNOWN_DATE
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert crate.date() == "1970-01-02T00:00:00+00:00"


def test_a_rerun_is_judged(
    swept: Path, copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If a digest is altered with its table, the rerun alone can tell."""
    monkeypatch.setattr(verify, "rerun", lambda *_: swept / "results")
    assert verify.main([str(copy)]) == 0
    scores = pd.read_csv(copy / SCORES)
    scores.loc[3, "value"] += 1e-6
    before = crate.sha256(copy / SCORES)
    scores.to_csv(copy / SCORES, index=False)
    text = (copy / crate.METADATA).read_text()
    (copy / crate.METADATA).write_text(text.replace(before, crate.sha256(copy / SCORES)))
    assert verify.main([str(copy)]) == 1
    said = capsys.readouterr().out
    assert f"{SCORES}: changed\n  value: 1 of {len(scores)} changed" in said
    assert "after the run" not in said
    shutil.copy2(swept / "results" / SCORES, copy / SCORES)
    assert verify.main([str(copy)]) == 1
    assert "was changed after the run" in capsys.readouterr().out
    (copy / SCORES).unlink()
    assert verify.main([str(copy)]) == 1
    assert f"{SCORES}: is missing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (crate.code()["kpca"], "0" * 16, "the code of kpca is not that of the crate"),
        ("docs/columns.md", "docs/gone.md", "the file docs/gone.md is missing"),
        ("@graph", "graph", "describes no run"),
    ],
)
def test_another_checkout_is_refused(
    copy: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, words: str
) -> None:
    text = (copy / crate.METADATA).read_text()
    assert old in text
    (copy / crate.METADATA).write_text(text.replace(old, new))
    with pytest.raises(SystemExit) as stopped:
        verify.main([str(copy)])
    assert stopped.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.slow
def test_a_crate_of_ones_own_file_is_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "here").mkdir()
    rows = [f"{i % 7},{i * i % 11},{'ab'[i % 2]}" for i in range(30)]
    (tmp_path / "flowers.csv").write_text("\n".join(["u,v,y", *rows]))
    monkeypatch.chdir(tmp_path / "here")
    config = write_config(tmp_path / "config.yaml", small_config(results="out"))
    options = ("data=../flowers.csv", "label=y")
    succeeded(tmp_path / "here", config, "--config", *options)
    assert verify.main(["out"]) == 0
    assert "tables/own_novelty.csv: reproduced" in capsys.readouterr().out
    (tmp_path / "flowers.csv").write_text("\n".join(["u,v,y", *rows[::-1]]))
    with pytest.raises(SystemExit):
        verify.main(["out"])
    assert "the file ../flowers.csv is missing or has changed" in capsys.readouterr().err
