"""Test with axe-core that everyone can read the page and the explorer."""

from importlib.resources import files
from pathlib import Path

import pytest
from selenium import webdriver

from pipeline.page.explorer import explorer
from tests.pipeline.page.browser import look, needs_browser, opened_page, wait
from tests.pipeline.page.fitted import given

pytestmark = needs_browser
AXE = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RUN = "const [done] = arguments; axe.run().then(({ violations }) => done(violations))"
READY = {
    "index.html": "document.querySelector('.canvas').childElementCount",
    "explorer.html": "document.getElementById('chosen').textContent",
}
# Names of the plots, which stand in shadow trees.
NAMES = """
const below = (node) => [...node.querySelectorAll("*")].flatMap(
  (found) => [found, ...(found.shadowRoot ? below(found.shadowRoot) : [])]);
return below(document).filter((found) => found.matches("canvas[role=img]"))
  .map((found) => found.ariaLabel);
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, results: Path) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("explorer")
    (folder / "explorer.html").write_text(explorer(**given(folder)))
    return {"index.html": results / "report/index.html", "explorer.html": folder / "explorer.html"}


@pytest.mark.parametrize("name", READY)
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_no_violation(
    browser: webdriver.Chrome, pages: dict[str, Path], name: str, scheme: str, width: int
) -> None:
    opened = opened_page(browser, pages[name], READY[name])
    look(opened, scheme=scheme, width=width)
    opened.execute_script("for (const part of document.querySelectorAll('details')) part.open = 1")
    opened.execute_script(AXE)
    violations = opened.execute_async_script(RUN)

    assert [(found["id"], found["nodes"][0]["html"][:200]) for found in violations] == []


def test_plots_have_names(browser: webdriver.Chrome, pages: dict[str, Path]) -> None:
    opened_page(browser, pages["index.html"], READY["index.html"])
    words = "Scatter plot of 3 rows of iris by two components"
    assert wait(browser, NAMES) == [words, f"{words} of PCA"]

    opened_page(browser, pages["explorer.html"], READY["explorer.html"])
    first, second, spectrum, scores = wait(browser, NAMES)
    assert first == "Scatter plot of 30 rows, component 1 against component 2"
    assert second.endswith("against width")
    assert spectrum.startswith("Bar chart")
    assert "validation 0.820, test 0.700 (PCA 0.550)" in scores
