"""Kernel principal component analysis by landmarks: the estimator."""

from copy import copy
from hashlib import blake2b
from typing import Any, Self

import numpy as np

from kpca import validation
from kpca.base import KERNEL_NAMES, SHARED_RULES, BaseKernelPCA, check_model
from kpca.kernels.registry import PARAMETERS, as_dense
from kpca.linalg.resources import ArrayRows, Rows, pinned_blas, thread_count
from kpca.nystrom.columns import ColumnSource, KernelColumns, Source
from kpca.nystrom.fit import LandmarkProblem, check_kernel, fit_landmarks
from kpca.nystrom.landmarks import LANDMARKS, given_landmarks
from kpca.nystrom.sample import draw_sample
from kpca.nystrom.scatter import FeatureSums
from kpca.nystrom.streaming import training_rows
from kpca.operators.expansion import Expansion
from kpca.operators.grams import Centering
from kpca.types import Array, Floats, Matrix
from kpca.validation import Rule, integer, one_of, warn

RULES = SHARED_RULES | {
    "kernel": one_of(KERNEL_NAMES),
    "n_landmarks": integer(1),
    "landmarks": one_of(LANDMARKS) | Rule("samples or indices", lambda v: np.ndim(v) in (1, 2)),
}


class LandmarkKernelPCA(BaseKernelPCA):
    """Kernel principal component analysis by landmarks, with bounds on the approximation error.

    Components lie in the span of the landmarks' images. They approximate those of `KernelPCA` for
    millions of samples, for streams, and for kernel matrices with only some known columns.

    Parameters
    ----------
    n_components : int, float or None, default=None
        Number of components, at most the number of landmarks. A fraction in (0, 1) is certain to
        keep that fraction of the variance. None keeps all components with a nonzero eigenvalue.
    kernel : str, default="linear"
        A name in the list of `kpca.kernel_matrix` whose kernel is positive semidefinite, such as
        "rbf" (Gaussian), or "precomputed".
    gamma : float, "median" or None, default=None
        Coefficient of the kernel. None means 1/d. "median" is one over the median distance in a
        sample, for kernels that are a function of a distance (see `kpca.median_gamma`).
    degree : float, default=3
        Exponent of the polynomial and ANOVA kernels.
    coef0 : float, default=1
        Constant of the polynomial kernel.
    n_landmarks : int, default=300
        Number of landmarks.
    landmarks : {"kmeans", "uniform", "rpcholesky"} or array, default="kmeans"
        Centres of clusters, random samples, or pivots of a randomly pivoted Cholesky factor. An
        array of shape (m, d) contains the landmarks themselves, and an array of m integers the
        indices of training samples; `n_landmarks` is then ignored.
    alpha : float, default=1.0
        Ridge penalty of the learned pre-image.
    fit_inverse_transform : bool, default=False
        Whether `fit` learns the ridge pre-image.
    preimage : {"ridge", "fixed_point", "mds"}, default="ridge"
        Method of `inverse_transform` and `denoise`, as for `KernelPCA`.
    tol : float, default=0
        Fraction of λ_1. ``completeness_`` is open if an eigenvalue that was not returned may exceed
        the last returned one by more than that. 0 means 1e-8.
    remove_zero_eig : bool, default=False
        Whether to drop components with a zero eigenvalue even if `n_components` is a number.
    random_state : int, RandomState or None, default=None
        Seed of the sample and the landmarks. None uses a fixed seed, so results are reproducible.
    n_jobs : int or None, default=None
        Number of threads. None means the limit of the linear algebra library.
    center : bool, default=True
        Whether to subtract the mean in feature space.
    memory_budget : float or None, default=None
        Bytes that a fit may use. None means half of the memory of the machine.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (k,)
        λ_j in decreasing order, float64, each at most that of `KernelPCA`.
    eigenvectors_ : ndarray of shape (n, k)
        a_j, float64, of norm 1, or zero if λ_j is zero. The training score of largest modulus is
        positive. Absent after `partial_fit`, which keeps no samples, and after a fit of rows on
        Dask workers: use `transform` on the rows whose scores you need.
    trace_error_ : float
        tr(K − K̂), with K̂ the approximation of the kernel matrix K.
    residual_bounds_ : ndarray of shape (k,)
        (tr(K − K̂) + rounding) / λ_1, which bounds ‖K̄a_j − λ_j a_j‖ / λ_1.
    residuals_ : ndarray of shape (k,)
        Always NaN; `kpca.exact_residuals` computes or estimates ‖K̄a_j − λ_j a_j‖ / λ_1.
    eigenvalue_groups_ : ndarray of shape (k,)
        Index of the group that each component belongs to, as for `KernelPCA`.
    score_error_bounds_ : ndarray of shape (k,)
        Bounds on the errors of the training scores of each group, relative to √λ_1.
    explained_variance_ratio_ : ndarray of shape (k,)
        Lower bounds of λ_j / tr(K̄).
    explained_variance_bounds_ : ndarray of shape (2, k)
        Lower and upper bounds of λ_j / tr(K̄).
    variance_denominator_ : str
        "upper bound of the trace".
    lambda_min_ : float
        0.0, since the kernel is positive semidefinite.
    definiteness_ : kpca.certificates.definiteness.Definiteness
        Whether the kernel is known or assumed to be positive semidefinite.
    completeness_ : kpca.certificates.completeness.Completeness
        Whether an eigenvalue above the last computed one can have been missed.
    certified_components_ : int
        Number of components, from the first, that are certain to be the leading ones.
    solver_ : kpca.certificates.decomposition.SolverChoice
        "nystrom", and how the landmarks were chosen.
    gamma_ : float
        Value of γ that the fit used.
    X_fit_ : array of shape (m, d)
        Landmarks, or the kernel values among them.
    landmark_axes_, landmark_mean_ : ndarray of shape (m, k) and (m,)
        Axes and mean as combinations of the landmarks' images.
    landmark_indices_ : ndarray of shape (m,)
        Indices of the landmarks of a precomputed kernel. `transform` takes kernel values with the
        landmarks, in shape (·, m), or with all training samples, in shape (·, n).
    kernel_means_ : ndarray of shape (m,)
        Mean kernel value of each landmark with the training samples.
    sample_weight_ : ndarray of shape (n,) or None
        The weights w of a fit; None after `partial_fit`.
    n_samples_seen_ : int
        Number n of training samples in all batches.
    dual_coef_, X_transformed_fit_ : ndarray
        Coefficients and scores of the ridge pre-image, if it was learned.
    n_features_in_ : int
        Number of features d.
    feature_names_in_ : ndarray of shape (d,)
        Names of the features, if X was a table.

    References
    ----------
    Williams, Seeger (2001), Using the Nyström method to speed up kernel machines, NIPS 13.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(2000, 3))
    >>> model = LandmarkKernelPCA(2, kernel="rbf", gamma="median", n_landmarks=100).fit(X)
    >>> bool(model.residual_bounds_.max() < 0.05)
    True
    """

    _sums_: FeatureSums  # sums over all samples that `partial_fit` has taken
    _first_batch_: str  # digest of the parameters at the first batch
    _reads_columns = True

    def __init__(
        self,
        n_components: float | None = None,
        *,
        kernel: str = "linear",
        gamma: float | str | None = None,
        degree: float = 3,
        coef0: float = 1,
        n_landmarks: int = 300,
        landmarks: Any = "kmeans",
        alpha: float = 1.0,
        fit_inverse_transform: bool = False,
        preimage: str = "ridge",
        tol: float = 0,
        remove_zero_eig: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
        center: bool = True,
        memory_budget: float | None = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_landmarks = n_landmarks
        self.landmarks = landmarks
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.preimage = preimage
        self.tol = tol
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.center = center
        self.memory_budget = memory_budget

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Array | None = None,
        X_original: Matrix | None = None,
    ) -> Self:
        """Fit the components to training samples, or to columns of their kernel matrix.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d), blocks of rows, or kernel matrix
            Training samples. They may also be in a file, in blocks (an iterable, or a function that
            returns an iterator), or in a Dask array. If ``kernel="precomputed"``, X is the
            kernel matrix; only its diagonal and m columns are read. It may be a memory map or a
            `KernelColumns`.
        y : None, default=None
            Ignored, present for compatibility with scikit-learn.
        sample_weight : array of shape (n,) or None, default=None
            Non-negative weights. Integer weights equal repeated samples. None means 1 for each.
        X_original : array of shape (n, d) or None, default=None
            Samples that a precomputed kernel matrix belongs to, for its ridge pre-image.

        Returns
        -------
        LandmarkKernelPCA
            The estimator itself. If a fit fails, the model stays as it was.

        Raises
        ------
        ValueError
            If parameters and data do not fit together; the message says what to change.
        MemoryError
            If the fit needs more than ``memory_budget``.

        Warns
        -----
        ToleranceWarning
            If rounding errors may be larger than the largest eigenvalue.
        """
        validation.check_parameters(self, RULES)
        return self._fit(X, sample_weight, X_original)

    def partial_fit(self, X: Matrix, y: Any = None, sample_weight: Array | None = None) -> Self:
        """Add a batch of samples to the model, which keeps sums and not the samples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
            Samples. γ and landmarks are chosen from the first batch, unless they are given.
        y : None, default=None
            Ignored.
        sample_weight : array of shape (n,) or None, default=None
            Non-negative weights, as in `fit`.

        Returns
        -------
        LandmarkKernelPCA
            The estimator itself. Components, errors and explained variance are those of all batches
            so far. The order of batches after the first changes them only by rounding; if γ and
            landmarks are given, this holds for all batches. There are no ``eigenvectors_``
            and no ``sample_weight_``. Each component has the sign that makes its score of largest
            modulus among the landmarks positive.

        Raises
        ------
        ValueError
            If parameters have changed since the first batch, or if the kernel is precomputed. Also
            as for `fit`.

        Warns
        -----
        UserWarning
            If the first batch has fewer samples than `n_landmarks`, or if the model was fitted by
            `fit`, to which no batch can be added.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.random.default_rng(0).normal(size=(900, 3))
        >>> model = LandmarkKernelPCA(2, kernel="rbf", n_landmarks=50)
        >>> for batch in np.split(X, 3):
        ...     model = model.partial_fit(batch)
        >>> model.n_samples_seen_
        900
        """
        validation.check_parameters(self, RULES)
        if self.kernel == "precomputed":
            raise ValueError("partial_fit takes samples, not kernel='precomputed': use fit.")
        goes_on = hasattr(self, "_sums_")
        if hasattr(self, "X_fit_") and not goes_on:
            warn("fit keeps no sums to go on from: partial_fit begins anew, without its samples.")
        fresh = copy(self) if goes_on else self._unfitted()
        X = validation.checked(X, owner=fresh, reset=not goes_on, **validation.SAMPLES)
        n = X.shape[0]
        weights = validation.checked_weights(sample_weight, n)
        rows = ArrayRows(X)
        if not goes_on:
            fresh.X_fit_ = fresh._landmarks(rows, weights)[0].X
            fresh._first_batch_ = self._batch_parameters()
            if isinstance(self.landmarks, str) and n < self.n_landmarks:
                warn(
                    f"The first batch has {n} samples, which are the landmarks of all batches, "
                    f"fewer than n_landmarks={self.n_landmarks}: begin with a larger one."
                )
        elif self._first_batch_ != self._batch_parameters():
            raise ValueError(
                "Parameters of the model have changed since the first batch, on which landmarks "
                "and sums depend: clone the model, and begin again."
            )
        fresh._take_sums(rows, Centering(n, self.center, weights))
        self.__dict__ = fresh.__dict__
        return self

    def merge(self, other: "LandmarkKernelPCA") -> Self:
        """Add the samples of another model with the same landmarks, as `partial_fit` would.

        Parameters
        ----------
        other : LandmarkKernelPCA
            Model fitted by `partial_fit`, perhaps in another process. It is not changed.

        Returns
        -------
        LandmarkKernelPCA
            The estimator itself.

        Raises
        ------
        ValueError
            If one of the models was not fitted by `partial_fit`, or if their kernels, landmarks or
            names of columns differ.
        """
        check_model(other)
        if not (hasattr(self, "_sums_") and hasattr(other, "_sums_")):
            raise ValueError("merge needs two models that were fitted by partial_fit.")
        parameters = [f"{name}_" if hasattr(self, f"{name}_") else name for name in PARAMETERS]
        for name in ("kernel", *parameters, "center"):
            ours = getattr(self, name)
            theirs = getattr(other, name)
            if ours != theirs:
                raise ValueError(f"merge needs the same {name}, got {ours!r} and {theirs!r}.")
        names = [list(getattr(model, "feature_names_in_", ())) for model in (self, other)]
        same_landmarks = np.array_equal(as_dense(self.X_fit_), as_dense(other.X_fit_))
        if names[0] != names[1] or not same_landmarks:
            raise ValueError(
                "merge needs the same landmarks and names of columns: choose landmarks once, and "
                "give all models the array, such as landmarks=first.X_fit_."
            )
        fresh = copy(self)
        fresh._sums_ = self._sums_ + other._sums_
        fresh._take_sums(None, Centering(fresh._sums_.n, self.center))
        self.__dict__ = fresh.__dict__
        return self

    def _fit_samples(self, X: Any, sample_weight: Array | None) -> None:
        matrix = KernelColumns.of(X) if self.kernel == "precomputed" else None
        rows = training_rows(self, X) if matrix is None else matrix.rows
        if rows.on_workers and sample_weight is not None:
            raise ValueError(
                "sample_weight is not taken with rows on workers: give each block to partial_fit "
                "with its weights, and merge the models."
            )
        weights = validation.checked_weights(sample_weight, rows.n)
        source, chosen = self._landmarks(rows, weights, matrix)
        assert rows.n is not None  # `_landmarks` has read the rows and counted them.
        centering = Centering(rows.n, self.center, weights)
        pairs, _ = fit_landmarks(
            self._problem(source, rows, centering, chosen, not rows.on_workers)
        )
        self._take(pairs, weights)
        self.n_samples_seen_ = rows.n
        if not rows.on_workers:
            self.eigenvectors_ = pairs.vectors
        if matrix is not None:
            self.n_features_in_, self.gamma_ = source.n, self._gamma(self.X_fit_, None)

    def _landmarks(
        self, rows: Rows, weights: Floats | None, matrix: KernelColumns | None = None
    ) -> tuple[Source, str]:
        """Return the kernel on the landmarks, and how they were chosen; set `gamma_`."""
        how = self.landmarks
        m = self.n_landmarks
        if not isinstance(how, str):
            m, *_ = np.shape(how)
            how = "given"
        seed = validation.seed_of(self.random_state)
        sample = draw_sample(rows, m, weights, seed)
        if matrix is None:
            self.gamma_ = self._gamma(sample.points, sample.weights)
            source: Any = self._source(sample.points, self.gamma_)
        else:
            source = ColumnSource(matrix, sample.points)
        check_kernel(source, sample, weights)
        if how == "given":
            points = given_landmarks(self.landmarks, rows, sample.points)
        elif m >= len(sample.share):
            points = sample.points
        else:
            with pinned_blas():
                points = LANDMARKS[how](sample, m, source, seed)
        how = "every point" if points.shape[0] == sample.n_weighted else how
        return source.with_samples(points), how

    def _problem(
        self,
        source: Source,
        rows: Rows | None,
        centering: Centering,
        chosen: str = "given",
        with_vectors: bool = False,
    ) -> LandmarkProblem:
        n_components = self.n_landmarks if isinstance(self.landmarks, str) else 0
        return LandmarkProblem(
            source,
            centering,
            rows=rows,
            n_landmarks=max(source.n, n_components),
            chosen=chosen,
            with_vectors=with_vectors,
            **self._options(),
        )

    def _batch_parameters(self) -> str:
        """Return a digest of the parameters on which landmarks and sums of batches depend."""
        landmarks = self.landmarks
        if not isinstance(landmarks, str):
            landmarks = as_dense(landmarks).tobytes()
        # Leave default values out, so that digests in files stay the same if a parameter is added.
        values = {
            name: getattr(self, name)
            for name, parameter in PARAMETERS.items()
            if getattr(self, name) != parameter.default
        }
        text = repr((self.kernel, values, bool(self.center), self.n_landmarks, landmarks))
        return blake2b(text.encode()).hexdigest()

    def _take_sums(self, rows: Rows | None, centering: Centering) -> None:
        """Add the sums over `rows` to those of earlier batches, and set the components of all."""
        source: Any = self._source(self.X_fit_, self.gamma_)
        sums = vars(self).get("_sums_")
        pairs, self._sums_ = fit_landmarks(self._problem(source, rows, centering), sums)
        self._take(pairs, None)
        self.n_samples_seen_ = self._sums_.n
        self._learn(None)

    def _training_scores(self, X: Any) -> Array:
        weights = self.sample_weight_
        if not hasattr(self, "eigenvectors_") or (weights is not None and not weights.all()):
            return self.transform(X)
        scores = self.expansion().centering.scores(self.eigenvalues_, self.eigenvectors_)
        return scores.astype(self.X_fit_.dtype, copy=False)

    def _expand(self) -> Expansion:
        total = self._sums_.total if hasattr(self, "_sums_") else None
        return Expansion(
            self._source(self.X_fit_, self.gamma_),
            self.landmark_axes_,
            self.landmark_mean_,
            self.kernel_means_,
            self.eigenvalues_,
            Centering(self.n_samples_seen_, self.center, self.sample_weight_, total),
            n_threads=thread_count(self.n_jobs),
        )

    def _as_fitted(self, X: Any) -> Any:
        """Return X, or only its columns of landmarks if it has columns of all training samples."""
        if self.kernel != "precomputed" or callable(X):
            return X
        if isinstance(X, KernelColumns):
            return X.read(self.landmark_indices_)
        X = X if validation.is_sparse(X) else np.asarray(X)
        return X[:, self.landmark_indices_] if X.shape[1:] == (self.n_samples_seen_,) else X
