"""Landmark fits of rows on Dask workers: the local fit, bit by bit, though a worker is killed."""

import os
import signal
import tracemalloc
from functools import cache, partial
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

from kpca import PCA, KernelPCA, KernelPCANovelty, LandmarkKernelPCA, load, save
from kpca.nystrom.streaming import WorkerRows
from tests.kpca.nystrom.test_fit import assert_same_model, nystrom

da = pytest.importorskip("dask.array")
tokenize = pytest.importorskip("dask.base").tokenize
OPTIONS = {"gamma": "median", "n_landmarks": 40, "n_jobs": 1}


def block(number, rows=2000):
    return np.random.default_rng(number).normal(size=(rows, 4)) * [2.0, 1.0, 1.0, 0.5]


BLOCKS = [block(number) for number in range(5)]
X = np.concatenate(BLOCKS)
ARRAY = da.from_array(X, chunks=(2000, 2))
WHOLE = r"samples in pieces, and nothing else does.*pass np.asarray\(X\)"


@cache
def local():
    return nystrom(3, **OPTIONS).fit(BLOCKS)


def assert_equal(model, local):
    """Signs are those of scores among the landmarks, since there are no eigenvectors."""
    assert not hasattr(model, "eigenvectors_")
    for name in ("eigenvalues_", "residual_bounds_", "X_fit_", "kernel_means_"):
        np.testing.assert_array_equal(getattr(model, name), getattr(local, name))
    for method in ("transform", "reconstruction_error"):
        values = getattr(model, method)(ARRAY)
        assert isinstance(values, da.Array)
        np.testing.assert_array_equal(abs(values), abs(getattr(local, method)(X)))


class Lazy:
    """An array of a file, as zarr and h5py have them: pieces are read, and never the whole."""

    shape = X.shape
    ndim = 2
    dtype = X.dtype
    chunks = (2000, 4)

    def __getitem__(self, part):
        assert len(X[part]) < len(X)
        return X[part]


def test_lazy_arrays_are_read_in_pieces_here(monkeypatch):
    assert_equal(nystrom(3, **OPTIONS).fit(ARRAY), local())
    monkeypatch.setattr("kpca.nystrom.streaming.CHUNK_BYTES", 1 << 15)
    model = nystrom(3, **OPTIONS).fit(Lazy())
    assert_same_model(model, local(), 1e-9)
    np.testing.assert_allclose(model.transform(Lazy()), model.transform(X), atol=1e-12)


def test_equal_blocks_give_equal_bits_on_workers(client):
    for landmarks in ([0, 3, 9_999], X[:50], "rpcholesky"):
        model, here = (nystrom(3, landmarks=landmarks, **OPTIONS) for _ in range(2))
        assert_equal(model.fit(ARRAY), here.fit(BLOCKS))
    rechunked = model.fit(da.rechunk(ARRAY, (1111, 4)))
    np.testing.assert_allclose(rechunked.eigenvalues_, here.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(abs(model.fit_transform(ARRAY)), abs(here.transform(X)), atol=1e-10)


def test_workers_open_their_own_files(client, tmp_path):
    for number, rows in enumerate(BLOCKS):
        np.save(tmp_path / f"{number}.npy", rows)
        pd.DataFrame(rows, columns=list("abcd")).to_parquet(tmp_path / f"{number}.parquet")
    for read, files in ((np.load, "*.npy"), (pd.read_parquet, "*.parquet")):
        opened = [partial(read, file) for file in sorted(tmp_path.glob(files))]
        model = nystrom(3, **OPTIONS).fit(opened)
        assert_equal(model, nystrom(3, **OPTIONS).fit([read_file() for read_file in opened]))
    assert list(model.feature_names_in_) == list("abcd")


def test_a_worker_is_killed(client, monkeypatch):
    """In the pass that draws a sample, and for other rows in the pass of the sums."""
    reduce = WorkerRows.reduce
    is_deadly = iter([True, False, False, True])

    def killing(self, *arguments, **options):
        if next(is_deadly):
            client.wait_for_workers(2, timeout=120)  # the one that was killed before is back
            worker = min(client.run(os.getpid).values())
            os.kill(worker, signal.SIGKILL)  # Its blocks are lost.
        return reduce(self, *arguments, **options)

    monkeypatch.setattr(WorkerRows, "reduce", killing)
    for rows in ([partial(block, number) for number in range(5)], ARRAY):
        assert_equal(nystrom(3, **OPTIONS).fit(rows), local())
    assert list(is_deadly) == []


def test_memory_of_the_client_does_not_grow_with_the_rows(client, tmp_path):
    peaks = {}
    for count in (1, 1, 5):  # the first fit also loads modules
        tracemalloc.start()
        model = nystrom(3, **OPTIONS).fit([partial(block, i, 20_000) for i in range(count)])
        peaks[count] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peaks[5] - peaks[1] < 7e5  # the rows grow by 2.6 MB
    save(model, tmp_path / "model.npz")
    read = load(tmp_path / "model.npz")
    assert read.n_samples_seen_ == read.expansion().centering.n == 100_000


@pytest.mark.parametrize(
    ("fit", "message"),
    [
        *((partial(m.fit, Lazy()), WHOLE) for m in (KernelPCA(), nystrom(kernel="precomputed"))),
        *((partial(fit, ARRAY), WHOLE) for fit in (PCA().fit, nystrom().partial_fit)),
        (partial(nystrom().fit, Mock(spec=["to_dask_array"])), r"X.to_dask_array\(lengths=True\)"),
        (partial(nystrom().fit, da.where(ARRAY > 5, np.nan, ARRAY)), r"block \d contains NaN"),
        (partial(nystrom().fit, ARRAY, sample_weight=X[:, 0]), "not taken with rows on workers"),
        (partial(WorkerRows, [X, X[:, 1:]]), r"Block 1 has other columns .*\(3 of float64, not 4"),
    ],
)
def test_refusals(fit, message):
    with pytest.raises((TypeError, ValueError), match=message):
        fit()


@pytest.mark.parametrize("kind", [PCA, KernelPCA, LandmarkKernelPCA, KernelPCANovelty])
def test_fits_with_equal_parameters_are_different_for_dask(kind):
    """Dask takes arguments with equal tokens for one and the same."""
    one, same, other = (tokenize(kind().fit(rows[:50])) for rows in (X, X, BLOCKS[1]))
    assert one == same != other
