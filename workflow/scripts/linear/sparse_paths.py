"""Sparse PCA: sparsity against variance, exact solutions for few variables, and loadings."""

import warnings
from collections.abc import Mapping, Sequence
from itertools import combinations, product

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.exceptions import ConvergenceWarning

from kpca.linear.sparse import adjusted_variances, covariance_root
from kpca.linear.sparse_pca import SparsePCA
from kpca.linear.svd import axis_signs, svd
from kpca.study.seeds import rng_for
from kpca.types import Floats
from workflow.job import Tables, script

# Four methods, and "spca_soft", the limit of "spca" for an infinite L2 penalty.
METHODS = ("deflation", "two_step", "spca", "spca_soft", "dictionary")
TOLERANCE = 1e-3  # change of a loading at which methods stop, as in Zou, Hastie and Tibshirani
STRENGTHS = (0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
N_COMPONENTS = {"pitprops": 6, "breast_cancer": 6, "digits": 10}

# Method → L2 penalty of its elastic net, for fits to wide tables.
ELASTIC_NETS = {"spca": 1e-6, "spca_soft": np.inf}
# Wide tables: shape, number of nonzero loadings of the true component, ratio of its variance to the
# variance of the noise, and number of draws.
WIDE = (50, 1000)
SPARSE = 10
SPIKE = 10.0
DRAWS = 10
NONZEROS = {"pitprops": 3, "digits": 10}  # approximate nonzeros per component in the figures
Fits = Mapping[tuple[str, float], SparsePCA]  # method and strength → fit


def fit_sparse(S: Floats, k: int, method: str, strength: float) -> SparsePCA:
    """Fit k components of a covariance matrix, at a strength from 0 (no penalty) to 1.

    As the strength grows, a bound on the L1 norm falls from √d to 1. A penalty is the cube of the
    strength times 2 max_i |(Sv)_i|, where v is the leading axis. At strength 1, this penalty leaves
    no variable of v. The cube gives many small penalties, since these matter most.
    """
    eigenvalues, vectors = np.linalg.eigh(S)
    most = 2 * eigenvalues[-1] * np.abs(vectors[:, -1]).max()
    net = {"method": method, "l1_penalty": strength**3 * most}
    options = {
        "deflation": {"method": method, "l1_bound": 1 + (np.sqrt(len(S)) - 1) * (1 - strength)},
        "dictionary": net | {"l1_penalty": strength**3 * np.sqrt(np.diag(S).max())},
        "spca_soft": net | {"method": "spca", "l2_penalty": np.inf},
    }
    model = SparsePCA(k, input="covariance", tol=TOLERANCE, **options.get(method, net))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(S)


def path_table(S: Floats, k: int, fits: Fits) -> pd.DataFrame:
    """Return nonzeros per component and adjusted variance ratio of every fit, and PCA's ratio."""
    rows = [
        (*setting, model.n_nonzero_.mean(), model.adjusted_variance_ratio_.sum())
        for setting, model in fits.items()
    ]
    table = pd.DataFrame(rows, columns=["method", "strength", "nonzeros", "adjusted_variance"])
    eigenvalues = np.linalg.eigvalsh(S)[::-1]
    return table.assign(pca=eigenvalues[:k].sum() / eigenvalues.sum())


def best_direction(S: Floats, n_nonzero: int) -> Floats:
    """Return the unit w with ``n_nonzero`` nonzeros and the largest wᵀSw over all supports."""
    supports = np.array(list(combinations(range(len(S)), n_nonzero)))
    blocks = S[supports[:, :, None], supports[:, None, :]]
    best = supports[np.argmax(np.linalg.eigvalsh(blocks)[:, -1])]
    direction = np.zeros(len(S))
    direction[best] = np.linalg.eigh(S[np.ix_(best, best)])[1][:, -1]
    return direction * np.sign(direction[np.argmax(np.abs(direction))])


def exact_components(S: Floats, n_nonzero: Sequence[int]) -> Floats:
    """Return one sparse direction per column, with the given numbers of nonzeros.

    Each direction w maximises the variance that its score adds to those of the earlier directions,
    the columns of W. This variance is wᵀS̃w, where S̃ = S − SW(WᵀSW)⁺WᵀS.
    """
    W = np.empty((len(S), 0))
    for size in n_nonzero:
        products = S @ W
        rest = S - products @ np.linalg.pinv(W.T @ products, hermitian=True) @ products.T
        W = np.column_stack([W, best_direction(rest, size)])
    return W


def exact_path(S: Floats, k: int) -> pd.DataFrame:
    """Return the variance that k exact components explain, by number of nonzeros per component."""
    root = covariance_root(S)
    sizes = range(1, len(S) + 1)
    explained = [adjusted_variances(root, exact_components(S, [size] * k)).sum() for size in sizes]
    return pd.DataFrame({"nonzeros": sizes, "adjusted_variance": explained / np.trace(S)})


def loadings(matrix: pd.DataFrame, k: int, fits: Fits, nonzeros: float) -> pd.DataFrame:
    """Return loadings of PCA, and of each method's fit with about ``nonzeros`` per component."""
    vectors = np.linalg.eigh(matrix.to_numpy())[1][:, : -k - 1 : -1].T
    components_of = {"pca": vectors * axis_signs(vectors)[:, None]}
    for method in dict.fromkeys(method for method, _ in fits):
        models = [model for (name, _), model in fits.items() if name == method]
        nearest = min(models, key=lambda model: abs(model.n_nonzero_.mean() - nonzeros))
        components_of[method] = nearest.components_
    rows = [
        (method, j, name, value)
        for method, components in components_of.items()
        for j, component in enumerate(components, 1)
        for name, value in zip(matrix, component, strict=True)
    ]
    return pd.DataFrame(rows, columns=["method", "component", "variable", "loading"])


def wide_table(seed: int) -> pd.DataFrame:
    """Return |cos| between the first component of wide tables and the true one."""
    rows = []
    n, d = WIDE
    truth = np.repeat([1.0, 0.0], [SPARSE, d - SPARSE]) / np.sqrt(SPARSE)
    for draw in range(DRAWS):
        rng = rng_for(seed, "linear", "wide", draw)
        X = np.sqrt(SPIKE) * rng.standard_normal((n, 1)) * truth + rng.standard_normal(WIDE)
        factors = svd(X - X.mean(axis=0), 1)
        rows.append((draw, "pca", d, factors.Vt[0]))
        most = 2 * factors.s[0] ** 2 / (n - 1) * np.abs(factors.Vt).max()
        for (method, l2), strength in product(ELASTIC_NETS.items(), STRENGTHS):
            model = SparsePCA(1, l1_penalty=strength * most, l2_penalty=l2, tol=TOLERANCE).fit(X)
            rows.append((draw, method, model.n_nonzero_[0], model.components_[0]))
    table = pd.DataFrame(rows, columns=["draw", "method", "nonzeros", "cosine"])
    table["cosine"] = table["cosine"].map(lambda component: abs(component @ truth))
    off = (table["nonzeros"] - SPARSE).abs()
    nearest = off.groupby([table["draw"], table["method"]]).idxmin()
    return table.assign(chosen=table.index.isin(nearest))


def _joined(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    return pd.concat([table.assign(data=name) for name, table in tables.items()])


@script
def tables(correlations: pd.DataFrame, *, seed: int) -> Tables:
    """Return paths, loadings, the exact path of the Pitprops, and fits of wide tables."""
    cells = load_breast_cancer().data
    cells = (cells - cells.mean(axis=0)) / cells.std(axis=0, ddof=1)
    matrices = {
        "pitprops": correlations,
        "breast_cancer": pd.DataFrame(np.cov(cells, rowvar=False)),
        "digits": pd.DataFrame(np.cov(load_digits().data, rowvar=False)).add_prefix("pixel "),
    }
    paths = {}
    listed = {}
    for name, matrix in matrices.items():
        S = matrix.to_numpy()
        k = N_COMPONENTS[name]
        fits = {setting: fit_sparse(S, k, *setting) for setting in product(METHODS, STRENGTHS)}
        paths[name] = path_table(S, k, fits)
        if name in NONZEROS:
            listed[name] = loadings(matrix, k, fits, NONZEROS[name])
    return {
        "paths": _joined(paths),
        "loadings": _joined(listed),
        "exact_path": exact_path(correlations.to_numpy(), N_COMPONENTS["pitprops"]),
        "wide": wide_table(seed),
    }
