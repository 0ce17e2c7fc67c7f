"""One fit for every number of components."""

from copy import copy

from kpca.kernel_pca import KernelPCA
from kpca.preimage import LEARNED, learn

_PER_COMPONENT = ("eigenvalues_", "residuals_", "explained_variance_ratio_")


def truncated(model: KernelPCA, n_components: int) -> KernelPCA:
    """Return a fitted model with its leading components only; the ridge pre-image is dropped."""
    head = copy(model)
    for name in _PER_COMPONENT:
        setattr(head, name, getattr(model, name)[:n_components])
    head.eigenvectors_ = model.eigenvectors_[:, :n_components]
    head._n_features_out = len(head.eigenvalues_)
    return head


def with_preimage(model: KernelPCA, method: str, alpha: float = 1.0) -> KernelPCA:
    """Return a fitted model with another pre-image method, learned where it must be."""
    other = copy(model)
    other.set_params(preimage=method, alpha=alpha)
    if method == LEARNED:
        other.set_params(fit_inverse_transform=True)
        learned = learn(other.expansion(), other.X_fit_, alpha)
        other.X_transformed_fit_, other.dual_coef_ = learned
    return other
