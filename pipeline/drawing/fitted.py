"""The models that figures show, and the scores of rows under them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kpca.kernel_pca import KernelPCA
from pipeline.datasets.dataset import Dataset, IntArray
from pipeline.drawing.shown import REPLICATE
from pipeline.evaluation.embeddings import training_scores
from pipeline.fits import stored_model
from pipeline.grid import Point
from pipeline.seeds import sample
from pipeline.store import entry_name, read_entry


@dataclass(frozen=True, eq=False)
class Embedding:
    """Scores of one replicate's rows, of shape (n, m), and their row numbers in the dataset."""

    train: np.ndarray
    test: np.ndarray
    train_index: IntArray
    test_index: IntArray


def model_of(dataset: Dataset, path: Path | str, point: Point) -> KernelPCA:
    """Return the fitted model of a point."""
    return stored_model(read_entry(path, entry_name(point, REPLICATE)), dataset.split(REPLICATE))


def embed(dataset: Dataset, model: KernelPCA, *, components: int, test_rows: int) -> Embedding:
    """Return the first scores of the training rows and of some test rows.

    The test rows are a seeded sample, in their order: a file may be sorted by class. Where
    the model has fewer components the missing ones are 0.
    """
    train_index, test_index = dataset.splits[REPLICATE]
    rows = sample(len(test_index), test_rows)
    train = training_scores(model)
    test = model.transform(dataset.split(REPLICATE).X_test[rows])
    return Embedding(
        _wide(train, components), _wide(test, components), train_index, test_index[rows]
    )


def _wide(Z: np.ndarray, columns: int) -> np.ndarray:
    kept = Z[:, :columns]
    return np.pad(kept, ((0, 0), (0, columns - kept.shape[1])))
