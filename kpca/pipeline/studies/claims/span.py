"""The representer theorem: a part outside the span of the points adds norm and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kpca.pipeline.datasets.generators import moons
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.claims.claim import Claim, Rule, exactly
from kpca.pipeline.studies.claims.rkhs import N
from kpca.pipeline.studies.claims.setting import fitted, kernel_of
from kpca.types import Floats

FIGURE = "claims_rkhs"
KERNEL = "laplacian"  # its matrix is well conditioned
N_OUTSIDE = 5
LENGTHS = np.round(np.linspace(0, 4, 21), 10)


@dataclass(frozen=True, eq=False)
class Outside:
    """A function f of the span and a direction g = k(z, ·) − Σ_j β_j k(x_j, ·) orthogonal to it.

    Attributes
    ----------
    K : ndarray of shape (n + 1, n + 1)
        Kernel matrix of the points, z the last.
    f, g : ndarray of shape (n + 1,)
        Coefficients; f has norm 1 in the RKHS.
    """

    K: Floats
    f: Floats
    g: Floats

    def values(self, t: float) -> Floats:
        """Return (f + t g)(x_j) at the training points."""
        return np.asarray((self.K @ (self.f + t * self.g))[:-1])

    def squared_norm(self, t: float) -> float:
        """Return ‖f + t g‖²."""
        c = self.f + t * self.g
        return float(c @ self.K @ c)

    def predicted(self, t: float) -> float:
        """Return 1 + t²‖g‖², what ‖f + t g‖² has to be."""
        return 1 + t**2 * float(self.g @ self.K @ self.g)

    def ratio(self, t: float) -> float:
        """Return Ψ(f + t g)/Ψ(f), Ψ the mean square at the points over the squared norm."""
        squares = np.square(self.values(t)).mean() / self.squared_norm(t)
        return float(squares * self.squared_norm(0) / np.square(self.values(0)).mean())


def outside(K: Floats, z: Floats, own: float, f: Floats) -> Outside:
    """Return a function of the span and what k(z, ·) has outside of it.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Not singular.
    z : ndarray of shape (n,)
        k(z, x_j).
    own : float
        k(z, z).
    f : ndarray of shape (n,)
        Coefficients of the function, of any norm.
    """
    whole = np.block([[K, z[:, None]], [z[None, :], np.array([[own]])]])
    c, g = np.append(f, 0.0), np.append(-np.linalg.solve(K, z), 1.0)
    return Outside(whole, c / np.sqrt(c @ whole @ c), g)


def examples(seed: int) -> list[Outside]:
    """Return the leading function of moons with directions through five further points."""
    rng = rng_for(seed, "claims", "span")
    X = moons(N, rng, noise=0.15).X
    model = fitted(KERNEL, X, 1, center=False)
    K, new = kernel_of(model), moons(N_OUTSIDE, rng, noise=0.3).X
    return [outside(K, row, 1.0, model.eigenvectors_[:, 0]) for row in kernel_of(model, new)]


def ratios(cases: Sequence[Outside]) -> pd.DataFrame:
    """Return Ψ(f + t g)/Ψ(f) and what theory says: columns point, t, ratio, predicted."""
    rows = [
        (i, t, case.ratio(t), 1 / case.predicted(t))
        for i, case in enumerate(cases)
        for t in LENGTHS
    ]
    return pd.DataFrame(rows, columns=["point", "t", "ratio", "predicted"])


def centred_cosine(seed: int) -> float:
    """Return |cos| of the angle between the first axes with and without centring, in the RKHS."""
    X = moons(N, rng_for(seed, "claims", "span"), noise=0.15).X
    plain, right = (fitted(KERNEL, X, 1, center=center) for center in (False, True))
    inner = plain.eigenvectors_[:, 0] @ kernel_of(plain) @ right.eigenvectors_[:, 0]
    return float(abs(inner) / np.sqrt(plain.eigenvalues_[0] * right.eigenvalues_[0]))


def measure(*, seed: int) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on the representer theorem, and the table ``ratios``."""
    cases = examples(seed)
    table = ratios(cases)
    return [*_claims(cases, table), _centring_claim(seed)], {"ratios": table}


def _claims(cases: Sequence[Outside], table: pd.DataFrame) -> Iterator[Claim]:
    over = f", {len(cases)} directions"
    longest = float(LENGTHS[-1])
    changes = [
        np.abs(c.values(longest) - c.values(0)).max() / np.abs(c.values(0)).max() for c in cases
    ]
    yield Claim(
        "4-representer-values",
        "A part orthogonal to every k(x_j, ·) changes no value at the training points.",
        "f = Σ_j α_j k(x_j, ·)",
        *exactly(max(changes)),
        Rule(f"largest change / largest value{over}", "below", 1e-10),
        FIGURE,
    )
    yield Claim(
        "4-representer-norm",
        "It adds its own squared norm, and nothing else.",
        "‖f + tg‖² = ‖f‖² + t²‖g‖²",
        *exactly(max(abs(c.squared_norm(longest) - c.predicted(longest)) for c in cases)),
        Rule(f"largest error{over}", "below", 1e-10),
        FIGURE,
    )
    yield Claim(
        "4-representer-maximum",
        "Hence the maximum is attained in the span.",
        "Ψ(f + tg) = Ψ(f)/(1 + t²‖g‖²/‖f‖²)",
        *exactly(table.loc[table["t"] > 0, "ratio"].max()),
        Rule(f"largest Ψ(f + tg)/Ψ(f), t from {LENGTHS[1]:g}{over}", "below", 1.0),
        FIGURE,
    )


def _centring_claim(seed: int) -> Claim:
    return Claim(
        "4-uncentred-maximum",
        "Of features that are not centred, the maximum is the first principal component too.",
        "K for K̄",
        *exactly(centred_cosine(seed)),
        Rule("|cos| of the two axes, moons, Laplacian kernel", "above", 0.99),
        FIGURE,
    )
