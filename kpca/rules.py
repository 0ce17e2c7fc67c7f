"""What the constructor arguments of `KernelPCA` must be."""

from kpca import preimage
from kpca.kernels import KERNELS
from kpca.large_n.landmarks import LANDMARKS
from kpca.parameters import Rules, anything, mapping, nothing, one_of, real, share, truth, whole
from kpca.solvers import SOLVERS

NAMES = [*SOLVERS, "nystrom"]

RULES: Rules = {
    "n_components": (
        "a whole number from 1, None, or a share in (0, 1)",
        (whole(1), nothing, share),
    ),
    "kernel": (
        f"one of {sorted(KERNELS)}, 'precomputed', or callable",
        (one_of([*KERNELS, "precomputed"]), callable),
    ),
    "gamma": ("a number from 0, None (1/d), or 'median'", (real(0), nothing, one_of(["median"]))),
    "degree": ("a number from 0", (real(0),)),
    "coef0": ("a finite number", (real(),)),
    "kernel_params": ("a dict or None", (mapping, nothing)),
    "alpha": ("a number from 0", (real(0),)),
    "fit_inverse_transform": ("True or False", (truth,)),
    "eigen_solver": (f"'auto' or one of {sorted(NAMES)}", (one_of(["auto", *NAMES]),)),
    "n_landmarks": ("a whole number from 1", (whole(1),)),
    "landmarks": (f"one of {sorted(LANDMARKS)}", (one_of(LANDMARKS),)),
    "tol": ("a number from 0 (0 means 1e-8)", (real(0),)),
    "max_iter": ("a whole number from 1, or None", (whole(1), nothing)),
    "iterated_power": ("a whole number from 0, or 'auto'", (whole(0), one_of(["auto"]))),
    "remove_zero_eig": ("True or False", (truth,)),
    "copy_X": ("True or False", (truth,)),
    "n_jobs": ("a whole number or None", (whole(-(10**6)), nothing)),
    "center": ("True or False", (truth,)),
    "memory_budget": ("a number of bytes, or None", (real(1), nothing)),
    "indefinite": ("'raise' or 'clip'", (one_of(["raise", "clip"]),)),
    "preimage": (f"one of {sorted(preimage.METHODS)}", (one_of(preimage.METHODS),)),
    "random_state": ("a seed, a RandomState, or None", (anything,)),
}
