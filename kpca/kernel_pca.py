"""Exact kernel principal component analysis: the estimator."""

from collections.abc import Callable
from copy import deepcopy
from functools import cached_property
from typing import Any, Self

from sklearn.utils.validation import check_is_fitted

from kpca import preimage, validation
from kpca.base import KERNEL_NAMES, SHARED_RULES, BaseKernelPCA
from kpca.certificates.completeness import (
    READ,
    STATUSES,
    STEPS,
    Completeness,
    RandomVectors,
    bound_by_random_vectors,
    judge,
    spectrum_left,
)
from kpca.certificates.decomposition import DEFAULT_TOL, Problem
from kpca.certificates.definiteness import Definiteness, smallest_eigenvalue
from kpca.eigensolvers.solve import SOLVERS, solve
from kpca.kernels.bandwidth import power_of
from kpca.linalg.resources import thread_count
from kpca.operators.expansion import Expansion
from kpca.operators.grams import Centering, CentredGram, residual_norms
from kpca.types import Array, Floats, Matrix
from kpca.validation import NONE, TRUTH, Rule, instance_of, integer, one_of, warn

FEWEST = 50  # smallest number of samples for which `fit` may warn that no two are alike
UNLIKE = 0.01  # mean kernel value of two samples below which samples are not alike
EVEN = 2.0  # component 1 stands out if its variance over the mean variance is at least this
RULES = SHARED_RULES | {
    "kernel": one_of(KERNEL_NAMES) | Rule("a function of two samples", callable),
    "kernel_params": instance_of(dict) | NONE,
    "eigen_solver": one_of(["auto", *SOLVERS]),
    "max_iter": integer(1) | NONE,
    "iterated_power": integer(0) | one_of(["auto"]),
    "copy_X": TRUTH,
    "indefinite": one_of(["raise", "clip"]),
}


class KernelPCA(BaseKernelPCA):
    """Kernel principal component analysis, with certified or estimated errors of eigenpairs.

    For millions of samples, use the approximation `LandmarkKernelPCA`.

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
        "auto", "dense", "arpack", "randomized" (block Krylov on a stored matrix),
        "davidson" (matrix-free), or "primal" (explicit features).
    tol : float, default=0
        Bound on ``residuals_``; 0 means 1e-8. A `ToleranceWarning` is issued if it is not met.
    max_iter : int or None, default=None
        Largest number of products with the kernel matrix that an iterative solver computes after
        the first one.
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
        a_j, of norm 1, float64. The training score of largest modulus is positive.
    residuals_ : ndarray of shape (k,)
        ‖K̄a_j − λ_j a_j‖ / λ_1, including the expected rounding error. For "davidson" they are
        estimates, because corrections are computed in float32; `kpca.exact_residuals` computes
        residuals by a float64 product.
    residual_bounds_ : ndarray of shape (k,)
        Bounds on ‖K̄a_j − λ_j a_j‖ / λ_1 that always hold, since they include rounding errors in
        the worst case.
    eigenvalue_groups_ : ndarray of shape (k,)
        Index of the group that each component belongs to, from 0. Successive components are in one
        group unless their eigenvalues differ by 100 times ‖residual_bounds_‖ λ_1.
    score_error_bounds_ : ndarray of shape (k,)
        Bounds on the errors of the training scores of each group, relative to √λ_1.
    explained_variance_ratio_ : ndarray of shape (k,)
        λ_j / tr(K̄).
    variance_denominator_ : str
        Denominator of the ratios: "trace" (tr(K̄), exact); or for an indefinite kernel "positive
        mass" (if the whole spectrum is known) or "trace with negative mass".
    lambda_min_ : float
        Smallest eigenvalue of K̄: exact, 0.0 for kernels that are semidefinite by construction, or
        a proven lower bound. Reading it reads ``definiteness_``.
    definiteness_ : kpca.certificates.definiteness.Definiteness
        A bound below which no eigenvalue lies. It is proven when it is first read.
    completeness_ : kpca.certificates.completeness.Completeness
        Whether an eigenvalue above the last computed one can have been missed.
    certified_components_ : int
        Number of components, from the first, that are certain to be the leading ones.
    solver_ : kpca.certificates.decomposition.SolverChoice
        Name of the solver, and the reason for its choice.
    gamma_ : float
        Value of γ that the fit used.
    X_fit_ : array of shape (n, d)
        Training samples in their precision.
    kernel_means_ : ndarray of shape (n,)
        K w/W, the mean kernel value of each training sample.
    sample_weight_ : ndarray of shape (n,) or None
        The weights w.
    dual_coef_, X_transformed_fit_ : ndarray
        Coefficients and scores of the ridge pre-image, if it was learned.
    n_features_in_ : int
        Number of features d.
    feature_names_in_ : ndarray of shape (d,)
        Names of the features, if X was a table.

    Notes
    -----
    Let K̄ = HKH be the centred kernel matrix of the training samples, with K̄ a_j = λ_j a_j and
    ‖a_j‖ = 1. The score of a sample x on component j is Σ_i a_ij k̄(x_i, x) / √λ_j.

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

    eigenvectors_: Floats
    _undecided_: bool  # whether reading `completeness_` may decide what the fit has left open

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
            Training samples, or the kernel matrix if ``kernel="precomputed"``.
        y : None, default=None
            Ignored, present for compatibility with scikit-learn.
        sample_weight : array of shape (n,) or None, default=None
            Non-negative weights. Integer weights equal repeated samples. None means 1 for each.
        X_original : array of shape (n, d) or None, default=None
            Samples that a precomputed kernel matrix belongs to, for its ridge pre-image.

        Returns
        -------
        KernelPCA
            The estimator itself. If a fit fails, the model stays as it was.

        Raises
        ------
        ValueError
            If parameters and data do not fit together; the message says what to change.
        MemoryError
            If the fit needs more than ``memory_budget``; this is checked before any work.

        Warns
        -----
        ToleranceWarning
            If a residual is above `tol`, even if only rounding errors cause this.
        IndefiniteKernelWarning
            If the kernel matrix has a significantly negative eigenvalue.
        """
        if self.eigen_solver == "nystrom":
            raise ValueError(
                "Landmarks have an estimator of their own: type `from kpca import "
                "LandmarkKernelPCA`, and replace KernelPCA(eigen_solver='nystrom', ...) by "
                "LandmarkKernelPCA(n_landmarks=300, ...)."
            )
        validation.check_parameters(self, RULES)
        return self._fit(X, sample_weight, X_original)

    def _fit_samples(self, X: Matrix, sample_weight: Array | None) -> None:
        options = self._options()
        samples = validation.checked_training(self, X, options["budget"])
        n = samples.shape[0]
        if self._learns():
            preimage.check_room(n, options["budget"])
        is_sparse = validation.is_sparse(samples)
        size = (samples.data if is_sparse else samples).nbytes
        # Whether the checked samples share memory with the array of the caller.
        is_shared = samples is X or not (is_sparse or samples.flags.owndata)
        weights = validation.checked_weights(sample_weight, n)
        gamma = self._gamma(samples, weights)
        problem = Problem(
            self._source(samples, gamma),
            Centering(n, self.center, weights),
            solver=self.eigen_solver,
            precision=samples.dtype,
            indefinite=self.indefinite,
            max_iter=self.max_iter,
            power=None if isinstance(self.iterated_power, str) else self.iterated_power,
            input_copy_bytes=0.0 if is_shared else size,
            copy_bytes=size if is_shared and self.copy_X else 0.0,
            **options,
        )
        pairs = solve(problem)
        self._take(pairs, weights)
        self.eigenvectors_ = pairs.vectors
        self.gamma_ = gamma
        self.X_fit_ = samples.copy() if self.copy_X and is_shared else samples
        self._undecided_ = self._completeness_.status == "open" and problem.is_decided_when_read
        self._warn_if_unlike()

    def _warn_if_unlike(self) -> None:
        """Warn if a kernel of a distance is so narrow that no two samples are alike.

        The kernel matrix is then nearly the identity, and its components have no meaning.
        """
        n = len(self.eigenvectors_)
        ratios = self.explained_variance_ratio_
        if power_of(self.kernel) is None or self.sample_weight_ is not None:
            return
        if n < FEWEST or not len(ratios):
            return
        likeness = (n * self.kernel_means_.mean() - 1) / (n - 1)
        if likeness < UNLIKE and ratios[0] * (n - 1) < EVEN:
            warn(
                f"No two samples are alike for this kernel: its value for two of them is "
                f"{likeness:.1e} on average, and component 1 has {ratios[0]:.2%} of the variance, "
                f"where an average one has {1 / (n - 1):.2%}. Scale the columns, or use "
                "gamma='median'."
            )

    def _expand(self) -> Expansion:
        values = self.eigenvalues_
        vectors = self.eigenvectors_
        centering = Centering(len(vectors), self.center, self.sample_weight_)
        return Expansion(
            self._source(self.X_fit_, self.gamma_),
            centering.coefficients(values, vectors),
            centering.normalized_weights * centering.center,
            self.kernel_means_,
            values,
            centering,
            vectors,
            thread_count(self.n_jobs),
        )

    @property
    def completeness_(self) -> Completeness:
        """Whether an eigenvalue above the last computed one can have been missed.

        If a fit leaves this question open, the first reading of the attribute decides it, provided
        that this takes about two seconds or as long as the fit. This is the case for up to 2 500
        points, and for up to about 11 000 points if the kernel is given by name and semidefinite.
        For more points, call `check_completeness`. If parameters or X have changed since the fit,
        the question stays open.
        """
        check_is_fitted(self)
        if self._undecided_:
            is_stored = len(self.eigenvectors_) <= READ
            operator = self._operator(is_stored)
            if operator is not None:
                self._decide(operator, None if is_stored else STEPS)
                self._undecided_ = False  # set last, since other threads may read at the same time
        return self._completeness_

    @cached_property
    def definiteness_(self) -> Definiteness:
        """A bound below which no eigenvalue of K̄ lies.

        If the kernel may be indefinite, the bound is proven when it is first read, by a Cholesky
        factor that costs less than the fit. If parameters or X have changed since the fit, the
        bound that the fit found is returned.
        """
        check_is_fitted(self)
        met = self._definiteness_
        if met.status != "open" or (operator := self._operator(stored=True)) is None:
            return met
        top = self.eigenvalues_.max(initial=0)
        seed = self._seed()
        return smallest_eigenvalue(operator, met, top, self.X_fit_.dtype, seed)

    def _operator(self, stored: bool = False) -> CentredGram | None:
        """Return K̄, or None if it does not have the eigenpairs of the model.

        Parameters and samples may have changed since the fit. K̄ has the eigenpairs of the model if
        their residuals are within their bounds.
        """
        operator = self.expansion().operator(stored=stored)
        norms = residual_norms(operator, self.eigenvalues_, self.eigenvectors_)
        bounds = self.residual_bounds_ * self._unit + operator.backward_error
        return operator if (norms <= bounds).all() else None

    def check_completeness(self, steps: int = STEPS) -> Completeness:
        """Look for a missed eigenvalue by Lanczos iterations on K̄ without the fitted components.

        Call this method if ``completeness_`` is open. The result replaces ``completeness_`` if its
        statement is stronger.

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
            If `steps` is not a positive integer, or parameters or training samples have changed
            since the fit.
        NotFittedError
            If the model is not fitted.
        """
        check_is_fitted(self)
        validation.check_argument("steps", steps, integer(1))
        operator = self._operator()
        if operator is None:
            raise ValueError(
                "Parameters or training samples of the model have changed since the fit, so that "
                "its eigenpairs belong to another kernel matrix: fit it again."
            )
        return self._decide(operator, steps)

    def _seed(self) -> int:
        return validation.seed_of(deepcopy(self.random_state))

    def _decide(self, operator: CentredGram, steps: int | None) -> Completeness:
        """Judge completeness by `steps` products with random vectors, or by the stored matrix.

        The stored matrix is used if `steps` is None. The result replaces the present one if it has
        a stronger status, or the same status and a lower bound.
        """
        values = self.eigenvalues_
        vectors = self.eigenvectors_
        tol = self.tol or DEFAULT_TOL
        least = max([operator.backward_error, *values[-1:]])  # λ_k, if larger than rounding errors
        limit = least + tol * values.max(initial=0)
        if steps is None:
            remainder = spectrum_left(operator, values, vectors, limit)
        else:
            beside = RandomVectors(operator, vectors, self._seed())
            remainder = bound_by_random_vectors(beside, values, limit, steps)
        judged = judge(limit, [remainder])
        self._completeness_ = min(
            self._completeness_, judged, key=lambda c: (STATUSES.index(c.status), c.bound)
        )
        return judged
