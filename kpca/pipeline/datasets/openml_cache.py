"""OpenML's files, downloaded once and kept beside their checksum."""

import hashlib
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kpca.pipeline.datasets.user_file import checksum
from kpca.pipeline.errors import input_error
from kpca.pipeline.files import write_atomically

CACHE = "data/openml"
_TIMEOUT = 60  # seconds without an answer


@dataclass(frozen=True)
class Cached:
    """Where one dataset lies in the cache."""

    identifier: int
    folder: Path

    @classmethod
    def of(cls, spec: Mapping[str, Any]) -> "Cached":
        """Find the place of a spec."""
        return cls(spec["openml"], Path(spec.get("cache", CACHE)))

    @property
    def data(self) -> Path:
        """The ARFF file as it was served."""
        return self.folder / f"{self.identifier}.arff"

    @property
    def description(self) -> Path:
        """OpenML's description of it."""
        return self.folder / f"{self.identifier}.json"

    @property
    def sums(self) -> Path:
        """Checksum of the data, for ``sha256sum --check`` in the folder."""
        return self.folder / f"{self.identifier}.sha256"

    @property
    def complete(self) -> bool:
        """Whether nothing needs to be downloaded."""
        return all(path.is_file() for path in (self.data, self.description, self.sums))


def download(cached: Cached, subject: str, service: str) -> None:
    """Fetch description and data into the cache.

    Parameters
    ----------
    cached : Cached
        Where to put them.
    subject : str
        What messages are about.
    service : str
        Address of a description, with ``{}`` for the id.
    """
    answer = _get(service.format(cached.identifier), subject)
    try:
        description = json.loads(answer)["data_set_description"]
        address, expected = description["url"], description.get("md5_checksum")
    except (ValueError, KeyError, TypeError) as error:
        problem = "the service answered with something else than a description; try again later"
        raise input_error(subject, [problem]) from error
    data = _get(address, subject)
    found = hashlib.md5(data, usedforsecurity=False).hexdigest()
    if expected and found != expected.lower():
        problem = f"the download has MD5 {found} and not the announced {expected}; run again"
        raise input_error(subject, [problem])
    sums = f"{hashlib.sha256(data).hexdigest()}  {cached.data.name}\n".encode()
    write_atomically(cached.data, lambda file: file.write(data))
    write_atomically(cached.description, lambda file: file.write(answer))
    write_atomically(cached.sums, lambda file: file.write(sums))


def _get(address: str, subject: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=_TIMEOUT) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        reason = f"answered {error.code} {error.reason}; check the id"
    except (OSError, ValueError) as error:
        reason = f"cannot be reached ({error}); check the network, or set a proxy"
    raise input_error(subject, [f"{address} {reason}"])


def verified(cached: Cached, subject: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description, after comparing checksums and version with what is expected."""
    description: dict[str, Any] = json.loads(cached.description.read_text())["data_set_description"]
    found, kept = checksum(cached.data), cached.sums.read_text().split()[0]
    problems = []
    if found != kept:
        problems.append(
            f"{cached.data} has SHA-256 {found} and had {kept} when it was downloaded; delete it "
            "to download it again"
        )
    elif spec.get("sha256", found) != found:
        problems.append(f"`sha256` is {spec['sha256']}, but {cached.data} has {found}; correct one")
    if str(spec.get("version", description["version"])) != str(description["version"]):
        problems.append(
            f"`version` is {spec['version']}, but id {cached.identifier} is version "
            f"{description['version']} of {description['name']!r}; correct the id or the version"
        )
    if problems:
        raise input_error(subject, problems)
    return description
