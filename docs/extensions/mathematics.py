"""Mathematics as MathML, which browsers draw without scripts and fonts of a server.

TeX is converted by docutils. Formulas in Unicode, as docstrings have them, get real subscripts and
superscripts: ``λ_{k+1}`` and ``‖C‖_F²``.
"""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.transforms import SphinxTransform

LOWERED = {"_": nodes.subscript, "^": nodes.superscript}
CODE = (nodes.literal, nodes.literal_block, nodes.doctest_block, nodes.math, nodes.math_block)
CODE += (nodes.raw, nodes.target)
# A letter, with accents, or a bracket; then indices and powers: {…}, (…), or at most three signs.
INDEX = r"[_^](?:\{[^{}]+\}|\([^()]+\)|[A-Za-z0-9½−+]{1,3}(?![A-Za-z0-9_]))"
LETTER = r"(?:(?<![\w.])|(?<=[Σ∂√]))[^\W\d_][\u0300-\u036f]*"
FORMULA = re.compile(rf"(?:{LETTER}|(?<=[‖)\]|]))(?:{INDEX})+")


class Indices(SphinxTransform):
    """Turn ``x_i`` and ``D^½`` in running text into subscripts and superscripts."""

    default_priority = 400

    def apply(self, **_: Any) -> None:
        """Replace the texts that have an index, outside code."""
        for text in list(self.document.findall(nodes.Text)):
            if FORMULA.search(text) and not inside_code(text):
                text.parent.replace(text, typeset(str(text)))


def inside_code(node: nodes.Node) -> bool:
    """Whether a text is shown as it is written."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, CODE) or node.tagname.startswith(("desc_", "pending_xref")):
            return node.tagname != "desc_content"
    return False


def typeset(text: str) -> list[nodes.Node]:
    """Return a text as nodes, the indices of its formulas lowered or raised."""
    found: list[nodes.Node] = []
    end = 0
    for match in FORMULA.finditer(text):
        for index in re.finditer(INDEX, match[0]):
            start = match.start() + index.start()
            found.append(nodes.Text(text[end:start]))
            inner = index[0][1:]
            inner = inner[1:-1] if inner[0] in "{(" else inner
            found.append(LOWERED[index[0][0]]("", inner))
            end = match.start() + index.end()
    return [*found, nodes.Text(text[end:])]


def draw(self: Any, node: nodes.Element) -> None:
    """Write a formula of TeX as MathML."""
    text = node.astext().replace(r"\bar", r"\overline")  # a bar touches the letter in many fonts
    self.body.append(tex2mathml(text, as_block=isinstance(node, nodes.math_block)))
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer and the transform with Sphinx."""
    app.add_html_math_renderer("mathml", (draw, None), (draw, None))
    app.add_transform(Indices)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
