"""
One fit on a Dask cluster
=========================

A fit can use the machines of a cluster, because it consists of passes over the kernel matrix or
over the rows. Inside a joblib configuration that names Dask, the workers do the passes of an exact
fit. Here the cluster is two
workers on this machine. For another cluster, change one line: for example, write
``Client("scheduler:8786")``. Install Dask with ``pip install "kpca[dask]"``.
"""

import joblib
import numpy as np

from kpca import KernelPCA, LandmarkKernelPCA

try:
    from dask import array
    from dask.distributed import Client
except ImportError:
    Client = None

X = np.random.default_rng(0).normal(size=(3000, 5))
model = KernelPCA(5, kernel="rbf", gamma="median", eigen_solver="davidson", n_jobs=2)
here = model.fit(X).eigenvalues_

# %%
# A pass sends a block of vectors to each worker and adds the results in a fixed order. Therefore
# two workers give the same bits as two threads. Fits by landmarks take Dask arrays, whose rows stay
# on the workers: equal blocks give equal bits.

landmarks = LandmarkKernelPCA(5, kernel="rbf", n_landmarks=100, n_jobs=1)
nearly = landmarks.fit(np.split(X, 3)).eigenvalues_

if Client is None:
    print("distributed is not installed: nothing was run here.")
else:
    with (
        Client(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=False),
        joblib.parallel_config(backend="dask"),
    ):
        there = model.fit(X).eigenvalues_
        spread = landmarks.fit(array.from_array(X, chunks=(1000, 5))).eigenvalues_
    print("the same bits as on two threads:", np.array_equal(here, there))
    print("the same bits as from local blocks:", np.array_equal(nearly, spread))
