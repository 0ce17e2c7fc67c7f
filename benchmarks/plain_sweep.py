"""The sweep as one plain script with scikit-learn, with which the pipeline is compared.

    python -m benchmarks.plain_sweep CONFIG RESULTS OUTPUT.csv [JOBS]

The script reads the datasets of a finished sweep, so that rows, splits and replicates are the same.
From this package, it takes only the grid of settings, the γ of a setting, and seeds. Each kernel
PCA is fitted once to the training set and once per inner fold. Each fit is used for every number of
components, every C and k-means. joblib distributes the settings to the cores.
"""

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml
from joblib import Parallel, delayed
from scipy.linalg import eigh
from sklearn import metrics
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.compose import TransformedTargetRegressor
from sklearn.decomposition import PCA, KernelPCA
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeCV
from sklearn.manifold import trustworthiness
from sklearn.metrics.pairwise import laplacian_kernel, sigmoid_kernel
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KernelCenterer, StandardScaler
from sklearn.svm import SVC, SVR

from kpca.study.datasets.dataset import load_dataset
from kpca.study.fitting.fitted_models import resolve_gamma
from kpca.study.fitting.grid import Point, points
from kpca.study.seeds import sample, seed_for
from kpca.types import Array, Floats

MOST_STEPS = 200_000  # iteration limit of libsvm
KEPT_VARIANCE = 0.9  # fraction of the variance that PCA keeps before a Gaussian SVM
WEIGHT = "balanced"
BOOSTING = {"max_iter": 20, "learning_rate": 0.3, "max_bins": 31, "early_stopping": False}
# Kernels whose matrix `explicit_kernel_pca` computes.
KERNELS = {"laplacian": laplacian_kernel, "sigmoid": sigmoid_kernel}
Row = tuple[Any, ...]
Settings = dict[str, Any]
COLUMNS = ["n_components", "method", "C", "metric", "split", "value"]
KEYS = ["dataset", "replicate", "cell", "n_components", "method", "C", "metric", "split"]


class Side(NamedTuple):
    """Rows of one side of a split, with their labels and targets."""

    X: Floats
    y: Any  # labels, or None
    target: Any

    def at(self, index: Array) -> "Side":
        """Return the rows with the given indices."""
        answers = (None if part is None else part[index] for part in (self.y, self.target))
        return type(self)(self.X[index], *answers)


Sides = tuple[Side, Side]


class Scored(NamedTuple):
    """Scores of both sides, and the explained variance ratio of each component."""

    train: Floats
    test: Floats
    shares: Floats


def kernel_pca(point: Point, gamma: float | None, X: Floats, new: Floats, k: int | None) -> Scored:
    """Fit k components to X, and return the scores of X and `new`; None keeps all components."""
    options: dict[str, Any] = {"gamma": gamma}
    options |= {n: v for n, v in point.parameters.items() if n in ("degree", "coef0")}
    if point.kernel in KERNELS:
        return explicit_kernel_pca(KERNELS[point.kernel], options, X, new, k)
    fixed = {"kernel": point.kernel, "remove_zero_eig": True, "random_state": 0}
    model = KernelPCA(k, **fixed, **options).fit(X)
    values = model.eigenvalues_
    train = model.eigenvectors_ * np.sqrt(values)
    return Scored(train, model.transform(new), values / values.sum())


def explicit_kernel_pca(
    kernel: Callable[..., Floats], options: dict[str, Any], X: Floats, new: Floats, k: int | None
) -> Scored:
    """Return the result of `kernel_pca` for kernels that scikit-learn's estimator does not accept.

    `KernelPCA` has no Laplacian kernel, and refuses an indefinite one.
    """
    centerer = KernelCenterer()
    K = centerer.fit_transform(kernel(X, X, **options))
    values, vectors = eigh(K)
    values = values[::-1]
    vectors = vectors[:, ::-1]
    positive = values > 1e-12 * values[0]
    mass = values[positive].sum()
    values = values[positive][:k]
    vectors = vectors[:, positive][:, :k]
    scores = centerer.transform(kernel(new, X, **options)) @ (vectors / np.sqrt(values))
    return Scored(vectors * np.sqrt(values), scores, values / mass)


def downstream(
    Z: Floats, Z_new: Floats, train: Side, new: Side, settings: Settings, seed: int
) -> Iterator[Row]:
    """Yield scores of every method on the representations Z and Z_new; `seed` is for k-means."""
    if train.y is None:
        yield from unlabelled(Z, Z_new, train, new)
        return
    size = math.sqrt((Z**2).sum() / len(Z)) or 1.0
    for C in sorted(settings["C"]):
        svm = SVC(kernel="linear", C=C, class_weight=WEIGHT, max_iter=MOST_STEPS)
        svm.fit(Z / size, train.y)
        yield from classified("linear_svm", C, svm, [(Z / size, train.y), (Z_new / size, new.y)])
    model = KMeans(len(np.unique(train.y)), n_init=settings["starts"], random_state=seed).fit(Z)
    yield from clustered("kmeans", (train.y, model.labels_), (new.y, model.predict(Z_new)))


def unlabelled(Z: Floats, Z_new: Floats, train: Side, new: Side) -> Iterator[Row]:
    """Yield the correlation of least squares with a target, and the embedding's trustworthiness."""
    if train.target is not None:
        model = LinearRegression().fit(Z, train.target)
        sides = [(Z, train.target)]
        yield from regressed("least_squares", math.nan, model, [*sides, (Z_new, new.target)])
    if Z.shape[1] >= max(train.X.shape[1], 2):  # All neighbourhoods would be kept.
        return
    rows = sample(len(new.X), 500)
    trust = trustworthiness(new.X[rows], Z_new[rows], n_neighbors=5)
    yield "embedding", math.nan, "trustworthiness", "test", trust


def classified(name: str, C: float, model: Any, sides: list[tuple[Floats, Any]]) -> Iterator[Row]:
    """Yield the balanced accuracy of a classifier on both sides."""
    for split, (rows, truth) in zip(("train", "test"), sides, strict=True):
        predicted = model.predict(rows)
        yield name, C, "balanced_accuracy", split, metrics.balanced_accuracy_score(truth, predicted)


def clustered(name: str, *sides: tuple[Any, Array]) -> Iterator[Row]:
    """Yield the AMI and ARI of clusters on both sides."""
    for split, (truth, clusters) in zip(("train", "test"), sides, strict=True):
        yield name, math.nan, "ami", split, metrics.adjusted_mutual_info_score(truth, clusters)
        yield name, math.nan, "ari", split, metrics.adjusted_rand_score(truth, clusters)


def regressed(name: str, C: float, model: Any, sides: list[tuple[Floats, Any]]) -> Iterator[Row]:
    """Yield the correlation of predictions with the target on both sides."""
    for split, (rows, truth) in zip(("train", "test"), sides, strict=True):
        predicted = model.predict(rows)
        value = np.corrcoef(truth, predicted)[0, 1] if np.ptp(predicted) else 0.0
        yield name, C, "correlation", split, value


def baseline_rows(
    gamma: float, train: Side, new: Side, settings: Settings, seed: int
) -> Iterator[Row]:
    """Yield scores of Gaussian SVM and spectral clustering, or of Gaussian SVR, on raw features."""
    if train.y is None:
        for C in sorted(settings["C"]):
            svr = TransformedTargetRegressor(SVR(gamma=gamma, C=C), transformer=StandardScaler())
            svr.fit(train.X, train.target)
            yield from regressed("svr", C, svr, [(train.X, train.target), (new.X, new.target)])
        return
    for C in sorted(settings["C"]):
        svm = SVC(kernel="rbf", gamma=gamma, C=C, class_weight=WEIGHT, max_iter=MOST_STEPS)
        svm.fit(train.X, train.y)
        yield from classified("rbf_svm", C, svm, [(train.X, train.y), (new.X, new.y)])
    fixed = {"gamma": gamma, "n_init": settings["starts"], "random_state": seed}
    clusters = SpectralClustering(len(np.unique(train.y)), **fixed).fit_predict(train.X)
    nearest = metrics.pairwise_distances_argmin(new.X, train.X)
    yield from clustered("spectral", (train.y, clusters), (new.y, clusters[nearest]))


def raw_rows(train: Side, new: Side, settings: Settings, seed: int) -> Iterator[Row]:
    """Yield scores of the other methods on raw features, such as forests and boosting."""
    varying = int((np.ptp(train.X, axis=0) > 0).sum())
    if train.y is not None:
        sides = [(train.X, train.y), (new.X, new.y)]
        for C in sorted(settings["C"]):
            logistic = LogisticRegression(C=C / varying, class_weight=WEIGHT, max_iter=1000)
            model = make_pipeline(StandardScaler(), logistic).fit(train.X, train.y)
            yield from classified("logistic_regression", C, model, sides)
            svm = SVC(gamma="scale", C=C, class_weight=WEIGHT, max_iter=MOST_STEPS)
            model = make_pipeline(PCA(KEPT_VARIANCE), svm).fit(train.X, train.y)
            yield from classified("pca_rbf_svm", C, model, sides)
        forest = RandomForestClassifier(50, class_weight=WEIGHT, random_state=seed)
        boosting = HistGradientBoostingClassifier(
            **BOOSTING, class_weight=WEIGHT, random_state=seed
        )
        models = {
            "random_forest": forest,
            "gradient_boosting": boosting,
            "most_frequent": DummyClassifier(),
        }
        for name, model in models.items():
            yield from classified(name, math.nan, model.fit(train.X, train.y), sides)
    elif train.target is not None:
        sides = [(train.X, train.target), (new.X, new.target)]
        for C in sorted(settings["C"]):
            svr = TransformedTargetRegressor(SVR(gamma="scale", C=C), transformer=StandardScaler())
            model = make_pipeline(PCA(KEPT_VARIANCE), svr).fit(train.X, train.target)
            yield from regressed("pca_svr", C, model, sides)
        ridge = make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 4, 15) * varying))
        forest = RandomForestRegressor(50, random_state=seed)
        boosting = HistGradientBoostingRegressor(**BOOSTING, random_state=seed)
        models = {
            "ridge": ridge,
            "random_forest_regressor": forest,
            "gradient_boosting_regressor": boosting,
            "mean": DummyRegressor(),
        }
        for name, model in models.items():
            yield from regressed(name, math.nan, model.fit(train.X, train.target), sides)


def outcomes(
    cell: Point, gamma: float | None, sides: Sides, settings: Settings, seed: int, most: int = 0
) -> Iterator[Row]:
    """Yield all scores of one setting on a split, or on an inner fold if `most` is not zero.

    `most` is the largest number of components on a fold.
    """
    (train, new), starts = sides, settings["kmeans_starts"]
    settings = settings | {"starts": -(-starts // 4) if most else starts}
    if cell.kernel == "raw" and cell.parameters:
        rows = baseline_rows(float(gamma or math.nan), train, new, settings, seed)
        yield from ((train.X.shape[1], *row) for row in rows)
        return
    linear = cell.kernel in ("raw", "pca")
    if linear:
        scores = linear_scores(cell.kernel, train.X, new.X)
    else:
        largest = max(settings["n_components"]) if most else None
        scores = kernel_pca(cell, gamma, train.X, new.X, largest)
    rank = len(scores.shares)
    sizes = [rank] if cell.kernel == "raw" else [*settings["n_components"]]
    if not (linear or most):
        reached = np.cumsum(scores.shares) >= settings["variance_share"] - 1e-12
        sizes.append(int(np.argmax(reached)) + 1)
    if train.y is None and train.target is None and cell.kernel != "raw":
        sizes = [min(m, max(train.X.shape[1] - 1, 1)) for m in sizes]
    names = {min(m, most or rank): min(m, rank) for m in sorted(sizes, reverse=True)}
    for name, m in sorted(names.items()):
        rows = downstream(scores.train[:, :m], scores.test[:, :m], train, new, settings, seed)
        yield from ((name, *row) for row in rows)
    if cell.kernel == "raw":
        yield from ((rank, *row) for row in raw_rows(train, new, settings, seed))


def linear_scores(name: str, X: Floats, new: Floats) -> Scored:
    """Return raw features ("raw"), or the scores of all nonzero principal components."""
    if name == "raw":
        return Scored(X, new, np.ones(X.shape[1]))
    model = PCA(svd_solver="full").fit(X)
    rank = int((model.singular_values_ > 1e-10 * model.singular_values_[0]).sum())
    return Scored(model.transform(X), model.transform(new), np.ones(rank))


def cell_rows(path: Path, replicate: int, cell: Point, settings: Settings, root: int) -> list[Row]:
    """Return the scores of one setting on one replicate: train, test, and the mean over folds."""
    dataset = load_dataset(path)
    split = dataset.split(replicate)
    seed = seed_for(root, dataset.seed_axis, replicate, "folds")
    train = Side(split.X_train, split.y_train, split.target_train)
    test = Side(split.X_test, split.y_test, split.target_test)
    gaussian = Point("rbf", cell.parameters)  # bandwidth of the methods on raw features
    gamma = resolve_gamma(gaussian if cell.kernel == "raw" else cell, train.X)
    rows = list(outcomes(cell, gamma, (train, test), settings, seed))
    most = max(row[0] for row in rows)
    folds = (KFold if train.y is None else StratifiedKFold)(
        settings["folds"], shuffle=True, random_state=seed
    )
    inner = []
    for training, held_out in folds.split(train.X, split.y_train):
        sides = (train.at(training), train.at(held_out))
        of_sides = outcomes(cell, gamma, sides, settings, seed, most)
        inner.append(pd.DataFrame([row for row in of_sides if row[4] == "test"], columns=COLUMNS))
    means = pd.concat(inner).groupby(COLUMNS[:4], dropna=False)["value"].agg(["mean", "size"])
    everywhere = means[means["size"] == settings["folds"]].reset_index()
    rows += [(*row[:4], "cv", row[4]) for row in everywhere.itertuples(index=False)]
    return [(dataset.name, replicate, cell.id, *row) for row in rows]


def cells(config: dict[str, Any], known: bool) -> Iterator[Point]:
    """Yield every setting of the grid, and the baselines.

    `known` says whether the dataset has labels or a target, which some baselines need.
    """
    for kernel, axes in config["kernels"].items():
        yield from points(kernel, axes)
    yield from (Point("raw"), Point("pca"))
    if known:
        for point in points("rbf", config["kernels"].get("rbf")):
            yield Point("raw", point.parameters)


def main(config: str, results: str, output: str, jobs: str = "2") -> None:
    """Run the sweep of a configuration and write its scores."""
    settings = yaml.safe_load(Path(config).read_text(encoding="utf-8"))
    tasks = []
    for name in settings["datasets"]:
        path = Path(results) / f"datasets/{name}.npz"
        dataset = load_dataset(path)
        for replicate in range(dataset.replicates):
            for cell in cells(settings, dataset.task != "none"):
                tasks.append((path, replicate, cell, settings["evaluation"], settings["seed"]))
    rows_of_tasks = Parallel(int(jobs))(delayed(cell_rows)(*task) for task in tasks)
    table = pd.DataFrame([row for rows in rows_of_tasks for row in rows], columns=[*KEYS, "value"])
    table.to_csv(output, index=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
