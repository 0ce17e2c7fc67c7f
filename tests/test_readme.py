"""The first code of the README draws its first picture, and the other runs.

`python -m tests.test_readme` draws the picture anew.
"""

import re
from io import BytesIO

import matplotlib as mpl
import numpy as np
from PIL import Image

from tests.workflow.pipeline import ROOT

PICTURE = ROOT / "docs/rings.png"


def run_code():
    """Return the names that the code of the README defines, all blocks one after the other."""
    mpl.use("agg")
    names = {}
    with mpl.rc_context():
        mpl.rcdefaults()
        for code in re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL):
            exec(code, names)
    return names


def drawn(names, target):
    names["fig"].savefig(target, dpi=150, metadata={"Software": None}, format="png")


def test_the_code_of_the_readme_draws_its_picture(capsys):
    names = run_code()
    assert "proven: no eigenvalue" in capsys.readouterr().out
    with BytesIO() as target:
        drawn(names, target)
        again = np.asarray(Image.open(target).convert("RGB"), dtype=float)
    shipped = np.asarray(Image.open(PICTURE).convert("RGB"), dtype=float)
    assert shipped.shape == again.shape
    # Fonts and rounding differ a little, by less than 1 of 255.
    assert np.abs(shipped - again).mean() < 1


if __name__ == "__main__":
    drawn(run_code(), PICTURE)
