"""Every figure of the input space is drawn, twice the same, from small tables."""

import runpy
from pathlib import Path

import pytest

from pipeline.datasets import make_dataset
from workflow.scripts.input_space.curves import curves
from workflow.scripts.input_space.denoising import denoising
from workflow.scripts.input_space.inflation import gains, inflation
from workflow.scripts.input_space.novelty import roc

ROOT = Path(__file__).parents[3]
FIGURES = (
    *("denoised_images", "denoising", "denoised_curves", "inflation", "novelty_roc"),
    *("novelty_boundary", "importance", "scholkopf_parabola", "scholkopf_clusters"),
)
SIZES = {"seed": 0, "n_train": 120, "n_test": 60}


def script(name):
    return runpy.run_path(str(ROOT / "workflow" / "scripts" / f"figure_{name}.py"))


@pytest.fixture(scope="module")
def tables():
    digits = denoising(**SIZES, replicates=2, n_components=[4, 16], multiples=[1])
    ratios, accuracy = inflation(
        **SIZES | {"n_train": 60}, replicates=2, n_components=[4, 16], multiples=[1, 10]
    )
    return {
        "denoised_images": [digits, *SIZES.values()],
        "denoising": [digits, 0.5],
        "denoised_curves": [curves(seed=0, replicates=2), 0],
        "inflation": [ratios, gains(accuracy)],
        "novelty_roc": roc(seed=0, replicates=2, n_novel=50, multiples=[1, 3]),
        "novelty_boundary": [0],
        "importance": [0],
        "scholkopf_parabola": [0],
        "scholkopf_clusters": [0],
    }


@pytest.mark.filterwarnings("ignore::kpca.preimage.PreImageWarning")
@pytest.mark.parametrize("name", FIGURES)
def test_same_tables_give_the_same_bytes(name, tables, tmp_path):
    draw = script(name)["draw"]
    for turn in ("first", "second"):
        draw(*tables[name], [tmp_path / f"{turn}.svg"])
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


@pytest.mark.parametrize("name", [*FIGURES, "contours", "denoising_usps", "denoised_images_usps"])
def test_every_figure_has_a_caption(name):
    assert (ROOT / f"workflow/report/{name}.rst").read_text().strip()


def test_contours_without_a_dataset_in_the_plane_say_so(tmp_path):
    wine = make_dataset("wine", {"sklearn": "wine"}, seed=0, replicates=2)
    script("contours")["draw"]([wine], {}, {}, [tmp_path / "contours.svg"])
    assert (tmp_path / "contours.svg").stat().st_size > 0
