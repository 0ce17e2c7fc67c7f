"""Kernel principal component analysis: the estimator."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from kpca import preimage
from kpca.certificates.bounds import deflated_lanczos
from kpca.certificates.completeness import Completeness, judge
from kpca.eigensolvers import Problem
from kpca.eigensolvers.fit import fit_pairs
from kpca.eigensolvers.problem import DEFAULT_TOL
from kpca.kernels import KERNELS
from kpca.kernels.bandwidth import median_gamma
from kpca.linalg.memory import default_budget
from kpca.nystrom.fit import LANDMARK_ARRAYS, fit_landmarks, landmark_scores
from kpca.nystrom.streaming import refuse_iterators
from kpca.operators import Centering, CentredGram
from kpca.operators.sources import Source
from kpca.projection import Projection
from kpca.types import Array, Floats, Matrix
from kpca.validation import RULES, check, check_weights


class KernelPCA(Projection):
    """Kernel principal component analysis, with a certificate on every eigenpair.

    With K̄ = HKH the centred kernel matrix of the training points and K̄ a_j = λ_j a_j,
    ‖a_j‖ = 1, the score of a point x on component j is Σ_i a_ij k̄(x_i, x) / √λ_j.

    Parameters
    ----------
    n_components : int, float or None
        Number of components; a share of the variance in (0, 1); None keeps all with a
        nonzero eigenvalue. A number above n is clamped to n.
    kernel : {"linear", "poly", "rbf", "sigmoid", "laplacian", "cosine", "precomputed"} or callable
        See `kpca.kernels.kernel_matrix` for the formulas.
    gamma : float, "median" or None
        None means 1/d; "median" one over the median distance (`kpca.median_gamma`).
    degree, coef0 : float
        Of the polynomial and sigmoid kernels.
    kernel_params : dict, optional
        Keyword arguments of a callable kernel.
    alpha : float
        Ridge of the learned pre-image.
    fit_inverse_transform : bool
        Learn the ridge pre-image in `fit`.
    eigen_solver : str
        "auto", "dense", "arpack", "randomized", "krylov" (block Krylov on a stored matrix),
        "davidson" (matrix-free), "primal" (explicit features), or "nystrom" (an approximation
        by landmarks, for points by the million; never chosen by "auto").
    n_landmarks : int
        Of "nystrom": the width of the approximation.
    landmarks : {"kmeans", "uniform", "rpcholesky"}
        Of "nystrom": centres of clusters, points at random, or pivots of a Cholesky factor.
    tol : float
        Bound on max_i ‖K̄a_i − λ_i a_i‖ / λ_1; 0 means 1e-8. Missing it is a warning.
    max_iter : int, optional
        Iterations of an iterative solver.
    iterated_power : int or "auto"
        Power iterations of the randomized solver; "auto" means as many as `tol` takes.
    remove_zero_eig : bool
        Drop components with a zero eigenvalue even where `n_components` is a number.
    random_state : int, RandomState or None
        Of random starts. None is a fixed seed, so that fits repeat.
    copy_X : bool
        Keep a copy of X rather than a reference; X itself is never changed.
    n_jobs : int, optional
        Threads; None means the present limit of the linear algebra library.
    center : bool
        Centre in feature space.
    memory_budget : float, optional
        Bytes that a fit may use.
    indefinite : {"raise", "clip"}
        What to do where a component has a significantly negative eigenvalue.
    preimage : {"ridge", "fixed_point", "mds"}
        Method of `inverse_transform` and `denoise`: a learned regression, the fixed point of
        Mika et al., or the distances of Kwok and Tsang (`kpca.preimage`).

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (k,)
        λ_j in decreasing order, float64. The variance along component j is λ_j / W.
    eigenvectors_ : ndarray of shape (n, k)
        a_j, of norm 1, float64; the training score of largest modulus is positive.
    residuals_ : ndarray of shape (k,)
        ‖K̄a_j − λ_j a_j‖ / λ_1, recomputed in float64; not computed (NaN) for "nystrom", see
        ``residual_estimates_`` and `kpca.exact_residuals`.
    explained_variance_ratio_ : ndarray of shape (k,)
        λ_j / tr(K̄), exact for every solver but "nystrom", which gives a lower bound.
    variance_denominator_ : str
        "trace", or for an indefinite kernel "positive mass" (whole spectrum known) or
        "trace with negative mass"; "upper bound of the trace" for "nystrom".
    lambda_min_ : float
        Smallest eigenvalue of K̄ (seeded Lanczos where the spectrum is not known); 0.0 for
        kernels that are positive semidefinite by construction.
    completeness_ : Completeness
        Whether an eigenvalue above the last computed one can have been missed: status, bound,
        method and probability of failure (`kpca.certificates.completeness`).
    solver_ : Choice
        Name of the solver, and the reason.
    gamma_ : float
        The kernel coefficient used.
    X_fit_ : array of shape (n, d)
        The training points, in the precision they came in; for "nystrom" the landmarks.
    kernel_means_ : ndarray of shape (n,)
        K w/W, the mean kernel value of each of these points.
    sample_weight_ : ndarray of shape (n,) or None
        The weights.
    dual_coef_, X_transformed_fit_ : ndarray
        Of the ridge pre-image, where it was asked for.
    trace_error_ : float
        Of "nystrom" only: tr(K − K̂), which bounds ‖K̄a_j − λ_j a_j‖ and every error of an
        eigenvalue.
    residual_estimates_, residual_estimate_errors_ : ndarray of shape (k,)
        Of "nystrom" only: the residuals estimated on random rows of K, and their standard errors.
    explained_variance_bounds_ : ndarray of shape (2, k)
        Of "nystrom" only: λ_j(K̄)/tr(K̄) lies between them.
    landmark_axes_, landmark_mean_ : ndarray of shape (m, k) and (m,)
        Of "nystrom" only: the axes and the mean as combinations of the landmarks' images.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

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
        """Fit the components to training points, or to their precomputed kernel matrix.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d), or kernel matrix of shape (n, n)
            With "nystrom" also a memory-mapped array, a list of blocks of rows, or a function
            that returns an iterator of them (`kpca.nystrom.streaming`).
        y : ignored
        sample_weight : array of shape (n,), optional
            Non-negative weights; whole weights equal repeated points.
        X_original : array of shape (n, d), optional
            The points behind a precomputed kernel, from which its ridge pre-image is learned.

        Returns
        -------
        KernelPCA
            The estimator itself.

        Raises
        ------
        ValueError
            For parameters or data that do not fit together; the message says what to change.
        """
        check(self, RULES)
        self._check_preimage(X_original)
        for name in LANDMARK_ARRAYS:
            self.__dict__.pop(name, None)
        if self.eigen_solver == "nystrom":
            fit_landmarks(self, X, sample_weight)
            return self
        refuse_iterators(X, self.eigen_solver)
        X = validate_data(
            self, X, accept_sparse="csr", copy=self.copy_X, dtype=[np.float64, np.float32]
        )
        weights = check_weights(sample_weight, X.shape[0])
        self.X_fit_ = X
        self.sample_weight_ = weights
        self.gamma_ = self._resolve_gamma(X, weights)
        self._solve(self._fit_source(X), Centering(X.shape[0], bool(self.center), weights))
        if self.fit_inverse_transform:
            points = X if X_original is None else check_array(X_original)
            preimage.learn(self, points, self._training_scores())
        return self

    def fit_transform(self, X: Matrix, y: Any = None, **params: Any) -> Array:
        """Fit, and give the scores of the training points without computing kernels again.

        Takes what `fit` takes; returns an array of shape (n, k).
        """
        self.fit(X, y, **params)
        return landmark_scores(self, X) if self._has_landmarks() else self._training_scores()

    def check_completeness(self, steps: int = 60) -> Completeness:
        """Look for a missed eigenvalue by Lanczos on what the fitted components leave.

        The last rung of the ladder, for a fit whose ``completeness_`` is open. It costs `steps`
        products with the kernel matrix, which is not stored, and bounds every eigenvalue that
        was not returned up to a probability of failure of 1e-6: the more steps, the tighter.

        Parameters
        ----------
        steps : int
            Products.

        Returns
        -------
        Completeness
            Also stored as ``completeness_`` where it says more than what stood there.
        """
        check_is_fitted(self)
        if self._has_landmarks():
            raise ValueError(
                "A model of landmarks does not hold its training points: its completeness_ is the "
                "bound there is. More landmarks lower it."
            )
        gram = self._fit_source(self.X_fit_).operator(self._threads())
        operator = CentredGram(gram, self._centering())
        limit = self.eigenvalues_[-1] + (self.tol or DEFAULT_TOL) * self.eigenvalues_[0]
        lowest = self.definiteness_.bound
        rung = deflated_lanczos(operator, self.eigenvectors_, lowest, steps, self._seed())
        found, known = judge(float(limit), [rung]), vars(self)["completeness_"]
        if found.bound < known.bound:
            self.completeness_ = found
        return found

    def _solve(self, source: Source, centering: Centering) -> None:
        asked, n = self.n_components, source.n
        share = float(asked) if asked is not None and asked < 1 else None
        whole_spectrum = asked is None or share is not None
        problem = Problem(
            source,
            centering,
            n if whole_spectrum else min(n, int(asked or 0)),
            pad=not (whole_spectrum or self.remove_zero_eig),
            tol=self.tol or DEFAULT_TOL,
            max_iter=self.max_iter,
            power=None if isinstance(self.iterated_power, str) else self.iterated_power,
            seed=self._seed(),
            n_threads=self._threads(),
            budget=self.memory_budget or default_budget(),
        )
        found = fit_pairs(
            problem,
            self.eigen_solver,
            share=share,
            drop_zero=asked is None or bool(self.remove_zero_eig),
            precision=np.dtype(self.X_fit_.dtype),
            indefinite=self.indefinite,
        )
        pairs = found.pairs
        self.eigenvalues_, self.eigenvectors_ = pairs.values, pairs.vectors
        self.residuals_, self.completeness_ = pairs.residuals, pairs.completeness
        self.explained_variance_ratio_ = found.ratios()
        self.variance_denominator_, self.definiteness_ = found.denominator, found.definiteness
        self.lambda_min_ = found.definiteness.smallest - found.definiteness.residual
        self.solver_, self.kernel_means_ = found.choice, found.means
        self._n_features_out = len(pairs.values)

    def _resolve_gamma(self, X: Matrix, weights: Floats | None = None) -> float:
        if self.gamma is None:
            return 1 / X.shape[1]
        if self.gamma != "median":
            return float(self.gamma)
        if self.kernel not in KERNELS:
            raise ValueError("gamma='median' needs a kernel by name: give gamma as a number.")
        used = X if weights is None else X[weights > 0]
        return median_gamma(used, str(self.kernel))

    def _seed(self) -> int:
        if self.random_state is None:
            return 0
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
