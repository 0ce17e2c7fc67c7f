"""The crate that a run writes: valid and complete."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
import yaml
from rocrate_validator.models import Severity, ValidationSettings
from rocrate_validator.services import validate
from rocrate_validator.utils.http import HttpRequester

from workflow import crate

# The terms of https://w3id.org/ro/crate/1.1/context that the crate uses, with their addresses.
TERMS = """
    Claim ComputerLanguage CreateAction CreativeWork Dataset HowTo HowToStep Organization
    PropertyValue SoftwareApplication SoftwareSourceCode about additionalType author codeRepository
    contentSize datePublished
    description exampleOfWork hasPart instrument isBasedOn license mainEntity mentions name object
    programmingLanguage result softwareRequirements softwareVersion step text value version
    workExample
"""
ADDRESSES = """
ComputationalWorkflow: https://bioschemas.org/ComputationalWorkflow
File: http://schema.org/MediaObject
FormalParameter: https://bioschemas.org/FormalParameter
conformsTo: http://purl.org/dc/terms/conformsTo
input: https://bioschemas.org/ComputationalWorkflow#input
"""
CONTEXT = {term: f"http://schema.org/{term}" for term in TERMS.split()} | yaml.safe_load(ADDRESSES)


def problems(folder, profile, monkeypatch):
    """Return what a profile requires and a crate does not have, without a network."""

    def get(_, address, *args, **options):
        assert address == "https://w3id.org/ro/crate/1.1/context"
        kind = {"Content-Type": "application/ld+json"}
        context = {"@context": CONTEXT}
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


def entities(folder):
    graph = json.loads((folder / crate.METADATA).read_text())["@graph"]
    return {entity["@id"]: entity for entity in graph}


@pytest.fixture
def copy(swept, tmp_path):
    """The results of a run, to be changed."""
    shutil.copytree(swept / "results", tmp_path / "results", ignore=lambda *_: ["cache"])
    return tmp_path / "results"


def test_every_file_has_its_digest_and_its_rule(swept):
    folder = swept / "results"
    described = entities(swept / "results")
    left_out = ("cache", "fits", "logs", "ro-crate-metadata.json")
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    files -= {path for path in files if path.split("/")[0] in left_out}
    files -= {"figures/of_an_earlier_run.svg"}
    listed = {name for name, entity in described.items() if "sha256" in entity and ":" not in name}
    assert listed == files
    for name in files:
        assert described[name]["sha256"] == hashlib.sha256((folder / name).read_bytes()).hexdigest()

    def made_by(name):
        actions = [e for e in described.values() if f"'{name}'" in str(e.get("result"))]
        rules = (action["instrument"]["@id"] for action in actions)
        return [rule for rule in rules if rule[0] == "#"]

    assert made_by("figures/rings.svg") == ["#rule/rings"]
    assert made_by("classified/digits.npz") == ["#rule/classify"]
    assert all(len(made_by(name)) == 1 for name in files - {crate.WORKFLOW})
    sentences = pd.read_csv(folder / "tables/decisions.csv").set_index("dataset")["sentence"]
    assert {
        name: described[f"#decision/{name}"]["text"] for name in sentences.index
    } == sentences.to_dict()
    assert "#version/numpy" in described


def test_the_crate_keeps_its_profile_and_without_records_that_of_a_workflow_run(
    swept, copy, monkeypatch
):
    assert problems(copy, "provenance-run-crate-0.5", monkeypatch) == []
    monkeypatch.chdir(copy.parent)
    described = entities(copy)
    config = described[crate.CONFIGURATION]["value"]
    files = [
        f"results/{described[entity['@id']]['name']}" for entity in described[crate.RUN]["result"]
    ]
    without_records = crate.metadata(Path("results"), files[:5], config)
    (copy / crate.METADATA).write_text(json.dumps(without_records))
    assert "provenance" not in str(entities(copy)["./"]["conformsTo"])
    assert "Which job made which file is unknown" in entities(copy)["./"]["description"]
    assert problems(copy, "workflow-run-crate-0.5", monkeypatch) == []
    monkeypatch.chdir(swept)
    again = crate.metadata(Path("results"), files, config)
    assert json.loads((swept / "results" / crate.METADATA).read_text()) == again


def test_the_crate_names_authors_and_its_repository_without_a_password(
    swept, tmp_path, monkeypatch
):
    workflow = entities(swept / "results")[crate.WORKFLOW]
    author = entities(swept / "results")[workflow["author"]["@id"]]
    assert author["name"] in (crate.ROOT / "CITATION.cff").read_text()
    monkeypatch.setattr(crate, "ROOT", tmp_path)
    assert crate.repository() == ""
    for command in ("init", "remote add origin https://me:secret@example.org/kpca.git"):
        subprocess.run(["git", "-C", tmp_path, *command.split()], check=True, capture_output=True)
    assert crate.repository() == "https://example.org/kpca.git"


def test_dates_come_from_the_environment_the_commit_or_nowhere(tmp_path, monkeypatch):
    monkeypatch.setattr(crate, "ROOT", tmp_path)
    assert crate.date() == crate.UNKNOWN_DATE
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert crate.date() == "1970-01-02T00:00:00+00:00"
