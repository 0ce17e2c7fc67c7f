"""Kernel principal component analysis: the estimator."""

from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from operator import is_not
from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from kpca import preimage, validation
from kpca.certificates import completeness
from kpca.certificates.completeness import STATUSES, Completeness, Remainder, beyond, judge
from kpca.certificates.definiteness import Definiteness, smallest_eigenvalue
from kpca.certificates.scores import groups, score_errors
from kpca.eigensolvers import SOLVERS, Problem, solve
from kpca.eigensolvers.decomposition import DEFAULT_TOL, Decomposition
from kpca.eigensolvers.nystrom import LandmarkProblem, first_landmarks, fit_landmarks, fit_sums
from kpca.expansion import Expansion
from kpca.kernels.bandwidth import weighted_median_gamma
from kpca.kernels.registry import KERNELS, KernelParameters, as_dense, finite
from kpca.linalg.resources import ArrayRows, Rows, default_budget, thread_count
from kpca.nystrom.columns import ColumnSource, KernelColumns
from kpca.nystrom.landmarks import LANDMARKS, given_landmarks
from kpca.nystrom.sample import Sample, draw_sample
from kpca.nystrom.scatter import FeatureSums
from kpca.nystrom.streaming import by_blocks, training_rows
from kpca.operators import Centering
from kpca.operators.sources import TrainingKernel, source_of
from kpca.types import Array, Floats, Matrix
from kpca.validation import FRACTION, NONE, SEED, TRUTH, Rule, instance_of, integer, one_of, real
from kpca.warning import warn

RULES = {
    "n_components": integer(1) | FRACTION | NONE,
    "kernel": one_of([*KERNELS, "precomputed"]) | Rule("a function of two samples", callable),
    "gamma": real(0) | NONE | one_of(["median"]),
    "degree": real(0),
    "coef0": real(),
    "kernel_params": instance_of(dict) | NONE,
    "alpha": real(0),
    "fit_inverse_transform": TRUTH,
    "eigen_solver": one_of(["auto", *SOLVERS, "nystrom"]),
    "n_landmarks": integer(1),
    "landmarks": one_of(LANDMARKS) | Rule("samples or indices", lambda v: np.ndim(v) in (1, 2)),
    "tol": real(0),
    "max_iter": integer(1) | NONE,
    "iterated_power": integer(0) | one_of(["auto"]),
    "remove_zero_eig": TRUTH,
    "random_state": SEED,
    "copy_X": TRUTH,
    "n_jobs": integer(-(10**6)) | NONE,
    "center": TRUTH,
    "memory_budget": real(1) | NONE,
    "indefinite": one_of(["raise", "clip"]),
    "preimage": one_of(preimage.METHODS),
}
NUMBERS = {"ensure_2d": False, "dtype": np.float64}


# Expansion of each model, with what it was made from: a sample to be transformed finds its kernel
# prepared. They are no attributes, so that models are pickled and saved without.
_EXPANSIONS: WeakKeyDictionary[Any, tuple[tuple[Any, ...], Expansion]] = WeakKeyDictionary()
_WITH_SUMS = available_if(lambda model: model.eigen_solver == "nystrom")
# Private attributes that `fit` assigns.
PRIVATE = ("_completeness", "_definiteness", "_undecided", "_checksum", "_n_features_out", "_sums")
SAME = ("kernel", "gamma_", "degree", "coef0", "center")  # of models that are merged
ABSENT = {
    "partial_fit": "partial_fit and merge need eigen_solver='nystrom', which adds up sums over "
    "rows: an exact fit needs all rows at once.",
    "eigenvectors_": "eigenvectors_ has an entry for each training sample, and partial_fit keeps "
    "none of them, nor does a file of a fit on Dask: use transform on the rows whose scores you "
    "need.",
}


class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Kernel principal component analysis, with certified or estimated errors of eigenpairs.

    Parameters
    ----------
    n_components : int, float or None, default=None
        Number of components. A fraction in (0, 1) keeps that fraction of the variance. None keeps
        all components with a nonzero eigenvalue. A number above n is clamped to n.
    kernel : str or callable, default="linear"
        A name in the list of `kpca.kernel_matrix` such as "linear", "poly" or "rbf" (Gaussian),
        "precomputed", or a function of two samples.
    gamma : float, "median" or None, default=None
        Coefficient of the kernel. None means 1/d. "median" is one over the median distance, for
        kernels that are a function of a distance (see `kpca.median_gamma`).
    degree : float, default=3
        Exponent of the polynomial and ANOVA kernels.
    coef0 : float, default=1
        Constant of the polynomial and sigmoid kernels.
    kernel_params : dict or None, default=None
        Keyword arguments of a callable kernel.
    alpha : float, default=1.0
        Ridge penalty of the learned pre-image.
    fit_inverse_transform : bool, default=False
        Whether `fit` learns the ridge pre-image.
    eigen_solver : str, default="auto"
        "auto", "dense", "arpack", "krylov" (block Lanczos on a stored matrix), "randomized",
        "davidson" (matrix-free), "primal" (explicit features), or "nystrom" (approximation for
        millions of samples, or from some columns of a kernel matrix; never chosen by "auto").
    n_landmarks : int, default=300
        Number of landmarks of "nystrom".
    landmarks : {"kmeans", "uniform", "rpcholesky"} or array, default="kmeans"
        Landmarks of "nystrom": centres of clusters, random samples or pivots. An array of shape
        (m, d) has the landmarks, one of m integers the indices of training samples; `n_landmarks`
        is ignored then.
    tol : float, default=0
        Bound on ``residuals_``; 0 means 1e-8. A `ToleranceWarning` is issued if it is not met.
    max_iter : int or None, default=None
        Largest number of products of an iterative solver with the kernel matrix after the first.
    iterated_power : int or "auto", default="auto"
        Power iterations of "randomized". "auto" takes as many as `tol` needs.
    remove_zero_eig : bool, default=False
        Whether to drop components with a zero eigenvalue even if `n_components` is a number.
    random_state : int, RandomState or None, default=None
        Seed of the random start vectors. None uses a fixed seed, so results are reproducible.
    copy_X : bool, default=True
        Whether to keep a copy of X rather than a reference.
    n_jobs : int or None, default=None
        Number of threads. None means the limit of the linear algebra library.
    center : bool, default=True
        Whether to subtract the mean in feature space.
    memory_budget : float or None, default=None
        Bytes that a fit may use. None means half of the memory of the machine.
    indefinite : {"raise", "clip"}, default="raise"
        What to do with components that have a significantly negative eigenvalue.
    preimage : {"ridge", "fixed_point", "mds"}, default="ridge"
        Method of `inverse_transform` and `denoise`: a learned regression, the fixed point of
        Mika et al., or the distances of Kwok and Tsang (`kpca.preimage`).

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (k,)
        λ_j in decreasing order, float64. The variance along component j is λ_j / W.
    eigenvectors_ : ndarray of shape (n, k)
        a_j, of norm 1, float64. The training score of largest modulus is positive. Of rows on Dask
        workers a Dask array; absent after `partial_fit`.
    residuals_ : ndarray of shape (k,)
        ‖K̄a_j − λ_j a_j‖ / λ_1 with the expected rounding. An estimate for "davidson" and, above
        1000 samples, "krylov", which correct it in float32: `kpca.exact_residuals` computes it by a
        float64 product. NaN for "nystrom", see ``residual_estimates_``.
    residual_bounds_ : ndarray of shape (k,)
        Bounds on ‖K̄a_j − λ_j a_j‖ / λ_1 that always hold, with rounding in the worst case. For
        "nystrom" (tr(K − K̂) + rounding) / λ_1.
    eigenvalue_groups_ : ndarray of shape (k,)
        Number of the group that each component belongs to, from 0. Neighbours are of one group
        unless their eigenvalues differ by 100 times ‖residual_bounds_‖ λ_1.
    score_error_bounds_ : ndarray of shape (k,)
        Bounds on the errors of the training scores of each group, relative to √λ_1.
    explained_variance_ratio_ : ndarray of shape (k,)
        λ_j / tr(K̄).
    variance_denominator_ : str
        What replaces tr(K̄): "trace" (exact); for an indefinite kernel "positive mass" (whole
        spectrum known) or "trace with negative mass"; "upper bound of the trace".
    lambda_min_ : float
        Smallest eigenvalue of K̄: exact, 0.0 for kernels that are semidefinite by construction, or
        a proven lower bound. Reading it reads ``definiteness_``.
    definiteness_ : kpca.certificates.definiteness.Definiteness
        A bound below which no eigenvalue lies. It is proven when it is first read.
    completeness_ : kpca.certificates.completeness.Completeness
        Whether an eigenvalue above the last computed one can have been missed.
    solver_ : kpca.eigensolvers.decomposition.SolverChoice
        Name of the solver, and the reason.
    gamma_ : float
        γ as used.
    X_fit_ : array of shape (n, d)
        Training samples in their precision; for "nystrom" the landmarks, or the kernel values
        among them.
    kernel_means_ : ndarray of shape (n,)
        K w/W, the mean kernel value of each of these samples.
    sample_weight_ : ndarray of shape (n,) or None
        The weights w.
    dual_coef_, X_transformed_fit_ : ndarray
        Coefficients and scores of the ridge pre-image, if it was learned.
    trace_error_, explained_variance_bounds_, residual_estimates_, residual_estimate_errors_
    landmark_axes_, landmark_mean_
        For "nystrom" only: tr(K − K̂), with K̂ the approximation; bounds of the ratios λ_j/tr(K̄),
        of shape (2, k); ‖K̄a − λa‖/λ_1 estimated on random rows of K, NaN for a precomputed kernel,
        and standard errors; axes, of shape (m, k), and mean as combinations of landmarks' images.
    n_samples_seen_ : int
        Number of samples, after `partial_fit` and `merge`, and of fits on Dask. After the former
        ``sample_weight_`` is None, and estimates of residuals are NaN.
    landmark_indices_ : ndarray of shape (m,)
        Landmarks of a precomputed kernel. `transform` takes kernel values with these, in shape
        (·, m), or with all training samples, in shape (·, n).

    Notes
    -----
    With K̄ = HKH the centred kernel matrix of the training samples and K̄ a_j = λ_j a_j, ‖a_j‖ = 1,
    the score of a sample x on component j is Σ_i a_ij k̄(x_i, x) / √λ_j.

    References
    ----------
    Schölkopf, Smola, Müller (1998), Nonlinear component analysis as a kernel eigenvalue
    problem, Neural Computation 10.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])
    >>> model = KernelPCA(2, kernel="linear").fit(X)
    >>> model.explained_variance_ratio_.round(3)
    array([0.686, 0.314])
    """

    X_fit_: Matrix
    gamma_: float
    _completeness: Completeness
    _definiteness: Definiteness  # what the fit has met
    _undecided: bool  # whether a proof may decide what the fit has left open
    _checksum: str  # of parameters and samples, as they were fitted
    _sums: FeatureSums  # over the samples of `partial_fit`

    def __init__(
        self,
        n_components: float | None = None,
        *,
        kernel: str | Callable[..., float] = "linear",
        gamma: float | str | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha: float = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: str = "auto",
        n_landmarks: int = 300,
        landmarks: str = "kmeans",
        tol: float = 0,
        max_iter: int | None = None,
        iterated_power: int | str = "auto",
        remove_zero_eig: bool = False,
        random_state: Any = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
        center: bool = True,
        memory_budget: float | None = None,
        indefinite: str = "raise",
        preimage: str = "ridge",
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.n_landmarks = n_landmarks
        self.landmarks = landmarks
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs
        self.center = center
        self.memory_budget = memory_budget
        self.indefinite = indefinite
        self.preimage = preimage

    def fit(
        self,
        X: Matrix,
        y: Any = None,
        sample_weight: Array | None = None,
        X_original: Matrix | None = None,
    ) -> Self:
        """Fit the components to training samples, or to their precomputed kernel matrix.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d), or kernel matrix of shape (n, n)
            Training samples, or the kernel matrix if ``kernel="precomputed"``. With "nystrom" also
            blocks of rows, files and Dask arrays; of a kernel matrix, which may be a memory map or
            a `KernelColumns`, the diagonal and m columns are read.
        y : None, default=None
            Ignored. It is there for the API of scikit-learn.
        sample_weight : array of shape (n,) or None, default=None
            Non-negative weights. Integer weights equal repeated samples. None means 1 for each.
        X_original : array of shape (n, d) or None, default=None
            The samples behind a precomputed kernel matrix, for its ridge pre-image.

        Returns
        -------
        KernelPCA
            The estimator itself. If a fit fails, the model stays as it was.

        Raises
        ------
        ValueError
            For parameters or data that do not fit together; the message says what to change.
        MemoryError
            If the fit needs more than ``memory_budget``, before any work.

        Warns
        -----
        ToleranceWarning
            If a residual is above `tol`, or rounding hides the components.
        IndefiniteKernelWarning
            If the kernel matrix has a significantly negative eigenvalue.
        """
        validation.check_parameters(self, RULES)
        _check_entries(X, self.kernel == "precomputed" and self.eigen_solver == "nystrom")
        if self.fit_inverse_transform and self.kernel == "precomputed" and X_original is None:
            raise ValueError(
                "Cannot fit_inverse_transform with a precomputed kernel: pass fit(K, X_original=X)."
            )
        fresh = self._unfitted()  # what fails or is interrupted leaves the model as it was
        if self.eigen_solver == "nystrom":
            fresh._fit_landmarks(X, sample_weight)
        else:
            fresh._fit_exactly(X, sample_weight)
        fresh._learn(X_original)
        self.__dict__ = fresh.__dict__
        return self

    @_WITH_SUMS
    def partial_fit(self, X: Matrix, y: Any = None, sample_weight: Array | None = None) -> Self:
        """Add a batch of samples to a model of landmarks, which keeps sums and not the samples.

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
        KernelPCA
            The estimator itself. Components, errors and explained variance are those of all batches
            so far, up to rounding in any order. There are no ``eigenvectors_``, no
            ``sample_weight_``, and the sign makes the score of largest modulus among the landmarks
            positive.

        Raises
        ------
        ValueError
            If parameters have changed since the first batch, or the kernel is precomputed; and as
            `fit`.

        Warns
        -----
        UserWarning
            If the first batch has fewer samples than `n_landmarks`, or the model was fitted by
            `fit`, from which it cannot go on.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.random.default_rng(0).normal(size=(900, 3))
        >>> model = KernelPCA(2, kernel="rbf", eigen_solver="nystrom", n_landmarks=50)
        >>> for batch in np.split(X, 3):
        ...     model = model.partial_fit(batch)
        >>> model.n_samples_seen_
        900
        """
        validation.check_parameters(self, RULES)
        begun = "_sums" in vars(self)
        if self.kernel == "precomputed":
            raise ValueError("partial_fit takes samples, not kernel='precomputed': use fit.")
        if "X_fit_" in vars(self) and not begun:
            warn("fit keeps no sums to go on from: partial_fit begins anew, without its samples.")
        fresh = copy(self) if begun else self._unfitted()
        X = validation.checked(X, owner=fresh, reset=not begun, **validation.SAMPLES)
        weights = validation.checked_weights(sample_weight, X.shape[0])
        rows, centering = ArrayRows(X), Centering(X.shape[0], bool(self.center), weights)
        if not begun:
            fresh.X_fit_ = first_landmarks(fresh._landmark_problem(rows, weights))
            if isinstance(self.landmarks, str) and X.shape[0] < self.n_landmarks:
                warn(
                    f"The first batch has {X.shape[0]} samples, which are the landmarks of all "
                    f"batches, fewer than n_landmarks={self.n_landmarks}: begin with a larger one."
                )
            fresh._checksum = fresh._landmark_checksum()
        elif self._checksum != self._landmark_checksum():
            raise ValueError(
                "Parameters of the model have changed since the first batch, on which landmarks "
                "and sums depend: clone the model, and begin again."
            )
        fresh._take_sums(rows, centering)
        self.__dict__ = fresh.__dict__
        return self

    @_WITH_SUMS
    def merge(self, other: "KernelPCA") -> Self:
        """Add the samples of another model with the same landmarks, as `partial_fit` would.

        Parameters
        ----------
        other : KernelPCA
            Fitted by `partial_fit`, perhaps in another process. It stays as it is.

        Returns
        -------
        KernelPCA
            The estimator itself.

        Raises
        ------
        ValueError
            If one of them was not fitted by `partial_fit`, or kernels, landmarks or names of
            columns differ.
        """
        check_model(other)
        if not {"_sums"} <= vars(self).keys() & vars(other).keys():
            raise ValueError("merge needs two models that were fitted by partial_fit.")
        for name in SAME:
            one, another = getattr(self, name), getattr(other, name)
            if one != another:
                raise ValueError(f"merge needs the same {name}, got {one!r} and {another!r}.")
        names = [list(getattr(model, "feature_names_in_", ())) for model in (self, other)]
        X, Y = (as_dense(model.X_fit_) for model in (self, other))
        if names[0] != names[1] or not np.array_equal(X, Y):
            raise ValueError(
                "merge needs the same landmarks and names of columns: choose landmarks once, and "
                "give all models the array, such as landmarks=first.X_fit_."
            )
        fresh = copy(self)
        fresh._sums = self._sums + other._sums
        fresh._take_sums()
        self.__dict__ = fresh.__dict__
        return self

    def _unfitted(self) -> Self:
        fresh = copy(self)
        fitted = {k for k in vars(self) if k.endswith("_") or k in PRIVATE}
        fresh.__dict__ = {k: v for k, v in vars(self).items() if k not in fitted}
        return fresh

    def _landmark_checksum(self) -> str:
        """Digest what sums over batches depend on."""
        how = self.landmarks
        given = how if isinstance(how, str) else as_dense(how).tobytes()
        asked = self._current_checksum(), self.gamma, self.n_landmarks, given
        return blake2b(repr(asked).encode(), digest_size=16).hexdigest()

    def _take_sums(self, rows: ArrayRows | None = None, centering: Centering | None = None) -> None:
        """Take the components of all sums so far, those over some more rows added."""
        landmarks = self.X_fit_
        m = landmarks.shape[0]
        problem = LandmarkProblem(
            self._source(landmarks, self.gamma_),
            centering or Centering(m, bool(self.center)),
            rows=rows or ArrayRows(landmarks),
            sample=Sample(landmarks, np.arange(m), np.ones(m), m, 0),  # not drawn
            n_landmarks=max(m, self.n_landmarks),
            landmarks=self.landmarks if isinstance(self.landmarks, str) else landmarks,
            **self._options(),
        )
        found, self._sums = fit_sums(problem, vars(self).get("_sums"), merged=rows is None)
        self._take(found, None)
        del self.eigenvectors_
        self.n_samples_seen_ = self._sums.n
        self._learn(None)

    def __getattr__(self, name: str) -> Any:
        """Say why an attribute is absent."""
        words = ABSENT.get("partial_fit" if name == "merge" else name, "")
        if name == "eigenvectors_" and "n_samples_seen_" not in vars(self):
            words = ""
        kind = type(self).__name__
        raise AttributeError(words or f"{kind!r} object has no attribute {name!r}")

    def fit_transform(self, X: Matrix, y: Any = None, **params: Any) -> Array:
        """Fit the components and return the scores of the training samples.

        The kernel values of the fit are used again, so it is cheaper than `fit` and `transform`.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d), or kernel matrix of shape (n, n)
            Training samples, as for `fit`.
        y : None, default=None
            Ignored.
        **params : dict
            The arguments `sample_weight` and `X_original` of `fit`.

        Returns
        -------
        ndarray of shape (n, k)
            Scores, in the precision of X.

        Raises
        ------
        ValueError, MemoryError
            As `fit`.
        """
        expansion = self.fit(X, y, **params).expansion()
        if not expansion.in_landmarks:
            return expansion.point_scores
        if self.sample_weight_ is None or self.sample_weight_.all():
            scores = expansion.centering.scores(self.eigenvalues_, self.eigenvectors_)
            return scores.astype(self.X_fit_.dtype, copy=False)
        return self.transform(X)

    def transform(self, X: Matrix) -> Array:
        """Return the scores of samples on the fitted components.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            New samples; if ``kernel="precomputed"``, their kernel values with the training samples,
            or with the landmarks alone.
            Blocks of rows are taken too: an iterable of arrays, or a function that returns one.

        Returns
        -------
        ndarray of shape (m, k)
            z_j = ⟨φ(x) − μ, v_j⟩ in column j, in the precision of X.

        Raises
        ------
        ValueError
            If X has another number of columns than the training samples, or NaN or infinity.
        NotFittedError
            If the model is not fitted.

        Examples
        --------
        >>> import numpy as np
        >>> model = KernelPCA(1).fit(np.array([[0.0, 0.0], [3.0, 4.0]]))
        >>> abs(model.transform(np.array([[6.0, 8.0]]))).round(3)
        array([[7.5]])
        """
        expansion, k = self.expansion(), len(self.eigenvalues_)
        X = self._at_landmarks(X)
        return by_blocks(self, X, lambda rows: finite(expansion.scores(rows), rows.dtype), k)

    def reconstruction_error(self, X: Matrix, diagonal: Array | None = None) -> Array:
        """Return the squared distance of each sample's image to the subspace of the components.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            Samples, as for `transform`.
        diagonal : array of shape (m,) or None, default=None
            k(x, x) of each sample. A precomputed kernel needs it; None computes it from X.

        Returns
        -------
        ndarray of shape (m,)
            Squared distances in feature space, at least 0.

        Raises
        ------
        ValueError
            If X or `diagonal` do not fit the model.

        Notes
        -----
        With φ̄ the centred feature map and z the scores, the distance is ‖φ̄(x)‖² − ‖z‖², where
        ‖φ̄(x)‖² = k(x, x) − 2 Σ_i w_i k(x, x_i)/W + wᵀKw/W². A model of landmarks takes the
        projection of the mean onto their span. Negative values, which only an indefinite kernel
        has, become 0.

        Examples
        --------
        >>> import numpy as np
        >>> model = KernelPCA(1).fit(np.array([[0.0, 0.0], [3.0, 4.0]]))
        >>> model.reconstruction_error(np.array([[4.0, -3.0]])).round(3)
        array([25.])
        """
        expansion = self.expansion()
        own = None if diagonal is None else validation.checked(diagonal, "diagonal", **NUMBERS)
        X = self._at_landmarks(X)
        distances = by_blocks(self, X, lambda rows: expansion.squared_distances(rows, own is None))
        if own is not None:
            if own.shape != distances.shape:
                raise ValueError(
                    "diagonal must hold k(x, x) of each row of X, in shape "
                    f"{distances.shape}, and has {own.shape}."
                )
            distances = finite(distances + own)
        return np.maximum(distances, 0)

    def inverse_transform(self, X: Array) -> Array:
        """Return points of the input space whose images are near the given scores.

        Parameters
        ----------
        X : array of shape (m, k)
            Scores, as `transform` returns them. Iterations begin at training points.

        Returns
        -------
        ndarray of shape (m, d)
            Pre-images by the method `preimage`, in the precision of X.

        Raises
        ------
        NotFittedError
            If the model is not fitted, or ``preimage="ridge"`` was not learned in `fit`.
        ValueError
            If X has another number of columns than there are components, or the method does not
            apply to the kernel.

        Warns
        -----
        PreImageWarning
            If pre-images did not converge; `find_preimages` says which. Also if they hardly differ
            although the scores do.
        """
        Z = validation.checked(X, dtype=validation.PRECISIONS)
        return preimage.points(self._find(Z, None), self.expansion(), Z)

    def denoise(self, X: Matrix) -> Array:
        """Remove noise: return the pre-images of samples that are projected on the components.

        Parameters
        ----------
        X : array of shape (m, d)
            Noisy samples. Iterations begin at them.

        Returns
        -------
        ndarray of shape (m, d)
            Denoised samples, in the precision of X.

        Raises
        ------
        NotFittedError, ValueError
            As `inverse_transform`.

        Warns
        -----
        PreImageWarning
            As `inverse_transform`.

        Examples
        --------
        >>> import numpy as np
        >>> t = np.linspace(-1, 1, 40)
        >>> parabola = np.column_stack([t, t**2])
        >>> model = KernelPCA(4, kernel="rbf", gamma=1.0, preimage="fixed_point").fit(parabola)
        >>> clean = model.denoise(np.array([[0.0, 0.2]]))  # the parabola has 0 there
        >>> bool(abs(clean[0, 1]) < 0.1)
        True
        """
        self._check_learned()  # a refusal comes before the work
        points = validation.checked_samples(self, X)
        Z = finite(self.expansion().scores(points), points.dtype)
        return preimage.points(self._find(Z, points), self.expansion(), Z, points)

    def find_preimages(self, X: Array, start: Matrix | None = None) -> preimage.PreImages:
        """Return pre-images of scores, with the convergence and the distance of each.

        Parameters
        ----------
        X : array of shape (m, k)
            Scores, as `transform` returns them.
        start : array of shape (m, d) or None, default=None
            Points at which iterations begin. None begins at training points.

        Returns
        -------
        kpca.preimage.PreImages
            Points, whether each converged, its number of iterations, and its distance.

        Raises
        ------
        NotFittedError, ValueError
            As `inverse_transform`.
        """
        Z = validation.checked(X, dtype=validation.PRECISIONS)
        found = self._find(Z, None if start is None else validation.checked_samples(self, start))
        if self.kernel == "precomputed":
            return found
        distances = self.expansion().distances(Z.astype(np.float64), found.points)
        return replace(found, distances=distances)

    def expansion(self) -> Expansion:
        """Return the subspace of the components, from which scores and distances are computed.

        Returns
        -------
        kpca.expansion.Expansion
            Axes and mean as combinations of the images of training points or landmarks.

        Raises
        ------
        NotFittedError
            If the model is not fitted.
        """
        check_is_fitted(self)
        state = tuple(v for k, v in vars(self).items() if k not in PRIVATE)
        known, found = _EXPANSIONS.get(self, ((), None))
        if found is None or len(known) != len(state) or any(map(is_not, known, state)):
            found = self._expand()
            _EXPANSIONS[self] = state, found
        return found

    def _expand(self) -> Expansion:
        values, means, sums = self.eigenvalues_, self.kernel_means_, vars(self).get("_sums")
        source, n_threads = self._source(self.X_fit_, self.gamma_), thread_count(self.n_jobs)
        n = vars(self).get("n_samples_seen_") or len(self.eigenvectors_)
        weights, total = self.sample_weight_, None if sums is None else sums.total
        centering = Centering(n, bool(self.center), weights, total)
        if "landmark_axes_" in vars(self):
            axes, mean = self.landmark_axes_, self.landmark_mean_
            return Expansion(source, axes, mean, means, values, centering, n_threads=n_threads)
        vectors = self.eigenvectors_
        axes = centering.coefficients(values, vectors)
        mean = centering.normalized_weights * centering.center
        return Expansion(source, axes, mean, means, values, centering, vectors, n_threads)

    @property
    def completeness_(self) -> Completeness:
        """Whether an eigenvalue above the last computed one can have been missed.

        What the fit of up to 1 000 points leaves open is decided when this is first read: the proof
        may cost as much as the fit. If parameters or X have changed since, it stays open.
        """
        check_is_fitted(self)
        if self._undecided and not self._has_changed():
            self._decide(completeness.spectrum_left, stored=True)
            self._undecided = False  # last: other threads may read at the same time
        return self._completeness

    @cached_property
    def definiteness_(self) -> Definiteness:
        """A bound below which no eigenvalue of K̄ lies.

        If the kernel may be indefinite, it is proven when this is first read: a Cholesky factor
        costs less than the fit. If parameters or X have changed since, it says what the fit met.
        """
        check_is_fitted(self)
        met = self._definiteness
        if met.status != "open" or self._has_changed():
            return met
        operator, factor = self.expansion().operator(stored=True)
        top, seed = self.eigenvalues_.max(initial=0) / factor, self._seed()
        dtype = np.dtype(self.X_fit_.dtype)
        return smallest_eigenvalue(operator, met.times(1 / factor), top, dtype, seed).times(factor)

    @property
    def lambda_min_(self) -> float:
        """Smallest eigenvalue of K̄, or a proven lower bound on it; reads ``definiteness_``."""
        known = self.definiteness_
        return max(known.smallest - known.residual, known.bound)

    @property
    def eigenvalue_groups_(self) -> Array:
        """Number of the group of near-equal eigenvalues that each component belongs to.

        Errors as small as the residuals may rotate components of one group among one another.
        """
        check_is_fitted(self)
        return groups(self.eigenvalues_, self.residual_bounds_ * self._unit)

    @property
    def score_error_bounds_(self) -> Floats:
        """Bounds on the errors of training scores, relative to √λ_1, by Davis and Kahan's theorem.

        The scores Z of a group of components, of shape (n, g), differ from those of exact
        components, rotated within the group (of one component: up to its sign), by
        (Σ_i w_i ‖z_i − z_i*‖²)^½ ≤ bound · √λ_1. It is infinite where other eigenvalues of K̄ are
        not known to be apart from those of the group, such as beyond a last group cut by
        `n_components`. There is none for new samples. Reading it reads `completeness_`.
        """
        check_is_fitted(self)
        norms, values = self.residual_bounds_ * self._unit, self.eigenvalues_
        errors = score_errors(values, norms, self.eigenvalue_groups_, self.completeness_.bound)
        return errors / np.sqrt(self._unit)

    @property
    def _unit(self) -> float:
        return float(self.eigenvalues_.max(initial=0)) or 1.0

    def _has_changed(self) -> bool:
        return vars(self).get("_checksum", "") != self._current_checksum()

    def _current_checksum(self) -> str:
        """Digest what a proof reads of the parameters and of X: sums of bits of a dense X."""
        kernel, X = self.kernel, self.X_fit_
        if callable(kernel):
            kernel = getattr(kernel, "__qualname__", type(kernel).__qualname__)
        asked = kernel, self.degree, self.coef0, self.kernel_params, bool(self.center), self.tol
        digest = blake2b(repr((asked, self.gamma_)).encode(), digest_size=16)
        if validation.is_sparse(X):
            parts = [X.indptr, X.indices, X.data]
        else:
            bits = np.ascontiguousarray(X).view(f"u{X.dtype.itemsize}")
            parts = [bits.sum(axis=axis, dtype=np.uint64) for axis in (0, 1)]
        for part in parts:
            digest.update(np.ascontiguousarray(part).data)
        return digest.hexdigest()

    def check_completeness(self, steps: int = 60) -> Completeness:
        """Look for a missed eigenvalue by Lanczos iterations on what the fitted components leave.

        Use it if ``completeness_`` is open. It replaces ``completeness_`` if it says more.

        Parameters
        ----------
        steps : int, default=60
            Number of products with the kernel matrix, which is not stored. More steps give a
            tighter bound.

        Returns
        -------
        kpca.certificates.completeness.Completeness
            A bound on every eigenvalue that was not returned. It fails with probability 1e-6.

        Raises
        ------
        ValueError
            If the model is an approximation by landmarks, `steps` is not a positive integer, or
            parameters or training samples have changed since the fit.
        NotFittedError
            If the model is not fitted.
        """
        check_is_fitted(self)
        if "landmark_axes_" in vars(self):
            raise ValueError(
                "A model of landmarks does not hold its training points: its completeness_ is the "
                "bound there is. More landmarks lower it."
            )
        validation.check_argument("steps", steps, integer(1))
        if self._has_changed():
            raise ValueError(
                "Parameters or training samples of the model have changed since the fit, so that "
                "its eigenpairs belong to another kernel matrix: fit it again."
            )
        seed = self._seed()
        return self._decide(lambda operator, _, vectors: beyond(operator, vectors, steps, seed))

    def _seed(self) -> int:
        return validation.seed_of(deepcopy(self.random_state))

    def _decide(self, bound: Callable[..., Remainder], stored: bool = False) -> Completeness:
        """Judge by a bound, and keep what says more: a stronger status, or a lower bound."""
        operator, factor = self.expansion().operator(stored=stored)
        values, tol = self.eigenvalues_ / factor, self.tol or DEFAULT_TOL
        least = max([operator.backward_error, *values[-1:]])  # what counts as zero, or λ_k
        limit = least + tol * float(values.max(initial=0))
        found = judge(limit, [bound(operator, values, self.eigenvectors_)]).times(factor)
        each = self._completeness, found
        self._completeness = min(each, key=lambda c: (STATUSES.index(c.status), c.bound))
        return found

    def _fit_exactly(self, X: Matrix, sample_weight: Array | None) -> None:
        options = self._options()
        given, X = X, validation.checked_training(self, X, options["budget"])
        if self._learns():
            preimage.check_room(X.shape[0], options["budget"])
        # Whether checked samples are, or look into, what the caller has.
        same = X is given or not (validation.is_sparse(X) or X.flags.owndata)
        size = float((X.data if validation.is_sparse(X) else X).nbytes)
        weights = validation.checked_weights(sample_weight, X.shape[0])
        gamma = self._gamma(X, weights)
        problem = Problem(
            self._source(X, gamma),
            Centering(X.shape[0], bool(self.center), weights),
            solver=self.eigen_solver,
            precision=np.dtype(X.dtype),
            indefinite=self.indefinite,
            max_iter=self.max_iter,
            power=None if isinstance(self.iterated_power, str) else self.iterated_power,
            input_copy_bytes=0.0 if same else size,
            kept=size if same and self.copy_X else 0.0,
            **options,
        )
        self._take(solve(problem), weights)
        self.X_fit_, self.gamma_ = X.copy() if self.copy_X and same else X, gamma
        self._undecided = self._completeness.status == "open" and problem.is_small
        self._checksum = self._current_checksum()

    def _fit_landmarks(self, X: Any, sample_weight: Array | None) -> None:
        matrix = KernelColumns.of(X) if self.kernel == "precomputed" else None
        rows = training_rows(self, X) if matrix is None else matrix.rows
        if rows.on_workers and sample_weight is not None:
            raise ValueError(
                "sample_weight is not taken with rows on workers: give each block to partial_fit "
                "with its weights, and merge the models."
            )
        weights = validation.checked_weights(sample_weight, rows.n)
        self._take(fit_landmarks(self._landmark_problem(rows, weights, matrix)), weights)
        if rows.on_workers:
            self.n_samples_seen_ = int(rows.n or 0)
        if matrix is not None:
            self.n_features_in_, self.gamma_ = len(self.X_fit_), self._gamma(self.X_fit_, None)

    def _landmark_problem(
        self, rows: Rows, weights: Floats | None, matrix: KernelColumns | None = None
    ) -> LandmarkProblem:
        """Return the problem of a fit by landmarks, with γ chosen if samples choose it."""
        landmarks, m = self.landmarks, self.n_landmarks
        if not isinstance(landmarks, str):
            landmarks = given_landmarks(landmarks, rows)
            m = landmarks.shape[0]

        options = self._options()
        sample = draw_sample(rows, m, weights, options["seed"])
        if matrix is None:
            self.gamma_ = self._gamma(sample.points, sample.weights)
            source: Any = self._source(sample.points, self.gamma_)
        else:
            source = ColumnSource(matrix, sample.points)
        return LandmarkProblem(
            source,
            Centering(sample.n, bool(self.center), weights),
            rows=rows,
            sample=sample,
            n_landmarks=m,
            landmarks=landmarks,
            **options,
        )

    def _options(self) -> dict[str, Any]:
        return {
            "asked": self.n_components,
            "drop_zero": bool(self.remove_zero_eig),
            "tol": self.tol or DEFAULT_TOL,
            "seed": validation.seed_of(self.random_state),
            "n_threads": thread_count(self.n_jobs),
            "budget": self.memory_budget or default_budget(),
        }

    def _take(self, found: Decomposition, weights: Floats | None) -> None:
        self.eigenvalues_, self.eigenvectors_ = found.values, found.vectors
        self.residuals_, self.residual_bounds_ = found.residuals, found.worst / found.unit
        self._completeness, self._undecided = found.completeness, False
        self.explained_variance_ratio_ = found.ratios
        self.variance_denominator_, self._definiteness = found.denominator, found.definiteness
        self.solver_, self.kernel_means_ = found.choice, found.means
        self.sample_weight_, self._n_features_out = weights, len(found.values)
        self.__dict__.update(found.attributes)

    def _learn(self, X_original: Matrix | None) -> None:
        """Learn the ridge pre-image, if it was asked for."""
        if self._learns():
            given = self.X_fit_ if X_original is None else X_original
            points = validation.checked(given, "X_original", accept_sparse="csr")
            if X_original is not None and "landmark_indices_" in vars(self):
                points = points[self.landmark_indices_]
            learned = preimage.learn(self.expansion(), points, self.alpha)
            self.X_transformed_fit_, self.dual_coef_ = learned

    def _learns(self) -> bool:
        return self.fit_inverse_transform and self.preimage == preimage.LEARNED

    def _check_learned(self) -> None:
        """Refuse pre-images that were to be learned and were not.

        Raises
        ------
        NotFittedError
            Naming the parameter, and the methods that need none.
        """
        check_is_fitted(self)
        if self.preimage == preimage.LEARNED and not self.fit_inverse_transform:
            raise NotFittedError(
                "The fit_inverse_transform parameter was not set to True when instantiating and "
                "hence the inverse transform is not available. preimage='fixed_point' and 'mds' "
                "need no fit."
            )

    def _at_landmarks(self, X: Any) -> Any:
        """Take kernel values with the landmarks from those with all training samples."""
        check_is_fitted(self)
        index = vars(self).get("landmark_indices_")
        if index is None or callable(X):
            return X
        if isinstance(X, KernelColumns):
            return X.read(index)
        X = X if validation.is_sparse(X) else np.asarray(X)
        return X[:, index] if X.shape[1:] == (len(self.eigenvectors_),) else X

    def _find(self, Z: Array, start: Matrix | None) -> preimage.PreImages:
        self._check_learned()
        ridge = self.preimage == preimage.LEARNED
        learned = (self.X_transformed_fit_, self.dual_coef_) if ridge else None
        return preimage.find(self.preimage, self.expansion(), Z, start, learned)

    def _gamma(self, X: Matrix, weights: Floats | None) -> float:
        if self.gamma == "median":
            return weighted_median_gamma(self.kernel, X, weights)
        return 1 / X.shape[1] if self.gamma is None else float(self.gamma)

    def _source(self, X: Matrix, gamma: float) -> TrainingKernel:
        parameters = KernelParameters(gamma, self.degree, self.coef0)
        return source_of(X, self.kernel, parameters, self.kernel_params)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _check_entries(X: Any, columns: bool) -> None:
    """Refuse a Dask DataFrame, a matrix without entries, and columns on demand that are not read.

    Raises
    ------
    TypeError
    """
    if hasattr(X, "to_dask_array"):
        raise TypeError(
            "X is a Dask DataFrame, whose blocks may be of any length: pass "
            "X.to_dask_array(lengths=True)."
        )
    if hasattr(X, "matvec") or (isinstance(X, KernelColumns) and not columns):
        raise TypeError(
            f"X is a {type(X).__name__}, whose entries cannot all be read. Pass the kernel matrix, "
            "or a kpca.KernelColumns with kernel='precomputed' and eigen_solver='nystrom'; of a "
            "linear operator A, KernelColumns(lambda indices: A @ np.eye(n)[:, indices], diagonal)."
        )


def check_model(model: Any) -> None:
    """Check that an argument is a fitted KernelPCA.

    Raises
    ------
    TypeError
        Naming the argument and what it was.
    NotFittedError
    """
    if not isinstance(model, KernelPCA):
        kind = model if isinstance(model, type) else type(model)
        what = "the class" if model is kind else "an object of type"
        raise TypeError(f"model must be a kpca.KernelPCA, got {what} {kind.__name__}.")
    check_is_fitted(model)
