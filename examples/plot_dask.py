"""
One fit on a Dask cluster
=========================

A fit by landmarks can use the machines of a cluster, because it consists of passes over the rows.
Here the cluster is two workers on this machine. For another cluster, change one line: for example,
write ``Client("scheduler:8786")``. Install Dask with ``pip install "kpca[dask]"``.
"""

import numpy as np

from kpca import LandmarkKernelPCA

try:
    from dask import array
    from dask.distributed import Client
except ImportError:
    Client = None

X = np.random.default_rng(0).normal(size=(3000, 5))

# %%
# The rows of a Dask array stay on the workers. A pass adds up sums over blocks in a fixed order, so
# that equal blocks give equal bits.

landmarks = LandmarkKernelPCA(5, kernel="rbf", n_landmarks=100, n_jobs=1)
nearly = landmarks.fit(np.split(X, 3)).eigenvalues_

if Client is None:
    print("distributed is not installed: nothing was run here.")
else:
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=False):
        spread = landmarks.fit(array.from_array(X, chunks=(1000, 5))).eigenvalues_
    print("the same bits as from local blocks:", np.array_equal(nearly, spread))
