"""The lesson in a browser: its numbers are those of the library, and mouse and keys move points."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from kpca import KernelPCA, median_gamma
from tests.pipeline.page.conftest import HOSTILE, tables
from tests.pipeline.page.test_browser import (
    READY,
    browser,  # noqa: F401
    opened_page,
    pages,  # noqa: F401
    pytestmark,  # noqa: F401
)
from workflow.scripts.page.write_lesson import answer, lesson

FIT = """
const { state, fit } = lesson, [choice, X, more] = arguments;
const { values, score, trace } = fit(X, choice), some = [...X, ...more];
return [values, some.map((p) => values.map((_, c) => score(p, c))), trace];
"""


@pytest.fixture
def opened(browser: Chrome, pages: dict[str, Path]) -> Chrome:  # noqa: F811
    return opened_page(browser, pages["lesson.html"], READY["lesson.html"])


KERNELS: list[dict[str, Any]] = [{"kernel": "linear"}]
KERNELS += [{"kernel": "rbf", "gamma": gamma} for gamma in (0.01, 3.0, 300.0)]
KERNELS += [{"kernel": "poly", "gamma": 2.0, "degree": 3}]


def test_fits_agree_with_the_library(opened: Chrome) -> None:
    for given, n in product(KERNELS, (25, 60, 200)):  # without equal eigenvalues
        X, more = np.split(np.random.default_rng(n).normal(size=(n + 5, 2)) / 2, [n])
        choice = given | {"family": given["kernel"]}
        values, scores, trace = opened.execute_script(FIT, choice, X.tolist(), more.tolist())
        k = 2 if given["kernel"] == "linear" else 6
        model = KernelPCA(k, **given, eigen_solver="dense").fit(X)
        np.testing.assert_allclose(values[:k], model.eigenvalues_, atol=1e-6 * values[0])
        expected, found = model.transform(np.vstack([X, more])), np.array(scores)[:, :k]
        np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())
        assert trace == pytest.approx(model.eigenvalues_[0] / model.explained_variance_ratio_[0])


NUMBERS = "return [...document.querySelectorAll('[data-number]')].map((one) => one.innerText)"
CHOSEN = "return lesson.state.points[lesson.state.chosen]"


def test_mouse_and_keys_change_what_is_shown(opened: Chrome) -> None:
    X = np.array([point[:2] for point in opened.execute_script("return lesson.state.points")])
    label, plane = (opened.find_element(By.CSS_SELECTOR, at) for at in ("#gamma-label", "svg"))
    assert label.text == f"γ = 3.2 ({10**0.5 / median_gamma(X):.2g} × median heuristic)"
    before = opened.execute_script(f"lesson.show(true); {NUMBERS}")
    opened.find_element(By.ID, "gamma").send_keys(Keys.ARROW_RIGHT)
    opened.execute_script("lesson.show(true)")
    assert label.text.startswith("γ = 3.5 ")
    assert opened.execute_script(NUMBERS) != before

    opened.execute_script("arguments[0].scrollIntoView({ block: 'center' })", plane)
    ActionChains(opened).move_to_element_with_offset(plane, 60, 60).click().perform()
    x, y, one = opened.execute_script(CHOSEN)
    assert len(opened.execute_script("return lesson.state.points")) == len(X) + 1
    assert (x > 0, y < 0, one) == (True, True, 0)
    plane.send_keys(Keys.ARROW_LEFT, Keys.ARROW_DOWN)
    assert opened.execute_script(CHOSEN) == pytest.approx([x - 0.05, y - 0.05, 0])
    plane.send_keys(Keys.DELETE, Keys.PAGE_UP)
    assert opened.execute_script(CHOSEN)[:2] == pytest.approx(X[0])
    scale = plane.size["width"] / 3.2
    to_point = (scale * X[0] * [1, -1]).round().astype(int).tolist()
    drag = ActionChains(opened).move_to_element_with_offset(plane, *to_point).click_and_hold()
    drag.move_to_element_with_offset(plane, 0, 0).release().perform()
    assert opened.execute_script(CHOSEN)[:2] == pytest.approx([0, 0], abs=0.02)


def test_no_point_at_all_is_no_error(opened: Chrome) -> None:
    opened.find_element(By.ID, "set").send_keys("none")
    opened.find_element(By.ID, "remove").click()
    opened.execute_script("lesson.show(true)")
    plane = opened.find_element(By.CSS_SELECTOR, "svg")
    plane.send_keys(Keys.ARROW_LEFT, *[Keys.ENTER] * 3)
    assert len(opened.execute_script("return lesson.state.points")) == 3
    assert [e for e in opened.get_log("browser") if e["level"] in ("SEVERE", "WARNING")] == []


def test_it_ends_with_the_answer_of_the_run() -> None:
    decisions = tables()["tables/decisions.csv"]
    assert answer(decisions) == f"iris: It pays. Look: {HOSTILE}"
    assert HOSTILE not in lesson(decisions)
    several = pd.DataFrame({"dataset": ["a", "b", "c"], "recommended": "PCA", "vs_pca": "better"})
    assert answer(several).endswith("Compared with PCA, kernel PCA is better on a, b and c.")
    assert "Your data" not in lesson()
