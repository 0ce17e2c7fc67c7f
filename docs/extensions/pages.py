"""Pages made of files that stand elsewhere in the repository, so that nothing is said twice.

`COPIED` are read as they are, links between them turned into links of the site; the keys of the
configuration come from its JSON schema.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GENERATED = DOCS / "generated"
COPIED = {
    "README.md": "readme.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "config/README.md": "configuration.md",
}
SCHEMA = ROOT / "workflow/schemas/config.schema.json"
ORDER = [
    "rings",
    "digits",
    "pipeline",
    "gamma",
    "novelty",
    "own_kernel",
    "sparse",
    "landmarks",
    "dask",
]


class Taught:
    """Order of the examples: from what is met first to what few need."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, name: str) -> int:
        stem = name.removeprefix("plot_").removesuffix(".py")
        return ORDER.index(stem) if stem in ORDER else len(ORDER)


def style(gallery_conf: dict[str, Any], name: str) -> None:
    """Give every figure of the site one look."""
    import matplotlib as mpl

    mpl.rcParams.update(
        {
            "figure.figsize": (7, 3.2),
            "figure.dpi": 110,
            "figure.constrained_layout.use": True,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "font.size": 9,
            "image.cmap": "cividis",
        }
    )


def relinked(text: str, source: str) -> str:
    """The text of a file, its links to other files of the repository relative to GENERATED."""

    def target(match: re.Match[str]) -> str:
        path, hash_, anchor = match[1].partition("#")
        found = os.path.normpath(Path(source).parent / path)
        here = GENERATED / COPIED[found] if found in COPIED else ROOT / found
        return f"]({os.path.relpath(here, GENERATED)}{hash_}{anchor})"

    return re.sub(r"\]\((?!https?:|#)([^)]+)\)", target, text)


def values(schema: dict[str, Any], defs: dict[str, Any]) -> str:
    """What a key may hold, in words."""
    schema = schema | defs.get(schema.get("$ref", "").rpartition("/")[2], {})
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{str(schema['const']).lower()}`"
    kind = schema.get("type", "")
    said = " or ".join(kind) if isinstance(kind, list) else kind
    if said == "array":
        said = f"list of {values(schema['items'], defs)}"
    limits = [("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<")]
    return said + "".join(f" {sign} {schema[key]}" for key, sign in limits if key in schema)


def rows(schema: dict[str, Any], defs: dict[str, Any], prefix: str = "") -> list[str]:
    """A row of the table for every key, those of an object below it."""
    lines = []
    for key, below in schema.get("properties", {}).items():
        whole = defs.get(below.get("$ref", "").rpartition("/")[2], {}) | below
        needed = "yes" if key in schema.get("required", ()) else ""
        says = whole.get("description", "").replace("|", "\\|")
        lines.append(f"| `{prefix}{key}` | {values(below, defs)} | {needed} | {says} |")
        lines += rows(whole, defs, f"{prefix}{key}.")
    return lines


def schema_page() -> str:
    """Every key of the configuration, from its JSON schema."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    defs = schema["$defs"]
    head = "| key | holds | needed | meaning |\n|---|---|---|---|\n"
    text = "# Every key of the configuration\n\n"
    text += "Written from the JSON schema that checks a configuration before any job starts.\n\n"
    text += head + "\n".join(rows(schema, defs)) + "\n"
    for name, of in (("dataset", "`datasets`"),):
        text += f"\n## Keys of one entry of {of}\n\n" + head
        text += "\n".join(rows(defs[name], defs)) + "\n"
    return text


def write(app: Any) -> None:
    """Write the pages, unless they are there already and the same."""
    pages = {
        page: relinked((ROOT / source).read_text(encoding="utf-8"), source)
        for source, page in COPIED.items()
    } | {"schema.md": schema_page()}
    GENERATED.mkdir(exist_ok=True)
    for name, text in pages.items():
        page = GENERATED / name
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Register the pages with Sphinx."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
