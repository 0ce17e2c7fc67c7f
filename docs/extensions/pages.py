"""Pages made of files that stand elsewhere in the repository, so that nothing is said twice.

`COPIED` are read as they are, links between them turned into links of the site; the keys of the
configuration come from its JSON schema.
"""

import os
import re
from pathlib import Path
from typing import Any

from workflow.configuration.explain import schema
from workflow.scripts.page.write_lesson import lesson

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
RESULTS = "results/report/results.md"
# Parts of the schema with a table of their own, since the name above them is free.
SOURCES = {
    "generator": "An entry of `datasets` that is drawn: `generator`",
    "sklearn": "An entry of `datasets` of scikit-learn: `sklearn`",
    "path": "An entry of `datasets` from your own file: `path`",
    "openml": "An entry of `datasets` from OpenML: `openml`",
}
PARTS = {
    "callable_kernel": "An entry of `kernels` of your own: `callable`",
    "method": "An entry of `methods`",
}
LIMITS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
ORDER = (
    "rings",
    "digits",
    "missing_values",
    "pipeline",
    "gamma",
    "novelty",
    "out_of_distribution",
    "own_kernel",
    "supervised_view",
    "sparse",
    "landmarks",
    "dask",
)


def taught(name: str) -> int:
    """Place an example: from what is met first to what few need."""
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


def results_page() -> str:
    """Return the findings of the default run, or how to get them."""
    written = ROOT / RESULTS
    if written.exists():
        return relinked(written.read_text(encoding="utf-8"), RESULTS)
    return "# Results\n\nNo run is there whose results this page could show: run `make` first.\n"


def relinked(text: str, source: str) -> str:
    """Turn links of a file to other files of the repository into links from GENERATED."""

    def target(match: re.Match[str]) -> str:
        path, hash_, anchor = match[1].partition("#")
        found = os.path.normpath(Path(source).parent / path)
        here = GENERATED / COPIED[found] if found in COPIED else ROOT / found
        return f"]({os.path.relpath(here, GENERATED)}{hash_}{anchor})"

    return re.sub(r"\]\((?!https?:|#)([^)]+)\)", target, text)


def values(schema: dict[str, Any]) -> str:
    """Say what a key may hold."""
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    kinds = schema.get("type", "")
    said = kinds if isinstance(kinds, str) else " or ".join(kinds)
    for limit, sign in LIMITS.items():
        said += f" {sign} {schema[limit]}" if limit in schema else ""
    return f"list of {values(schema['items'])}" if "items" in schema else said


def rows(schema: dict[str, Any], prefix: str = "") -> list[str]:
    """Give a row of the table for every key, those of an object below it."""
    lines = []
    for key, below in schema.get("properties", {}).items():
        needed = "yes" if key in schema.get("required", ()) else ""
        says = below.get("description", "").replace("|", "\\|")
        lines.append(f"| `{prefix}{key}` | {values(below)} | {needed} | {says} |")
        lines += rows(below, f"{prefix}{key}.")
    return lines


def resolved(schema: Any, defs: dict[str, Any]) -> Any:
    """Replace every reference in a schema by what it refers to."""
    if isinstance(schema, list):
        return [resolved(entry, defs) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    own = {key: resolved(entry, defs) for key, entry in schema.items() if key != "$ref"}
    return (
        resolved(defs[schema["$ref"].rpartition("/")[2]], defs) | own if "$ref" in schema else own
    )


def schema_page() -> str:
    """Tabulate every key of the configuration."""
    read = schema()
    whole = resolved(read, read["$defs"])
    dataset = whole["$defs"]["dataset"]
    given = whole["properties"]
    for key, below in dataset["properties"].items():
        if given.get(key) == below:  # an option of `data` too: at the end
            given[key] = given.pop(key) | {"description": f"With `data`: {below['description']}"}
    tables = {"": whole}
    for source, title in SOURCES.items():
        keys = dataset["dependentSchemas"][source]["propertyNames"]["enum"]
        needed = [source, *dataset["dependentRequired"].get(source, ())]
        described = {key: dataset["properties"][key] for key in keys}
        tables[title] = {"properties": described, "required": needed}
    tables |= {title: whole["$defs"][name] for name, title in PARTS.items()}
    text = "# Every key of the configuration\n\nWritten from the JSON schema that checks it.\n"
    for title, part in tables.items():
        lines = rows(part.get("else", part))  # a method may be a line of text in place of keys
        head = "| key | holds | needed | meaning |\n|---|---|---|---|\n"
        text += (f"\n## {title}\n" if title else "") + "\n" + head + "\n".join(lines) + "\n"
    return text


def write(app: Any) -> None:
    """Write the pages, unless they are there already and the same."""
    pages = {
        page: relinked((ROOT / source).read_text(encoding="utf-8"), source)
        for source, page in COPIED.items()
    } | {
        "schema.md": schema_page(),
        "lesson.html": lesson(site=True),
        "results.md": results_page(),
    }
    GENERATED.mkdir(exist_ok=True)
    for name, text in pages.items():
        page = GENERATED / name
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Register the pages with Sphinx."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
