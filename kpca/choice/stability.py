"""Choose γ and the number of components for k-means on kernel PCA scores, without labels."""

from collections.abc import Sequence

import numpy as np

from kpca.choice.denoising import POSITIVE, Choice, least_error
from kpca.kernel_pca import KernelPCA
from kpca.types import Array, Floats
from kpca.validation import check_argument, checked, checked_list, integer

DRAWS = 10


def instabilities(
    X: Array,
    gamma: float,
    sizes: Sequence[int],
    n_clusters: int,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> Floats:
    """Return how much clusters depend on the half of the rows that k-means is fitted to.

    Parameters
    ----------
    X : array of shape (n, d)
        At least four rows per cluster.
    gamma : float
        Coefficient γ of the Gaussian kernel.
    sizes : sequence of int
        Numbers of components m. If m is larger than the rank of a half, all components are used.
    n_clusters : int
        Number of clusters, at least two.
    draws : int, default=10
        Number of random splits into halves.
    seed : int, default=0
        Seed of the halves and of k-means.

    Returns
    -------
    ndarray of shape (len(sizes),)
        1 minus the mean adjusted mutual information of two clusterings of the second half of the
        rows. One is k-means on the components of the second half. The other one takes the nearest
        centroids of k-means on the components of the first half.

    Raises
    ------
    TypeError, ValueError
        If an argument cannot be used; the message names it.

    References
    ----------
    Lange, Roth, Braun, Buhmann (2004), Stability-based validation of clustering solutions, Neural
    Computation 16.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> two = rng.normal(size=(60, 2)) + np.arange(60)[:, None] % 2 * 20
    >>> instabilities(two, 0.01, [2], n_clusters=2).round(3)
    array([0.])
    """
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_mutual_info_score

    check_argument("gamma", gamma, POSITIVE)
    check_argument("n_clusters", n_clusters, integer(2))
    check_argument("draws", draws, integer(1))
    check_argument("seed", seed, integer(0))
    X = checked(X, ensure_min_samples=4 * n_clusters, dtype=np.float64)
    sizes = checked_list("sizes", sizes, integer(1))
    if (n_distinct := len(np.unique(X, axis=0))) < n_clusters:
        raise ValueError(
            f"X has {n_distinct} distinct rows, and n_clusters={n_clusters} clusters need as many: "
            "pass rows that differ, or lower n_clusters."
        )
    rng = np.random.default_rng(seed)
    agreement = np.zeros(len(sizes))
    for draw in range(draws):
        order = rng.permutation(len(X))
        first = order[: len(X) // 2]
        second = order[len(X) // 2 :]
        halves = []
        for rows in (first, second):
            model = KernelPCA(max(sizes), kernel="rbf", gamma=gamma)
            model.fit(X[rows])
            halves.append((model.transform(X[rows]), model.transform(X[second])))
        for position, m in enumerate(sizes):
            labels = []
            for scores, of_second in halves:
                kmeans = KMeans(n_clusters, n_init=3, random_state=seed + draw)
                labels.append(kmeans.fit(scores[:, :m]).predict(of_second[:, :m]))
            agreement[position] += adjusted_mutual_info_score(*labels) / draws
    return 1 - agreement


def choose_by_stability(
    X: Array,
    gammas: Sequence[float],
    sizes: Sequence[int],
    n_clusters: int,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> Choice:
    """Choose γ and the number of components for which k-means on random halves agrees best.

    Parameters
    ----------
    X : array of shape (n, d)
        At least four rows per cluster.
    gammas : sequence of float
        Values of γ to try.
    sizes : sequence of int
        Numbers of components m to try.
    n_clusters : int
        Number of clusters, at least two.
    draws : int, default=10
        Number of random splits into halves.
    seed : int, default=0
        Seed of the halves and of k-means.

    Returns
    -------
    Choice
        The setting with the smallest of the `instabilities`. Ties go to fewer components, then to
        the smaller γ.

    Raises
    ------
    TypeError, ValueError
        If a value cannot be tried; this is checked before any fit.

    Warns
    -----
    UserWarning
        If the chosen γ or m is the smallest or largest one that was tried.

    Examples
    --------
    >>> from sklearn.datasets import make_circles
    >>> X, _ = make_circles(100, factor=0.3, noise=0.05, random_state=0)
    >>> choose_by_stability(X, [0.5, 5.0, 50.0], [1, 2, 4], n_clusters=2).gamma
    5.0
    """
    gammas = checked_list("gammas", gammas, POSITIVE)
    sizes = checked_list("sizes", sizes, integer(1))
    errors = [instabilities(X, g, sizes, n_clusters, draws=draws, seed=seed) for g in gammas]
    return least_error(np.array(errors), gammas, sizes)
