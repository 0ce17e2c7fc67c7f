"""Page, explorer and lesson in a browser: by mouse and keyboard, in the dark, on a phone."""

import json
import re
from importlib.resources import files
from io import BytesIO
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from kpca import KernelPCA, median_gamma
from tests.workflow.page.conftest import HOSTILE


def opened_page(browser, pages, name, **screen):
    """Open a page of a run or of the site, and wait until a script says that it is ready."""
    for kind in ("browser", "performance"):
        browser.get_log(kind)  # Earlier messages are forgotten.
    look(browser, **screen)
    browser.get(pages.get(name, SITE.parent / name).as_uri())
    wait(browser, f"return {READY.get(name, COMPLETE)}")
    return browser


def every(browser, selector):
    return browser.find_elements(By.CSS_SELECTOR, selector)


def one(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


def press(browser, selector, *keys):
    one(browser, selector).send_keys(*keys)


def errors(browser):
    return [e for e in browser.get_log("browser") if e["level"] in ("SEVERE", "WARNING")]


def look(browser, *, scheme="light", width=1400, media=""):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    emulated = {"media": media, "features": features}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", emulated)
    size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def wait(browser, script):
    return WebDriverWait(browser, 30).until(lambda driver: driver.execute_script(script))


# Where a row is in the window, of the first plot of rows.
PLACE = """
const at = document.querySelectorAll(".canvas .mark")[arguments[0]].getBoundingClientRect();
return [at.x + at.width / 2, at.y + at.height / 2];
"""
TIPS = "return [...document.querySelectorAll('.tip:not([hidden])')].map((tip) => tip.textContent)"
TABLE = "details.table[id=papers-overview]"

COMPLETE = "document.readyState === 'complete'"
READY = {
    "index.html": "document.body.dataset.ready",
    "several.html": "document.body.dataset.ready",
    "explorer.html": "document.getElementById('chosen').textContent",
    "lesson.html": "document.querySelector('#steps svg').childElementCount",
}


@pytest.fixture
def opened(browser, pages):
    """The page, when its plot is drawn."""
    return opened_page(browser, pages, "index.html")


@pytest.fixture
def explored(browser, pages):
    return opened_page(browser, pages, "explorer.html")


@pytest.fixture
def taught(browser, pages):
    return opened_page(browser, pages, "lesson.html")


def point_at(browser, row):
    browser.execute_script("document.querySelector('.canvas').scrollIntoView({block: 'center'})")
    x, y = browser.execute_script(PLACE, row)
    moved = {"type": "mouseMoved", "x": x, "y": y}
    browser.execute_cdp_cmd("Input.dispatchMouseEvent", moved)


def test_a_table_sorts(opened):
    press(opened, f"{TABLE} > summary", Keys.ENTER)
    header = opened.find_element(By.CSS_SELECTOR, f"{TABLE} th:nth-child(2) button")
    cells = f"[...document.querySelectorAll('{TABLE} tbody td:first-child')]"
    for order in ("cab", "bac"):  # 7.5, 9, 80: by number, not by letter
        header.send_keys(Keys.ENTER)
        wait(opened, f"return {cells}.map((cell) => cell.innerText).join('') === '{order}'")


def test_a_plot_takes_other_axes_and_its_words_do_nothing(opened):
    """The middle row lies in the middle of the plot, and its label is a script."""
    press(opened, "select[data-axis=x]", "component 3")
    axes = "[...document.querySelectorAll('.canvas .axis')].map((axis) => axis.textContent)"
    titles = opened.execute_script(f"return {axes}")
    assert titles == ["component 3", "kernel PCA 2", "PCA 1", "PCA 2"]
    before = opened.execute_script(PLACE, 1)
    press(opened, "select[data-axis=y]", "component 1")
    assert opened.execute_script(PLACE, 1) == pytest.approx(before, abs=1)
    point_at(opened, 1)
    assert wait(opened, TIPS) == [f"row 1\nid {HOSTILE}\n{HOSTILE} {HOSTILE}"]
    assert opened.execute_script("return window.broken") is None


def test_rows_take_the_colours_of_any_column(opened):
    select = one(opened, "select[data-colour]")
    classes, bar = (one(opened, css) for css in ("ul.keys", ".keys .ramp"))
    assert select.get_attribute("value") == HOSTILE
    names = {item.text[2:] for item in every(classes, "li")}
    assert names == {HOSTILE, "b"}
    colours = "return [...document.querySelectorAll('.canvas .mark')].map((m) => m.style.color)"
    first, second, third = opened.execute_script(colours)[:3]
    assert first == second != third
    assert not bar.is_displayed()

    select.send_keys("size")
    assert bar.is_displayed()
    assert one(opened, "p.keys").text.split() == ["-0.5", "0.5"]
    ramp = "rgb(68, 1, 84) rgb(33, 145, 140) rgb(253, 231, 37)"
    assert " ".join(opened.execute_script(colours)[:3]) == ramp
    assert opened.execute_script("return window.broken") is None


def test_the_layout_follows_the_medium(opened):
    """Plots are beside or below each other, and what one clicks on is not printed."""
    plots = every(opened, ".planes .canvas")
    assert [plot.get_attribute("id") for plot in plots] == ["plot-iris-view", "plot-iris-pca"]
    assert all(plot.size["height"] > 400 for plot in plots)
    assert plots[0].location["y"] == plots[1].location["y"]
    look(opened, width=390)
    assert plots[0].location["y"] < plots[1].location["y"]
    look(opened, media="print", scheme="dark")
    for controls in every(opened, ".controls, nav, .skip"):
        assert not controls.is_displayed()
    assert opened.execute_script("return getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert not one(opened, "#tables").is_displayed()
    assert one(opened, "#datasets").is_displayed()  # A single table is the whole page.


def test_several_datasets_are_printed_by_questions(browser, pages):
    opened_page(browser, pages, "several.html", media="print")
    assert not one(browser, "#datasets").is_displayed()
    assert one(browser, "#question-1").is_displayed()


def test_the_keyboard_begins_with_the_way_past_the_contents(opened):
    opened.refresh()  # the keyboard begins where one has pointed last
    press(opened, "body", Keys.TAB)
    assert opened.switch_to.active_element.get_attribute("href").endswith("#main")
    opened.switch_to.active_element.send_keys(Keys.ENTER)
    assert opened.switch_to.active_element.get_attribute("id") == "main"


def test_the_code_is_copied(opened):
    press(opened, ".code > summary", Keys.ENTER)
    button = one(opened, ".code .copy")
    button.send_keys(Keys.ENTER)
    assert button.text == "Copied"
    assert "print(model.predict(" in opened.execute_script("return getSelection().toString()")


MARKS = "return [...document.querySelectorAll(`#${arguments[0]} .mark`)].map((mark) => mark.%s)"


def words(browser, name):
    return one(browser, f"#{name}").text


def marks(browser, plot, attribute="attributes.transform.value"):
    return browser.execute_script(MARKS % attribute, plot)


def test_a_key_moves_the_parameter_and_all_follows(explored):
    slider = one(explored, "#cell")
    assert words(explored, "kernel").split("\n") == ["linear", "Gaussian"]
    assert "validation 0.820, test 0.700 (PCA 0.550). 2 components" in words(explored, "score")
    numbers = every(explored, "#scores .scale text:not(.left, .axis)")
    assert (len(numbers), len(marks(explored, "scores"))) == (3, 4)  # one setting has no score
    for control in ("cell", "size"):
        assert words(explored, f"{control}-label").endswith(" (chosen)")
        tick = one(explored, f"#{control}-mark option")
        at_start = one(explored, f"#{control}").get_attribute("value")
        assert tick.get_attribute("value") == at_start
        press(explored, f"#{control}", Keys.ARROW_LEFT)
        assert not words(explored, f"{control}-label").endswith(" (chosen)")
    assert "validation 0.710, test 0.600 (PCA 0.550)" in words(explored, "score")
    shades = "return document.querySelector('#features image').href.baseVal"
    lines = "return [...document.querySelectorAll('.level')].map((line) => line.getTotalLength())"

    def seen():
        drawn = [explored.execute_script(script) for script in (shades, lines)]
        return [marks(explored, "embedding"), words(explored, "cell-label"), *drawn]

    before = seen()
    slider.send_keys(Keys.ARROW_RIGHT)
    assert "validation 0.810, test 0.700" in words(explored, "score")
    assert slider.get_attribute("aria-valuetext") == words(explored, "cell-label")
    after = seen()
    assert all(old != new for old, new in zip(before, after, strict=True))
    assert sum(after[-1]) > 0

    press(explored, "#size", Keys.ARROW_RIGHT)
    assert "validation 0.820, test 0.700 (PCA 0.550). 2 components" in words(explored, "score")
    assert marks(explored, "embedding") == after[0]
    press(explored, "#x", "component 3")
    assert marks(explored, "embedding") != after[0]
    assert len(set(marks(explored, "embedding"))) > 1


def test_a_link_restores_a_view(explored):
    press(explored, "#kernel", "linear")
    press(explored, "#x", "component 3")
    link = one(explored, "#link").get_attribute("href")
    before = [marks(explored, plot) for plot in ("embedding", "features")]
    assert link == explored.current_url
    assert link.endswith("#dataset=plane&setting=linear&m=2&x=2&y=1&u=0&v=1")

    press(explored, "#dataset", "pictures")
    explored.execute_script("location.href = arguments[0]", link)
    wait(explored, "return document.getElementById('dataset').value === 'plane'")
    assert [marks(explored, plot) for plot in ("embedding", "features")] == before
    explored.execute_script("location.hash = '#dataset=nothing&setting=%zz'")
    wait(explored, "return document.getElementById('cell').value === '2'")


def test_rows_may_be_images(explored):
    pictures = "return document.querySelectorAll('#features image').length"
    press(explored, "#dataset", "pictures")
    assert 1 < explored.execute_script(pictures) <= 30
    assert not one(explored, "#u").is_displayed()
    assert marks(explored, "features") == marks(explored, "embedding")


def test_chosen_rows_light_up_in_every_view(explored):
    """They are chosen by a button, by a click, and by a line around them."""

    def lit():
        faint = "classList.contains('faint')"
        first, second = (marks(explored, plot, faint) for plot in ("embedding", "features"))
        assert first == second
        return [row for row, is_faint in enumerate(first) if not is_faint]

    every(explored, "#keys button")[1].send_keys(Keys.ENTER)
    assert lit() == list(range(1, 30, 2))
    assert words(explored, "chosen").startswith("15 of 30: row 2 ")
    ground = one(explored, "#embedding .ground")
    explored.execute_script("arguments[0].scrollIntoView({block: 'center'})", ground)
    right, down = (ground.size[side] // 2 - 3 for side in ("width", "height"))
    drawn = ActionChains(explored, duration=20).move_to_element_with_offset(ground, 0, -down)
    drawn.click_and_hold()
    for across, up in ((0, down), (right, down), (right, -down)):
        drawn.move_to_element_with_offset(ground, across, up)
    drawn.release().perform()
    x = [explored.execute_script(PLACE, row)[0] for row in range(30)]
    middle = explored.execute_script(
        "const { x, width } = arguments[0].getBoundingClientRect(); return x + width / 2", ground
    )
    assert lit() == [row for row in range(30) if x[row] > middle]
    every(explored, "#embedding .mark")[4].click()
    assert lit() == [4]


def test_what_one_points_at_is_named_and_its_words_do_nothing(explored):
    point_at(explored, 2)
    assert wait(explored, TIPS)[0].startswith(f"row 3 {HOSTILE} {HOSTILE}\n{HOSTILE} = ")
    assert explored.execute_script("return window.broken") is None


def test_the_plots_of_the_explorer_follow_the_scheme(explored):
    colour = "document.querySelector('#embedding .mark').style.color"
    before = explored.execute_script(f"return {colour}")
    look(explored, scheme="dark", width=390)
    assert wait(explored, f"return {colour} !== '{before}'")


FIT = """
const { state, fit } = lesson, [choice, X, more] = arguments;
const { values, score, trace } = fit(X, choice), some = [...X, ...more];
return [values, some.map((p) => values.map((_, c) => score(p, c))), trace];
"""


KERNELS = [
    {"kernel": "linear"},
    {"kernel": "rbf", "gamma": 0.01},
    {"kernel": "rbf", "gamma": 3.0},
    {"kernel": "rbf", "gamma": 300.0},
    {"kernel": "poly", "gamma": 2.0, "degree": 3},
]


def test_fits_agree_with_the_library(taught):
    for parameters, n in product(KERNELS, (25, 60, 200)):  # Eigenvalues must differ.
        X, more = np.split(np.random.default_rng(n).normal(size=(n + 5, 2)) / 2, [n])
        choice = parameters | {"family": parameters["kernel"]}
        values, scores, trace = taught.execute_script(FIT, choice, X.tolist(), more.tolist())
        k = 2 if parameters["kernel"] == "linear" else 6
        model = KernelPCA(k, **parameters, eigen_solver="dense").fit(X)
        np.testing.assert_allclose(values[:k], model.eigenvalues_, atol=1e-6 * values[0])
        expected = model.transform(np.vstack([X, more]))
        computed = np.array(scores)[:, :k]
        np.testing.assert_allclose(computed, expected, atol=1e-6 * np.abs(expected).max())
        assert trace == pytest.approx(model.eigenvalues_[0] / model.explained_variance_ratio_[0])


NUMBERS = "return [...document.querySelectorAll('[data-number]')].map((one) => one.innerText)"
CHOSEN = "return lesson.state.points[lesson.state.chosen]"


def test_mouse_and_keys_change_what_is_shown(taught):
    X = np.array([point[:2] for point in taught.execute_script("return lesson.state.points")])
    label = one(taught, "#gamma-label")
    plane = one(taught, "svg")
    assert label.text == f"γ = 3.2 ({10**0.5 / median_gamma(X):.2g} × median heuristic)"
    before = taught.execute_script(f"lesson.show(true); {NUMBERS}")
    press(taught, "#gamma", Keys.ARROW_RIGHT)
    taught.execute_script("lesson.show(true)")
    assert label.text.startswith("γ = 3.5 ")
    assert taught.execute_script(NUMBERS) != before

    taught.execute_script("arguments[0].scrollIntoView({ block: 'center' })", plane)
    ActionChains(taught).move_to_element_with_offset(plane, 60, 60).click().perform()
    x, y, point_class = taught.execute_script(CHOSEN)
    assert len(taught.execute_script("return lesson.state.points")) == len(X) + 1
    assert (x > 0, y < 0, point_class) == (True, True, 0)
    plane.send_keys(Keys.ARROW_LEFT, Keys.ARROW_DOWN)
    assert taught.execute_script(CHOSEN) == pytest.approx([x - 0.05, y - 0.05, 0])
    plane.send_keys(Keys.DELETE, Keys.PAGE_UP)
    assert taught.execute_script(CHOSEN)[:2] == pytest.approx(X[0])
    scale = plane.size["width"] / 3.2
    to_point = (scale * X[0] * [1, -1]).round().astype(int).tolist()
    drag = ActionChains(taught).move_to_element_with_offset(plane, *to_point).click_and_hold()
    drag.move_to_element_with_offset(plane, 0, 0).release().perform()
    assert taught.execute_script(CHOSEN)[:2] == pytest.approx([0, 0], abs=0.02)


def test_no_point_at_all_is_no_error(taught):
    press(taught, "#set", "none")
    one(taught, "#remove").click()
    taught.execute_script("lesson.show(true)")
    plane = one(taught, "svg")
    plane.send_keys(Keys.ARROW_LEFT, *[Keys.ENTER] * 3)
    assert len(taught.execute_script("return lesson.state.points")) == 3
    assert errors(taught) == []


AXE = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
STILL = "for (const change of document.getAnimations()) change.finish()"
RUN = "const [done] = arguments; axe.run().then(({ violations }) => done(violations))"
SITE = Path(__file__).parents[3] / "site"
# Every page of the site, if `make docs` has built it.
PAGES = [path for path in sorted(SITE.rglob("*.html")) if "_static" not in path.parts]
SHOWN = [str(path.relative_to(SITE.parent)) for path in PAGES]
FORMULA = re.compile(r"\S*(?:[_^]\{|[α-ω‖]_|\^[½(−])\S*")
CODE = re.compile(r"<(script|style|pre|code|title|math)\b.*?</\1>|<[^>]*>", re.DOTALL)


def test_the_site_shows_no_formula_as_it_is_typed():
    raw = {str(path): FORMULA.findall(CODE.sub("", path.read_text())) for path in PAGES}
    assert {
        path: formulas for path, formulas in raw.items() if formulas and "_modules" not in path
    } == {}
    assert FORMULA.findall("the bound λ_{k+1} on x^½") == ["λ_{k+1}", "x^½"]


def asked(browser):
    """Return the schemes of the addresses that a page has asked for."""
    logged = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return {
        message["params"]["request"]["url"].split(":")[0]
        for message in logged
        if message["method"] == "Network.requestWillBeSent"
        # Chromium's own documents ask for other things.
        and message["params"]["documentURL"].startswith("file:")
    }


LOOKS = {"light": 1280, "dark": 390}


@pytest.mark.parametrize("scheme", LOOKS)
@pytest.mark.parametrize("name", [*READY, *SHOWN])
def test_a_page_opens_without_errors_network_and_violations_of_axe(browser, pages, name, scheme):
    width = LOOKS[scheme]
    opened = opened_page(browser, pages, name, scheme=scheme, width=width)
    if name in READY:
        ground = opened.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
        for dataset in every(opened, "#dataset"):
            dataset.send_keys("pictures")
        assert "file" in (schemes := asked(opened))
        assert schemes <= {"file", "data", "blob", "chrome"}
    opened.execute_script("for (const part of document.querySelectorAll('details')) part.open = 1")
    opened.execute_script(STILL)
    opened.execute_script(AXE)
    violations = opened.execute_async_script(RUN)
    assert [(broken["id"], broken["nodes"][0]["html"][:200]) for broken in violations] == []
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    assert name not in READY or errors(opened) == []


def test_pictures_and_tables_are_there_without_scripts(browser, pages):
    look(browser)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(pages["several.html"].as_uri())
        small = every(browser, "#answer .pair svg use")
        planes = every(browser, ".canvas svg use")
        rows = every(browser, "table.sortable tbody tr")
        figures = every(browser, ".question img")
        assert small[0].is_displayed()
        at_once = Image.open(BytesIO(browser.get_screenshot_as_png())).convert("RGB")
        frame = one(browser, "#answer .pair svg").rect
        corner = frame["x"], frame["y"]
        picture = at_once.crop((*corner, corner[0] + frame["width"], corner[1] + frame["height"]))
        assert corner[1] + frame["height"] < at_once.height  # it is on the first screen
        # These colours are those of marks, and not of a free place.
        assert len(picture.getcolors(maxcolors=10**6)) > 10
        assert all(elements for elements in (planes, rows, figures))
        assert all(float(image.get_property("naturalWidth")) > 0 for image in figures[:1])
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
