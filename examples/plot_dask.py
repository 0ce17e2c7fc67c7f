"""
One fit on a Dask cluster
=========================

Inside a joblib configuration that names Dask, the passes over the kernel matrix go to the workers
of the cluster. Here the cluster is two workers on this machine; ``Client("scheduler:8786")`` is the
only line that another one changes. It needs ``pip install "kpca[dask]"``.
"""

import joblib
import numpy as np

from kpca import KernelPCA

try:
    from dask.distributed import Client
except ImportError:
    Client = None

X = np.random.default_rng(0).normal(size=(3000, 5))
model = KernelPCA(5, kernel="rbf", gamma="median", eigen_solver="davidson", n_jobs=2)
here = model.fit(X).eigenvalues_

# %%
# A pass sends each worker a block of vectors and adds up what comes back, in a fixed order: two
# workers give, bit by bit, what two threads do.

if Client is None:
    print("distributed is not installed: nothing was run here.")
else:
    with (
        Client(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=False),
        joblib.parallel_config(backend="dask"),
    ):
        there = model.fit(X).eigenvalues_
    print("the same bits as on two threads:", np.array_equal(here, there))
