"""Both estimators by the name of a solver, so that one test takes all of them."""

from inspect import signature

from kpca import KernelPCA, LandmarkKernelPCA

Estimator = KernelPCA | LandmarkKernelPCA


def either(n_components=None, *, eigen_solver="auto", **options):
    """Return a `LandmarkKernelPCA` for "nystrom", else a `KernelPCA`, with the options it takes."""
    kind = LandmarkKernelPCA if eigen_solver == "nystrom" else KernelPCA
    options["eigen_solver"] = eigen_solver
    taken = {name: value for name, value in options.items() if name in signature(kind).parameters}
    return kind(n_components, **taken)
