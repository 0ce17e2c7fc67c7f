"""The page in a browser, as a reader has it: by mouse and keyboard, in the dark, on a phone."""

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.pipeline.page.browser import assert_quiet, look, needs_browser, opened_page, wait
from tests.pipeline.page.conftest import HOSTILE

pytestmark = needs_browser
# Where the middle of the plot is, from the middle of its element.
MIDDLE = """
const view = [...Bokeh.index.roots][0], plot = view.el.getBoundingClientRect();
const { x, y, width, height } = view.frame.bbox, canvas = arguments[0].getBoundingClientRect();
return [plot.x + x + width / 2 - canvas.x - canvas.width / 2,
        plot.y + y + height / 2 - canvas.y - canvas.height / 2].map(Math.round);
"""
TIPS = """
const below = (node) => [...node.querySelectorAll("*")].flatMap(
  (found) => [found, ...(found.shadowRoot ? below(found.shadowRoot) : [])]);
return below(document).filter((found) => found.matches(".bk-tooltip-row-value"))
  .map((found) => found.textContent);
"""
TABLE = "details.table[id=papers-overview]"


@pytest.fixture
def opened(browser: webdriver.Chrome, results: Path) -> webdriver.Chrome:
    """The page, when its plot is drawn."""
    drawn = "document.querySelector('.canvas').childElementCount > 0"
    return opened_page(browser, results / "report/index.html", drawn)


def shows(browser: webdriver.Chrome, *names: str) -> bool:
    """Whether the table comes to have these rows: it sorts and filters after the event is over."""
    cells = f"[...document.querySelectorAll('{TABLE} tbody td:first-child')]"
    read = f"return {cells}.map((cell) => cell.innerText)"
    return WebDriverWait(browser, 10).until(lambda driver: driver.execute_script(read) == [*names])


def test_it_opens_without_errors_and_without_a_network(opened: webdriver.Chrome) -> None:
    assert_quiet(opened)


def test_a_table_sorts_and_filters(opened: webdriver.Chrome) -> None:
    opened.find_element(By.CSS_SELECTOR, f"{TABLE} > summary").send_keys(Keys.ENTER)
    wait(opened, f"return document.querySelector('{TABLE} input')")
    wait(opened, f"return document.querySelector('{TABLE} th:nth-child(2) [tabindex]')")
    header = opened.find_element(By.CSS_SELECTOR, f"{TABLE} th:nth-child(2)")

    header.click()
    assert shows(opened, "c", "a", "b")  # 7.5, 9, 80: by number, not by letter
    opened.execute_script("arguments[0].querySelector('[tabindex]').focus()", header)
    opened.switch_to.active_element.send_keys(Keys.ENTER)
    assert shows(opened, "b", "a", "c")

    opened.find_element(By.CSS_SELECTOR, f"{TABLE} input").send_keys("few")
    assert shows(opened, "c")


def test_a_plot_takes_other_axes_and_its_words_do_nothing(opened: webdriver.Chrome) -> None:
    """The middle row lies in the middle of the plot, and its label is a script."""
    model = "[...Bokeh.documents[0].all_models]"
    opened.find_element(By.CSS_SELECTOR, "select[data-axis=x]").send_keys("component 3")
    assert opened.execute_script(
        f"return {model}.filter(m => m.axis_label).map(m => m.axis_label).sort()"
    ) == ["PCA 1", "PCA 2", "component 3", "view 2"]
    assert (
        opened.execute_script(
            f"return {model}.filter(m => m.type === 'GlyphRenderer')[0].glyph.x.field"
        )
        == "component_3"
    )

    canvas = opened.find_element(By.CSS_SELECTOR, ".canvas")
    opened.execute_script("arguments[0].scrollIntoView({block: 'center'})", canvas)
    x, y = opened.execute_script(MIDDLE, canvas)
    ActionChains(opened, duration=0).move_to_element_with_offset(canvas, x, y).perform()
    tips = WebDriverWait(opened, 10).until(lambda driver: driver.execute_script(TIPS))
    assert [tip.strip() for tip in tips] == ["1", HOSTILE, HOSTILE]
    assert opened.execute_script("return window.broken") is None


def test_rows_take_the_colours_of_any_column(opened: webdriver.Chrome) -> None:
    source = "Bokeh.documents[0].get_model_by_name('rows').data"
    select = opened.find_element(By.CSS_SELECTOR, "select[data-colour]")
    classes, ramp = opened.find_element(By.CSS_SELECTOR, "ul.keys"), ".keys .ramp"
    assert select.get_attribute("value") == HOSTILE
    assert sorted(item.text[2:] for item in classes.find_elements(By.TAG_NAME, "li")) == sorted(
        [HOSTILE, "b"]
    )
    first, second, third = opened.execute_script(f"return [...{source}.colour]")
    assert first == second != third
    assert not opened.find_element(By.CSS_SELECTOR, ramp).is_displayed()

    select.send_keys("size")
    assert opened.find_element(By.CSS_SELECTOR, ramp).is_displayed()
    assert opened.find_element(By.CSS_SELECTOR, "p.keys").text.split() == ["-0.5", "0.5"]
    assert opened.execute_script(f"return [...{source}.colour]") == [
        "#440154",
        "#21918c",
        "#fde725",
    ]
    assert opened.execute_script("return window.broken") is None


def test_the_view_stands_next_to_that_of_pca(opened: webdriver.Chrome) -> None:
    plots = opened.find_elements(By.CSS_SELECTOR, ".planes .canvas")
    assert [plot.get_attribute("id") for plot in plots] == ["plot-iris-view", "plot-iris-pca"]
    assert all(plot.size["height"] > 400 for plot in plots)
    assert plots[0].location["y"] == plots[1].location["y"]
    look(opened, width=390)
    assert plots[0].location["y"] < plots[1].location["y"]


def test_it_follows_the_scheme_and_fits_a_phone(opened: webdriver.Chrome) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    light = opened.execute_script(ground)
    look(opened, scheme="dark", width=390)

    assert opened.execute_script(ground) != light == "rgb(255, 255, 255)"
    for details in opened.find_elements(By.TAG_NAME, "details"):
        opened.execute_script("arguments[0].open = true", details)
    assert wait(opened, "return document.documentElement.scrollWidth === 390")


def test_what_one_clicks_on_is_not_printed(opened: webdriver.Chrome) -> None:
    look(opened, media="print", scheme="dark")

    for controls in opened.find_elements(By.CSS_SELECTOR, ".controls, nav, .skip"):
        assert not controls.is_displayed()
    assert opened.execute_script("return getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_the_keyboard_begins_with_the_way_past_the_contents(opened: webdriver.Chrome) -> None:
    opened.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    assert opened.switch_to.active_element.get_attribute("href").endswith("#main")
    opened.switch_to.active_element.send_keys(Keys.ENTER)
    assert opened.switch_to.active_element.get_attribute("id") == "main"


def test_the_code_is_copied(opened: webdriver.Chrome) -> None:
    button = opened.find_element(By.CSS_SELECTOR, ".copy")
    button.send_keys(Keys.ENTER)
    assert button.text == "Copied"
    assert "print(1)" in opened.execute_script("return getSelection().toString()")
