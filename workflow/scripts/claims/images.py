"""Images before a linear SVM: the error against up to four times as many components as inputs.

The splits are not those of the sweep: their seed is one of this study.
"""

from collections.abc import Iterator
from itertools import product

import pandas as pd

from pipeline.evaluation.settings import Settings
from pipeline.job import script
from pipeline.seeds import seed_for
from workflow.scripts.claims.claim import Case, averaged
from workflow.scripts.claims.setting import KERNELS, REPLICATES, tuned, units

DIGITS = {"digits": {"sklearn": "digits"}}
INPUTS, MORE = 64, (128, 256)  # pixels of an image, and the numbers that the statements are about
CLAIMS = {"8-images-pca": "linear", "8-images-more": "rbf"}  # and the kernels of their baselines
SETTINGS = Settings((4, 8, 16, 32, INPUTS, *MORE), (10.0, 100.0), 3, ("unit",), 1, 1.0)


def gains(table: pd.DataFrame) -> Iterator[Case]:
    """Yield what more components gain over PCA and kernel PCA with as many as inputs."""
    by = table.pivot(index="replicate", columns=["kernel", "n_components"], values="value")
    overlap = float(table["overlap"].iloc[0])
    for m, (claim, kernel) in product(MORE, CLAIMS.items()):
        baseline = by[kernel, INPUTS]
        values, left = (by["rbf", m] - baseline).to_numpy(), 1 - float(baseline.mean())
        yield averaged(claim, values, overlap, f"{m} components", highest=left)


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases of images, and the table ``scores`` of balanced accuracies."""
    rows = []
    for unit, split in units(DIGITS, ("linear", "rbf"), seed_for(seed, "images"), REPLICATES):
        values = tuned(split, KERNELS[unit["kernel"]], SETTINGS)["test"]
        # PCA has as many components as pixels that vary in every fold, a few less than inputs.
        values[INPUTS] = values.get(INPUTS, values.iloc[-1])
        sizes = [m for m in SETTINGS.n_components if m in values]
        rows += [unit | {"n_components": m, "value": values[m]} for m in sizes]
    table = pd.DataFrame(rows)
    return {"claims": pd.DataFrame(gains(table)), "scores": table}
