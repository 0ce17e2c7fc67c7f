"""The explorer in a browser: by keyboard, by mouse, in the dark, on a phone."""

from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from pipeline.page.explorer import explorer
from tests.pipeline.page.browser import assert_quiet, look, needs_browser, opened_page, wait
from tests.pipeline.page.conftest import HOSTILE
from tests.pipeline.page.fitted import given
from tests.pipeline.page.test_browser import TIPS

pytestmark = needs_browser
MODEL = "Bokeh.documents[0].get_model_by_name"
COLUMN = f"return [...{MODEL}('rows').data[arguments[0]]]"
# Where a row of the embedding is in the window.
PLACE = f"""
const view = [...Bokeh.index.roots].find((root) => root.model.name === "embedding");
const {{ x, y }} = {MODEL}("rows").data, {{ x_scale, y_scale }} = view.frame;
const at = view.el.getBoundingClientRect();
return [at.x + x_scale.compute(x[arguments[0]]), at.y + y_scale.compute(y[arguments[0]])];
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explorer")
    (folder / "explorer.html").write_text(explorer(**given(folder)))
    return folder / "explorer.html"


@pytest.fixture
def opened(browser: webdriver.Chrome, page: Path) -> webdriver.Chrome:
    return opened_page(browser, page, "document.getElementById('chosen').textContent")


def words(browser: webdriver.Chrome, name: str) -> str:
    return browser.find_element(By.ID, name).text


def column(browser: webdriver.Chrome, name: str) -> list[Any]:
    found: list[Any] = browser.execute_script(COLUMN, name)
    return found


def test_it_opens_without_errors_and_without_a_network(opened: webdriver.Chrome) -> None:
    opened.find_element(By.ID, "dataset").send_keys("pictures")
    assert_quiet(opened)


def test_a_key_moves_the_parameter_and_all_follows(opened: webdriver.Chrome) -> None:
    slider = opened.find_element(By.ID, "cell")
    assert words(opened, "kernel").split("\n") == ["linear", "Gaussian"]
    assert "validation 0.820, test 0.700 (PCA 0.550). 2 components" in words(opened, "score")
    for place in ("cell", "size"):
        assert words(opened, f"{place}-label").endswith(" (chosen)")
        assert words(opened, f"{place}-mark") == "chosen ▲"
        opened.find_element(By.ID, place).send_keys(Keys.ARROW_LEFT)
        assert not words(opened, f"{place}-label").endswith(" (chosen)")
    assert "validation 0.710, test 0.600 (PCA 0.550)" in words(opened, "score")
    shades = f"return [...{MODEL}('surface').data.image[0]]"
    before = [column(opened, "x"), words(opened, "cell-label"), opened.execute_script(shades)]

    slider.send_keys(Keys.ARROW_RIGHT)
    assert "validation 0.810, test 0.700" in words(opened, "score")
    assert slider.get_attribute("aria-valuetext") == words(opened, "cell-label")
    after = [column(opened, "x"), words(opened, "cell-label"), opened.execute_script(shades)]
    assert all(old != new for old, new in zip(before, after, strict=True))

    opened.find_element(By.ID, "size").send_keys(Keys.ARROW_RIGHT)
    assert "validation 0.820, test 0.700 (PCA 0.550). 2 components" in words(opened, "score")
    assert column(opened, "x") == after[0]
    opened.find_element(By.ID, "x").send_keys("component 3")
    assert column(opened, "x") != after[0]
    assert len(set(column(opened, "x"))) > 1


def test_a_link_restores_a_view(opened: webdriver.Chrome) -> None:
    opened.find_element(By.ID, "kernel").send_keys("linear")
    opened.find_element(By.ID, "x").send_keys("component 3")
    link = opened.find_element(By.ID, "link").get_attribute("href")
    before = [column(opened, name) for name in "xyuv"]
    assert link == opened.current_url
    assert link.endswith("#dataset=plane&setting=linear&m=2&x=2&y=1&u=0&v=1")

    opened.find_element(By.ID, "dataset").send_keys("pictures")
    opened.execute_script("location.href = arguments[0]", link)
    wait(opened, "return document.getElementById('dataset').value === 'plane'")
    assert [column(opened, name) for name in "xyuv"] == before
    opened.execute_script("location.hash = '#dataset=nothing&setting=%zz'")
    wait(opened, "return document.getElementById('cell').value === '2'")


def test_scores_keep_their_axis(opened: webdriver.Chrome) -> None:
    """The score of a setting may be missing; the axis has a place for it."""
    axis = f"const {{ start, end }} = {MODEL}('scores').x_range; return [start, end]"
    assert opened.execute_script(axis) == [-0.5, 2.5]
    opened.find_element(By.ID, "kernel").send_keys("linear")
    assert opened.execute_script(axis) == [-0.5, 0.5]


def test_rows_of_a_class_light_up_in_every_view(opened: webdriver.Chrome) -> None:
    opened.find_elements(By.CSS_SELECTOR, "#keys button")[1].send_keys(Keys.ENTER)

    rows = opened.execute_script(f"return {MODEL}('rows').selected.indices")
    assert rows == list(range(1, 30, 2))
    source = "{model}('{view}').renderers.at(-1).data_source".format
    both = " === ".join(source(model=MODEL, view=view) for view in ("embedding", "features"))
    assert opened.execute_script(f"return {both}")
    assert words(opened, "chosen").startswith("15 of 30: row 2 ")


def test_what_one_points_at_is_named_and_its_words_do_nothing(opened: webdriver.Chrome) -> None:
    opened.execute_script("document.getElementById('embedding').scrollIntoView({block: 'end'})")
    x, y = opened.execute_script(PLACE, 2)
    moved = {"type": "mouseMoved", "x": x, "y": y}
    opened.execute_cdp_cmd("Input.dispatchMouseEvent", moved)
    assert wait(opened, TIPS.replace(".bk-tooltip-row-value", "b")) == [f"row 3 {HOSTILE}"]
    assert opened.execute_script("return window.broken") is None


def test_it_follows_the_scheme_and_fits_a_phone(opened: webdriver.Chrome) -> None:
    look(opened, scheme="dark", width=390)

    ground = "return getComputedStyle(document.body).backgroundColor"
    assert opened.execute_script(ground) != "rgb(255, 255, 255)"
    wait(opened, "return document.documentElement.scrollWidth === 390")
