"""The run as a Workflow Run RO-Crate: provenance that other tools read.

What made which file is read from the records of Snakemake. Times are left out, so that the same run
gives the same bytes.
"""

import base64
import datetime
import json
import logging
import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml
from rocrate.rocrate import ROCrate

from kpca.files import sha256
from workflow import ROOT
from workflow.messages import read_rows, sentences

# The description of the crate, and its copy of the workflow.
METADATA, WORKFLOW = "ro-crate-metadata.json", "workflow/Snakefile"
# Folder of the run in which Snakemake keeps its records of each file.
RECORDS = Path(".snakemake/metadata")
# Date of a run whose code has no commit and that was given no ``SOURCE_DATE_EPOCH``.
UNKNOWN_DATE = "1970-01-01T00:00:00+00:00"
CONFIGURATION, PARAMETER, RUN = "#configuration", "#parameter", "#run"
SNAKEMAKE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
PROFILES = (
    "https://w3id.org/ro/wfrun/process/0.5",
    "https://w3id.org/ro/wfrun/workflow/0.5",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
    "https://w3id.org/ro/wfrun/provenance/0.5",
)


def metadata(folder: Path, made: Sequence[str], config: str) -> dict[str, Any]:
    """Return what `METADATA` says of a run; `WORKFLOW` stands in the folder already.

    The ``folder`` of the results and the files that were ``made`` are as the rules name them, and
    ``config`` is JSON. Files without one of the `RECORDS` have no job; if none has a record, the
    crate is a Workflow Run Crate, not a Provenance Run Crate, and says so.
    """
    crate = ROCrate(version="1.1")
    crate.metadata.extra_terms["sha256"] = "https://w3id.org/ro/terms/workflow-run#sha256"

    def add(key: str, kind: str, /, **properties: Any) -> str:
        named = {"name": key.rpartition("/")[2].lstrip("#"), **properties}
        crate.add_jsonld({"@id": key, "@type": kind, **named})
        return key

    jobs = _jobs(made)
    unknown = [] if jobs else ["Which job made which file is unknown: Snakemake kept no records."]
    logging.info("%d jobs have records in %s", len(jobs), RECORDS)
    read = (path for job in jobs.values() for path in job["input"])
    inputs = [path for path in read if path not in made and Path(path).is_file()]  # none is gone
    files = {path: _add_file(crate, path, folder) for path in dict.fromkeys([*made, *inputs])}
    actions = [
        add(
            quote(f"#job/{'/'.join(key)}", safe="#/"),
            "CreateAction",
            name=key[0],
            instrument=_refs([f"#rule/{key[0]}"]),
            object=_refs(files[path] for path in job["input"] if path in files),
            result=_refs(files[path] for path in job["output"]),
        )
        for key, job in jobs.items()
    ]
    decisions = [
        add(f"#decision/{row['dataset']}", "Claim", text=row["sentence"])
        for row in read_rows(folder / "tables/decisions.csv")
    ]
    versions = [
        add(f"#version/{row['name']}", "SoftwareApplication", softwareVersion=row["value"])
        for row in read_rows(folder / "provenance.csv")
        if row["kind"] == "version"
    ]
    rules = sorted({rule for rule, *_ in jobs})
    changed = _git("status", "--porcelain", "--untracked-files=no")  # files that git knows
    version = (_git("rev-parse", "HEAD") or "unknown") + (" with changes" if changed else "")
    tools = [add(f"#rule/{n}", "SoftwareApplication", softwareVersion=version) for n in rules]
    steps = [add(f"#step/{n}", "HowToStep", workExample=_refs([f"#rule/{n}"])) for n in rules]
    add(SNAKEMAKE, "ComputerLanguage", name="Snakemake")
    parameter = {"additionalType": "PropertyValue", "workExample": _refs([CONFIGURATION])}
    add(PARAMETER, "FormalParameter", **parameter)
    add(CONFIGURATION, "PropertyValue", value=config, exampleOfWork=_refs([PARAMETER]))
    workflow: dict[str, Any] = {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"],
        "version": version,
        "programmingLanguage": _refs([SNAKEMAKE]),
        "input": _refs([PARAMETER]),
        "softwareRequirements": _refs(versions),
        "hasPart": _refs(tools),
        "step": _refs(steps),
    }
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["authors"]
    names = [each.get("name") or f"{each['given-names']} {each['family-names']}" for each in cited]
    kinds = ["Organization" if "name" in each else "Person" for each in cited]
    authors = [
        add(quote(f"#author/{n}", "#/"), kind, name=n) for n, kind in zip(names, kinds, strict=True)
    ]
    if address := repository():
        workflow["codeRepository"] = address
    workflow["author"] = _refs(authors)
    main = _add_file(crate, str(folder / WORKFLOW), folder, **workflow)
    add(
        RUN,
        "CreateAction",
        instrument=_refs([main]),
        object=_refs([CONFIGURATION, *(files[path] for path in dict.fromkeys(inputs))]),
        result=_refs(files[path] for path in dict.fromkeys(made)),
    )
    add("#license", "CreativeWork", name="The run states no license for its results.")
    profiles = PROFILES if jobs else PROFILES[:-1]
    properties = {
        "name": f"Results of the kernel PCA workflow in {folder.name}",
        "description": " ".join([*sentences(folder), *unknown]),
        "author": _refs(authors),
        "datePublished": date(),
        "license": _refs(["#license"]),
        "mainEntity": _refs([main]),
        "mentions": _refs([RUN, *actions, *decisions]),
        "conformsTo": _refs(add(profile, "CreativeWork") for profile in profiles),
    }
    for name, value in properties.items():
        crate.root_dataset[name] = value
    return dict(crate.metadata.generate())


def date() -> str:
    """Return ``SOURCE_DATE_EPOCH``, or the date of the commit of the code, or `UNKNOWN_DATE`."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).isoformat()
    return _git("log", "-1", "--format=%cI") or UNKNOWN_DATE


def repository() -> str:
    """Return the address of the repository of the code, without a password; "" if it has none."""
    return re.sub(r"//[^/@]*@", "//", _git("remote", "get-url", "origin"))


def _git(*arguments: str) -> str:
    """Return what git says of the repository of the code, nothing where it stands in none."""
    command = ["git", f"--git-dir={ROOT / '.git'}", f"--work-tree={ROOT}", *arguments]
    with suppress(FileNotFoundError):  # no git
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return ""


def _refs(names: Iterable[str]) -> list[dict[str, str]] | dict[str, str]:
    """Return references to entities; a single one is no list, as the specification asks."""
    found = [{"@id": name} for name in names]
    return found[0] if len(found) == 1 else found


def _add_file(crate: ROCrate, path: str, folder: Path, **properties: Any) -> str:
    """Add a file; one that is not in the folder of the results is named after its content."""
    file = Path(path)
    digest = sha256(file)
    base = next((base for base in (folder, ROOT) if file.is_relative_to(base)), None)
    name = file.relative_to(base).as_posix() if base else path
    place = {"dest_path": name}
    if base != folder:
        named = base64.urlsafe_b64encode(bytes.fromhex(digest)).decode().rstrip("=")
        place = {"source": f"ni:///sha-256;{named}?name={quote(name)}"}
    properties |= {"name": name, "sha256": digest, "contentSize": str(file.stat().st_size)}
    return str(crate.add_file(**place, properties=properties).id)


def _jobs(made: Iterable[str]) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return (rule, log) → inputs and outputs of the job; no two jobs share a log."""
    jobs: dict[tuple[str, ...], dict[str, Any]] = {}
    for path in made:
        name = base64.urlsafe_b64encode(path.encode()).decode()
        parts = [name[start : start + 254] for start in range(0, len(name), 254)]  # as Snakemake
        file = RECORDS.joinpath(*(f"@{part}" for part in parts[:-1]), parts[-1])
        if file.is_file():
            record = json.loads(file.read_text(encoding="utf-8"))
            key = (record["rule"], *record["log"])
            jobs.setdefault(key, {"input": record["input"], "output": []})["output"].append(path)
    return dict(sorted(jobs.items()))
