"""Test the language of user-facing text: length of README, captions and lines, and terms."""

import ast
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
README_LINES = 100
CAPTION_WORDS = 60
LINE_LENGTH = 100
TERMS = yaml.safe_load((ROOT / "tests/terms.yaml").read_text())  # wrong ones: what to use instead
CAPTIONS = [*ROOT.glob("workflow/scripts/**/*.rst")]
MARKDOWN = [*ROOT.glob("*.md"), *ROOT.glob("config/*.md"), *ROOT.glob("workflow/**/*.md")]
MARKDOWN += [path for path in ROOT.glob("docs/**/*.md") if "generated" not in path.parts]
TEXTS = [*MARKDOWN, *ROOT.glob("workflow/**/*.rst"), *ROOT.glob("workflow/page/templates/*.j2")]
PYTHON = [path for top in ("kpca", "workflow") for path in ROOT.glob(f"{top}/**/*.py")]
# A glossary is a fence of prose; other fences, spans between backticks and Jinja are code.
GLOSSARY = re.compile(r"^```\{glossary\}$(.*?)^```$", re.DOTALL | re.MULTILINE)
FENCE = re.compile(r"^ *(```+|~~~+).*?^ *\1", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(`+)(?:(?!\n\n)[^`])+\1")
JINJA = re.compile(r"\{([{%#]).*?[}%#]\}", re.DOTALL)
# A table, a heading, the definition of a link, or nothing but a URL or a link.
UNBREAKABLE = re.compile(r"\s*(\||#+ |\[[^]]+\]:|[-*>\s]*(\S+|!?\[[^]]*\]\(\S+\)\S?)$)")


def without(text, *codes):
    """Return a text without code, its lines where they were."""
    text = GLOSSARY.sub(r"\1", text)
    for code in codes:
        text = code.sub(lambda match: "·" + "\n" * match[0].count("\n"), text)
    return text


def wrong_terms(text):
    text = without(text, FENCE, INLINE, JINJA)
    for term, use in TERMS.items():
        # A phrase may go on in the next line, in a quotation too.
        for hit in re.finditer(rf"\b{term}\b".replace(" ", r"[\s>]+"), text, re.IGNORECASE):
            line = 1 + text.count("\n", 0, hit.start())
            yield line, f"“{' '.join(hit[0].split())}”: use “{use}”"


def long_caption(text):
    count = len(re.findall(r"\S*\w\S*", without(text, JINJA)))
    if count > CAPTION_WORDS:
        yield 1, f"{count} words: use at most {CAPTION_WORDS}"


def long_lines(text):
    for line, content in enumerate(without(text, FENCE).splitlines(), 1):
        if len(content) > LINE_LENGTH and not UNBREAKABLE.match(content):
            yield line, f"{len(content)} characters: use at most {LINE_LENGTH}"


def merge_conflict(text):
    for line, content in enumerate(text.splitlines(), 1):
        if content.startswith(("<<<<<<< ", ">>>>>>> ")):
            yield line, "an unresolved merge: keep one side"


@pytest.mark.parametrize(
    ("check", "paths"),
    [
        (wrong_terms, TEXTS + PYTHON),
        (long_caption, CAPTIONS),
        (long_lines, MARKDOWN),
        (merge_conflict, MARKDOWN),
    ],
)
def test_files_comply(check, paths):
    problems = []
    for path in paths:
        texts = [(1, path.read_text())]
        if path.suffix == ".py":  # Code has texts for users, each with the line where it begins.
            constants = [n for n in ast.walk(ast.parse(texts[0][1])) if isinstance(n, ast.Constant)]
            texts = [(n.lineno, n.value) for n in constants if isinstance(n.value, str)]
        for first, text in texts:
            where = path.relative_to(ROOT)
            problems += [f"{where}:{first + line - 1}: {hint}" for line, hint in check(text)]
    assert not problems, "\n".join(problems)
    assert len((ROOT / "README.md").read_text().splitlines()) <= README_LINES
