"""Base class of the kernel PCA estimators: scores, distances and pre-images."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from kpca import preimage, validation
from kpca.certificates.completeness import Completeness
from kpca.certificates.decomposition import DEFAULT_TOL, Decomposition
from kpca.certificates.definiteness import Definiteness
from kpca.certificates.scores import groups, score_errors
from kpca.kernels.bandwidth import weighted_median_gamma
from kpca.kernels.registry import KERNELS, PARAMETERS, KernelParameters, finite
from kpca.linalg.resources import default_budget, thread_count
from kpca.nystrom.columns import KernelColumns
from kpca.nystrom.streaming import by_blocks
from kpca.operators.expansion import Expansion
from kpca.operators.sources import TrainingKernel, source_of
from kpca.preimage import PreImages
from kpca.types import Array, Floats, Matrix
from kpca.validation import FRACTION, NONE, SEED, TRUTH, Rule, integer, one_of, real

SHARED_RULES: dict[str, Rule] = {
    "n_components": integer(1) | FRACTION | NONE,
    **{name: real(parameter.least) for name, parameter in PARAMETERS.items()},
    "gamma": real(PARAMETERS["gamma"].least) | NONE | one_of(["median"]),
    "alpha": real(0),
    "fit_inverse_transform": TRUTH,
    "tol": real(0),
    "remove_zero_eig": TRUTH,
    "random_state": SEED,
    "n_jobs": integer(-(10**6)) | NONE,
    "center": TRUTH,
    "memory_budget": real(1) | NONE,
    "preimage": one_of(preimage.METHODS),
}
KERNEL_NAMES = [*KERNELS, "precomputed"]


class BaseKernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):
    """Base class of `KernelPCA` and `LandmarkKernelPCA`, which fit the components."""

    n_components: float | None
    kernel: Any
    kernel_params: dict[str, Any] | None = None
    gamma: float | str | None
    degree: float
    coef0: float
    alpha: float
    fit_inverse_transform: bool
    tol: float
    remove_zero_eig: bool
    random_state: Any
    n_jobs: int | None
    center: bool
    memory_budget: float | None
    preimage: str
    fit: Callable[..., Self]  # Each subclass defines what X may be.
    X_fit_: Matrix
    gamma_: float
    sample_weight_: Floats | None
    eigenvectors_: Any
    _reads_columns = False  # Whether `fit` needs only some columns of a kernel matrix.
    _completeness_: Completeness
    _definiteness_: Definiteness  # bound on the smallest eigenvalue, as found during the fit

    @abstractmethod
    def _fit_samples(self, X: Any, sample_weight: Array | None) -> None:
        """Set the fitted attributes from training samples."""

    @abstractmethod
    def _expand(self) -> Expansion:
        """Return the expansion of a fitted model."""

    def fit_transform(self, X: Matrix, y: Any = None, **params: Any) -> Array:
        """Fit the components and return the scores of the training samples.

        This is cheaper than `fit` followed by `transform`, because it reuses the kernel values.

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
            As for `fit`.
        """
        self.fit(X, y, **params)
        return self._training_scores(X)

    def transform(self, X: Matrix) -> Array:
        """Return the scores of samples on the fitted components.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            New samples. If ``kernel="precomputed"``, their kernel values with all training samples,
            or only with the landmarks. X may also be given in blocks of rows, as an iterable of
            arrays or as a function that returns such an iterable.

        Returns
        -------
        ndarray of shape (m, k)
            z_j = ⟨φ(x) − μ, v_j⟩ in column j, in the precision of X.

        Raises
        ------
        ValueError
            If X does not have as many columns as the training samples, or has NaN or infinity.
        NotFittedError
            If the model is not fitted.

        Examples
        --------
        >>> import numpy as np
        >>> from kpca import KernelPCA
        >>> model = KernelPCA(1).fit(np.array([[0.0, 0.0], [3.0, 4.0]]))
        >>> abs(model.transform(np.array([[6.0, 8.0]]))).round(3)
        array([[7.5]])
        """
        expansion = self.expansion()
        return by_blocks(
            self,
            self._as_fitted(X),
            lambda rows: finite(expansion.scores(rows), rows.dtype),
            self._n_features_out,
        )

    def reconstruction_error(self, X: Matrix, diagonal: Array | None = None) -> Array:
        """Return the squared distance of each sample's image to the subspace of the components.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            Samples, as for `transform`.
        diagonal : array of shape (m,) or None, default=None
            k(x, x) of each sample. None computes it from X, except for a precomputed kernel, which
            needs the array.

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
        Let φ̄ be the centred feature map and z the scores. The squared distance is ‖φ̄(x)‖² − ‖z‖²,
        where ‖φ̄(x)‖² = k(x, x) − 2 Σ_i w_i k(x, x_i)/W + wᵀKw/W². `LandmarkKernelPCA` replaces the
        mean in feature space by its projection on the span of the landmarks. Negative values, which
        only an indefinite kernel has, become 0.

        Examples
        --------
        >>> import numpy as np
        >>> from kpca import KernelPCA
        >>> model = KernelPCA(1).fit(np.array([[0.0, 0.0], [3.0, 4.0]]))
        >>> model.reconstruction_error(np.array([[4.0, -3.0]])).round(3)
        array([25.])
        """
        expansion = self.expansion()
        computes_diagonal = diagonal is None
        distances = by_blocks(
            self,
            self._as_fitted(X),
            lambda rows: expansion.squared_distances(rows, computes_diagonal),
        )
        if diagonal is not None:
            diagonal = validation.checked(diagonal, "diagonal", ensure_2d=False, dtype=np.float64)
            if diagonal.shape != distances.shape:
                raise ValueError(
                    "diagonal must hold k(x, x) of each row of X, in shape "
                    f"{distances.shape}, and has {diagonal.shape}."
                )
            distances = finite(distances + diagonal)
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
            If the model is not fitted, or if ``preimage="ridge"`` and `fit` did not learn it.
        ValueError
            If the number of columns of X is not the number of components, or if the method does not
            apply to the kernel.

        Warns
        -----
        PreImageWarning
            If some pre-images did not converge; `find_preimages` says which. Also if the pre-images
            hardly differ although the scores do.
        """
        Z = validation.checked(X, **validation.SCORES)
        learned = self._learned()
        expansion = self.expansion()
        preimages = preimage.find(self.preimage, expansion, Z, None, learned)
        return preimage.points(preimages, expansion, Z)

    def denoise(self, X: Matrix) -> Array:
        """Return denoised samples: the pre-images of their projections on the components.

        Parameters
        ----------
        X : array of shape (m, d)
            Noisy samples, at which iterations begin.

        Returns
        -------
        ndarray of shape (m, d)
            Denoised samples, in the precision of X.

        Raises
        ------
        NotFittedError, ValueError
            As for `inverse_transform`.

        Warns
        -----
        PreImageWarning
            As for `inverse_transform`.

        Examples
        --------
        >>> import numpy as np
        >>> from kpca import KernelPCA
        >>> t = np.linspace(-1, 1, 40)
        >>> parabola = np.column_stack([t, t**2])
        >>> model = KernelPCA(4, kernel="rbf", gamma=1.0, preimage="fixed_point").fit(parabola)
        >>> clean = model.denoise(np.array([[0.0, 0.2]]))  # the parabola has 0 there
        >>> bool(abs(clean[0, 1]) < 0.1)
        True
        """
        learned = self._learned()  # first, because it may raise an error
        points = validation.checked_samples(self, X)
        expansion = self.expansion()
        Z = finite(expansion.scores(points), points.dtype)
        preimages = preimage.find(self.preimage, expansion, Z, points, learned)
        return preimage.points(preimages, expansion, Z, points)

    def find_preimages(self, X: Array, start: Matrix | None = None) -> PreImages:
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
            As for `inverse_transform`.
        """
        Z = validation.checked(X, **validation.SCORES)
        learned = self._learned()
        expansion = self.expansion()
        if start is not None:
            start = validation.checked_samples(self, start)
        preimages = preimage.find(self.preimage, expansion, Z, start, learned)
        if self.kernel == "precomputed":
            return preimages
        distances = expansion.distances(Z.astype(np.float64), preimages.points)
        return replace(preimages, distances=distances)

    def expansion(self) -> Expansion:
        """Return the subspace of the components, from which scores and distances are computed.

        Each call creates the expansion anew from parameters and attributes. For many small
        batches, its method `scores` is faster than `transform`, which prepares the kernel in each
        call.

        Returns
        -------
        kpca.operators.expansion.Expansion
            Axes and mean as combinations of the images of training points or landmarks.

        Raises
        ------
        NotFittedError
            If the model is not fitted.
        """
        check_is_fitted(self)
        return self._expand()

    @property
    def completeness_(self) -> Completeness:
        """Whether an eigenvalue above the last computed one can have been missed."""
        check_is_fitted(self)
        return self._completeness_

    @property
    def definiteness_(self) -> Definiteness:
        """A bound below which no eigenvalue of K̄ lies."""
        check_is_fitted(self)
        return self._definiteness_

    @property
    def lambda_min_(self) -> float:
        """Smallest eigenvalue of K̄, or a proven lower bound on it; reads ``definiteness_``."""
        definiteness = self.definiteness_
        return max(definiteness.smallest - definiteness.residual, definiteness.bound)

    @property
    def eigenvalue_groups_(self) -> Array:
        """Index of each component's group of near-equal eigenvalues, from 0.

        Errors as small as the residuals may rotate the components of a group into each other.
        """
        check_is_fitted(self)
        return groups(self.eigenvalues_, self.residual_bounds_ * self._unit)

    @property
    def score_error_bounds_(self) -> Floats:
        """Bounds on the errors of training scores, relative to √λ_1, by Davis and Kahan's theorem.

        For a group of g components, let z_i hold the g scores of sample i, and z_i* its exact
        scores, rotated within the group (or up to the sign, for a single component). Then
        (Σ_i w_i ‖z_i − z_i*‖²)^½ ≤ bound · √λ_1. The bound is infinite if other eigenvalues of K̄
        are not known to be separated from those of the group, for example if `n_components` cuts
        the last group. There is no bound for new samples. Reading this attribute reads
        `completeness_`.
        """
        check_is_fitted(self)
        norms = self.residual_bounds_ * self._unit
        values = self.eigenvalues_
        errors = score_errors(values, norms, self.eigenvalue_groups_, self.completeness_.bound)
        return errors / np.sqrt(self._unit)

    @property
    def certified_components_(self) -> int:
        """Number of components, from the first, that are certain to be the leading ones.

        If ``completeness_`` is not open, all components are certain. Reading this attribute reads
        ``completeness_``.
        """
        check_is_fitted(self)
        statement = self.completeness_
        values = self.eigenvalues_
        if statement.status != "open":
            return len(values)
        above = values + (self.tol or DEFAULT_TOL) * self._unit >= statement.bound
        return int(np.count_nonzero(above))

    @property
    def _unit(self) -> float:
        return self.eigenvalues_.max(initial=0) or 1.0

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    def _unfitted(self) -> Self:
        """Return a copy without fitted attributes, whose names end with an underscore.

        `fit` changes only this copy at first, so that a failed fit leaves the model as it was.
        """
        fresh = copy(self)
        fresh.__dict__ = {k: v for k, v in vars(self).items() if not k.endswith("_")}
        return fresh

    def _fit(self, X: Any, sample_weight: Array | None, X_original: Matrix | None) -> Self:
        """Fit the components to X, and learn pre-images if `fit_inverse_transform` is set.

        Raises
        ------
        TypeError, ValueError
            If the class does not read this kind of X, or if pre-images of a kernel matrix are to be
            learned without `X_original`. The message says what to pass.
        """
        takes_columns = self._reads_columns and self.kernel == "precomputed"
        if hasattr(X, "matvec") or (isinstance(X, KernelColumns) and not takes_columns):
            raise TypeError(
                f"X is a {type(X).__name__}, whose entries cannot all be read. Pass the kernel "
                "matrix, or take LandmarkKernelPCA(kernel='precomputed') and pass a "
                "kpca.KernelColumns; of a linear operator A, KernelColumns(lambda indices: "
                "A @ np.eye(n)[:, indices], diagonal)."
            )
        if hasattr(X, "to_dask_array"):
            raise TypeError(
                "X is a Dask DataFrame, whose blocks may be of any length: pass "
                "X.to_dask_array(lengths=True)."
            )
        if self.fit_inverse_transform and self.kernel == "precomputed" and X_original is None:
            raise ValueError(
                "Cannot fit_inverse_transform with a precomputed kernel: pass fit(K, X_original=X)."
            )
        fresh = self._unfitted()
        fresh._fit_samples(X, sample_weight)
        fresh._learn(X_original)
        self.__dict__ = fresh.__dict__
        return self

    def _options(self) -> dict[str, Any]:
        """Return the options that the fits of both estimators pass to a solver."""
        return {
            "requested": self.n_components,
            "drop_zero": self.remove_zero_eig,
            "tol": self.tol or DEFAULT_TOL,
            "seed": validation.seed_of(self.random_state),
            "n_threads": thread_count(self.n_jobs),
            "budget": self.memory_budget or default_budget(),
        }

    def _take(self, pairs: Decomposition, weights: Floats | None) -> None:
        """Set the fitted attributes from a decomposition, except the eigenvectors."""
        self.eigenvalues_ = pairs.values
        self.explained_variance_ratio_ = pairs.ratios
        self.residuals_ = pairs.residuals
        self.residual_bounds_ = pairs.worst / pairs.unit
        self._completeness_ = pairs.completeness
        self._definiteness_ = pairs.definiteness
        self.variance_denominator_ = pairs.denominator
        self.solver_ = pairs.choice
        self.kernel_means_ = pairs.means
        self.sample_weight_ = weights
        self.__dict__.update(pairs.attributes)

    def _learns(self) -> bool:
        return self.fit_inverse_transform and self.preimage == preimage.LEARNED

    def _learn(self, X_original: Matrix | None) -> None:
        """Learn the ridge pre-image if `fit_inverse_transform` is set."""
        if self._learns():
            points = self.X_fit_
            if X_original is not None:
                points = self._original_points(X_original)
            learned = preimage.learn(self.expansion(), points, self.alpha)
            self.X_transformed_fit_, self.dual_coef_ = learned

    def _original_points(self, X_original: Matrix) -> Matrix:
        """Return the samples behind a kernel matrix, or those of them that are landmarks.

        Raises
        ------
        ValueError
            If there is not one sample per row of the kernel matrix.
        """
        samples = validation.checked(X_original, "X_original", accept_sparse="csr")
        fitted = vars(self)
        indices = fitted.get("landmark_indices_")
        n = self.X_fit_.shape[0] if indices is None else fitted["n_samples_seen_"]
        if samples.shape[0] != n:
            raise ValueError(
                f"X_original has {samples.shape[0]} rows, and {n} points were fitted: pass the "
                "points behind the kernel matrix, in their order."
            )
        return samples if indices is None else samples[indices]

    def _learned(self) -> tuple[Array, Array] | None:
        """Return scores and coefficients of the ridge pre-image, or None for other methods.

        Raises
        ------
        NotFittedError
            If the pre-image was not learned; the message names the parameter, and methods that
            need no fit.
        """
        check_is_fitted(self)
        if self.preimage != preimage.LEARNED:
            return None
        if not self.fit_inverse_transform:
            raise NotFittedError(
                "The fit_inverse_transform parameter was not set to True when instantiating and "
                "hence the inverse transform is not available. preimage='fixed_point' and 'mds' "
                "need no fit."
            )
        return self.X_transformed_fit_, self.dual_coef_

    def _training_scores(self, X: Any) -> Array:
        """Return the scores of the samples X that the model has just been fitted to."""
        return self.expansion().point_scores

    def _as_fitted(self, X: Any) -> Any:
        """Return samples with the columns that the expansion takes."""
        return X

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


def check_model(model: Any) -> None:
    """Check that an argument is a fitted KernelPCA or LandmarkKernelPCA.

    Raises
    ------
    TypeError
        If the argument is another object; the message names its type.
    NotFittedError
        If the model is not fitted.
    """
    if not isinstance(model, BaseKernelPCA):
        kind = model if isinstance(model, type) else type(model)
        noun = "the class" if model is kind else "an object of type"
        raise TypeError(
            f"model must be a kpca.KernelPCA or kpca.LandmarkKernelPCA, got {noun} {kind.__name__}."
        )
    check_is_fitted(model)
