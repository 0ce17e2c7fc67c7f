"""Describe a run as a Workflow Run RO-Crate, a form of provenance that other tools read.

Snakemake's records tell which job made which file. Times are left out, so that the same run gives
the same bytes.
"""

import base64
import datetime
import json
import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml
from rocrate.model.entity import Entity
from rocrate.rocrate import ROCrate

from kpca.files import sha256
from workflow import ROOT
from workflow.messages import read_rows, sentences

# Files of the crate: its description, and its copy of the workflow.
METADATA = "ro-crate-metadata.json"
WORKFLOW = "workflow/Snakefile"
# Folder of the run in which Snakemake keeps its records of each file.
RECORDS = Path(".snakemake/metadata")
# Date of a run if its code has no commit, and ``SOURCE_DATE_EPOCH`` is not set.
UNKNOWN_DATE = "1970-01-01T00:00:00+00:00"
CONFIGURATION = "#configuration"
PARAMETER = "#parameter"
RUN = "#run"
APPLICATION = "SoftwareApplication"
WORKFLOW_TYPES = ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"]
SNAKEMAKE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
PROFILES = (
    "https://w3id.org/ro/wfrun/process/0.5",
    "https://w3id.org/ro/wfrun/workflow/0.5",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
    "https://w3id.org/ro/wfrun/provenance/0.5",
)


def metadata(folder: Path, made: Sequence[str], config: str) -> dict[str, Any]:
    """Return the content of `METADATA` for a run; the file `WORKFLOW` must exist in the folder.

    The ``folder`` of the results and the files that were ``made`` have the paths that the rules
    use, and ``config`` is JSON. A file that has no record in `RECORDS` gets no job. If no file has
    a record, the crate says that it is a Workflow Run Crate, not a Provenance Run Crate.
    """
    crate = ROCrate(version="1.1")
    crate.metadata.extra_terms["sha256"] = "https://w3id.org/ro/terms/workflow-run#sha256"
    jobs = _jobs(made)
    read = dict.fromkeys(path for job in jobs.values() for path in job["input"])
    # Inputs that this run did not make may be gone by now.
    inputs = [path for path in read if path not in made and Path(path).is_file()]
    files = {path: _add_file(crate, path, folder) for path in dict.fromkeys([*made, *inputs])}
    main = _add_workflow(crate, folder, config, sorted({rule for rule, *_ in jobs}))
    actions = [
        _add(
            crate,
            quote(f"#job/{'/'.join(key)}", safe="#/"),
            "CreateAction",
            name=key[0],
            instrument=crate.dereference(f"#rule/{key[0]}"),
            object=[files[path] for path in job["input"] if path in files],
            result=[files[path] for path in job["output"]],
        )
        for key, job in jobs.items()
    ]
    run = _add(
        crate,
        RUN,
        "CreateAction",
        instrument=main,
        object=[crate.dereference(CONFIGURATION), *(files[path] for path in inputs)],
        result=[files[path] for path in dict.fromkeys(made)],
    )
    decisions = [
        _add(crate, f"#decision/{row['dataset']}", "Claim", text=row["sentence"])
        for row in read_rows(folder / "tables/decisions.csv")
    ]
    profiles = list(PROFILES)
    description = sentences(folder)
    if not jobs:
        profiles.pop()
        description.append("Which job made which file is unknown: Snakemake kept no records.")
    unlicensed = "The run states no license for its results."
    _describe(
        crate.root_dataset,
        name=f"Results of the kernel PCA workflow in {folder.name}",
        description=" ".join(description),
        author=main["author"],
        license=_add(crate, "#license", "CreativeWork", name=unlicensed),
        mainEntity=main,
        mentions=[run, *actions, *decisions],
        conformsTo=[_add(crate, profile, "CreativeWork") for profile in profiles],
    )
    crate.root_dataset["datePublished"] = date()
    return dict(crate.metadata.generate())


def _add(crate: ROCrate, key: str, kind: str, /, **properties: Any) -> Entity:
    """Add an entity and return it; its default name is the last part of its key."""
    entity = crate.add_jsonld({"@id": key, "@type": kind})
    _describe(entity, **({"name": key.rpartition("/")[2].lstrip("#")} | properties))
    return entity


def _describe(entity: Entity, **properties: Any) -> None:
    """Add properties; as the specification asks, a single value is not put into a list."""
    for name, value in properties.items():
        entity.append_to(name, value, compact=True)


def _add_workflow(crate: ROCrate, folder: Path, config: str, rules: Sequence[str]) -> Entity:
    """Add the workflow, its authors, software, rules, parameter and configuration."""
    authors = _add_authors(crate)
    software = [
        _add(crate, f"#version/{row['name']}", APPLICATION, softwareVersion=row["value"])
        for row in read_rows(folder / "provenance.csv")
        if row["kind"] == "version"
    ]
    changed = _git("status", "--porcelain", "--untracked-files=no")  # changes of tracked files
    version = (_git("rev-parse", "HEAD") or "unknown") + (" with changes" if changed else "")
    tools = [_add(crate, f"#rule/{rule}", APPLICATION, softwareVersion=version) for rule in rules]
    steps = [
        _add(crate, f"#step/{rule}", "HowToStep", workExample={"@id": f"#rule/{rule}"})
        for rule in rules
    ]
    of_configuration = {"additionalType": "PropertyValue", "workExample": {"@id": CONFIGURATION}}
    parameter = _add(crate, PARAMETER, "FormalParameter", **of_configuration)
    _add(crate, CONFIGURATION, "PropertyValue", value=config, exampleOfWork=parameter)
    language = _add(crate, SNAKEMAKE, "ComputerLanguage", name="Snakemake")
    main = _add_file(crate, str(folder / WORKFLOW), folder, WORKFLOW_TYPES)
    _describe(
        main,
        author=authors,
        version=version,
        programmingLanguage=language,
        input=parameter,
        softwareRequirements=software,
        hasPart=tools,
        step=steps,
    )
    if address := repository():
        main["codeRepository"] = address
    return main


def _add_authors(crate: ROCrate) -> list[Entity]:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    authors = []
    for author in citation["authors"]:
        name = author["name"]
        authors.append(_add(crate, quote(f"#author/{name}", "#/"), "Organization", name=name))
    return authors


def date() -> str:
    """Return ``SOURCE_DATE_EPOCH``, or else the date of the code's commit, or `UNKNOWN_DATE`."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).isoformat()
    return _git("log", "-1", "--format=%cI") or UNKNOWN_DATE


def repository() -> str:
    """Return the address of the repository of the code, without a password, or ""."""
    return re.sub(r"//[^/@]*@", "//", _git("remote", "get-url", "origin"))


def _git(*arguments: str) -> str:
    """Return the output of git on the code's repository; empty if there is no repository."""
    command = ["git", f"--git-dir={ROOT / '.git'}", f"--work-tree={ROOT}", *arguments]
    with suppress(FileNotFoundError):  # no git
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return ""


def _add_file(
    crate: ROCrate, path: str, folder: Path, types: str | Sequence[str] = "File"
) -> Entity:
    """Add a file; if it is outside the folder of results, its checksum is its identifier."""
    file = Path(path)
    digest = sha256(file)
    base = next((base for base in (folder, ROOT) if file.is_relative_to(base)), None)
    name = file.relative_to(base).as_posix() if base else path
    location = {"dest_path": name}
    if base != folder:
        encoded = base64.urlsafe_b64encode(bytes.fromhex(digest)).decode().rstrip("=")
        location = {"source": f"ni:///sha-256;{encoded}?name={quote(name)}"}
    size = str(file.stat().st_size)
    properties = {"@type": types, "name": name, "sha256": digest, "contentSize": size}
    return crate.add_file(**location, properties=properties)


def _jobs(made: Iterable[str]) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return (rule, log) → inputs and outputs of a job; the pair identifies the job."""
    jobs: dict[tuple[str, ...], dict[str, Any]] = {}
    for path in made:
        name = base64.urlsafe_b64encode(path.encode()).decode()
        # Snakemake splits long names of its records in the same way.
        parts = [name[start : start + 254] for start in range(0, len(name), 254)]
        file = RECORDS.joinpath(*(f"@{part}" for part in parts[:-1]), parts[-1])
        if file.is_file():
            record = json.loads(file.read_text(encoding="utf-8"))
            key = (record["rule"], *record["log"])
            jobs.setdefault(key, {"input": record["input"], "output": []})["output"].append(path)
    return dict(sorted(jobs.items()))
