"""K²α = nλKα against Kα = nλα: more solutions, the same scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import linalg

from kpca.pipeline.datasets import make_dataset
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.claims.claim import Claim, Rule, exactly
from kpca.pipeline.studies.claims.rkhs import centred
from kpca.types import Floats

FIGURE = "claims_identities"
ZERO = 1e-10  # of the largest singular value


@dataclass(frozen=True, eq=False)
class Solutions:
    """What solves K̄²α = λ_1 K̄α.

    Attributes
    ----------
    K : ndarray of shape (n, n)
        K̄.
    value : float
        λ_1.
    a : ndarray of shape (n,)
        The unit eigenvector, K̄a = λ_1 a.
    basis : ndarray of shape (n, q)
        Orthonormal basis of all solutions.
    """

    K: Floats
    value: float
    a: Floats
    basis: Floats

    @property
    def nullity(self) -> int:
        """Dimension of the null space of K̄."""
        values = np.abs(linalg.eigvalsh(self.K))
        return int((values <= ZERO * values.max()).sum())

    def random(self, rng: np.random.Generator) -> Floats:
        """Return a solution with the same part along a, and a random one of norm 1 beside it."""
        other = self.basis @ rng.standard_normal(self.basis.shape[1])
        other -= self.a * (self.a @ other)
        return np.asarray(self.a + other / np.linalg.norm(other))

    def residuals(self, alpha: Floats) -> tuple[float, float]:
        """Return ‖K̄²α − λK̄α‖/(λ²‖α‖) and ‖K̄α − λα‖/(λ‖α‖)."""
        product = self.K @ alpha
        size = self.value * np.linalg.norm(alpha)
        squared = np.linalg.norm(self.K @ product - self.value * product) / (self.value * size)
        return float(squared), float(np.linalg.norm(product - self.value * alpha) / size)


def solutions(K: Floats) -> Solutions:
    """Solve K̄²α = λ_1 K̄α for a centred kernel matrix K̄: the null space of K̄² − λ_1 K̄."""
    values, vectors = linalg.eigh(K)
    top = float(values[-1])
    _, sizes, Vt = linalg.svd(K @ K - top * K)
    return Solutions(K, top, vectors[:, -1], Vt[sizes <= ZERO * sizes[0]].T)


def score_change(found: Solutions, rows: Floats, alpha: Floats) -> float:
    """Return the largest change of the scores k̄(x)·α of some rows, over the largest score."""
    return float(np.abs(rows @ (alpha - found.a)).max() / np.abs(rows @ found.a).max())


def measure(*, seed: int) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on the two eigenproblems, and the table ``solutions`` of the figure."""
    split = make_dataset("iris", {"sklearn": "iris"}, seed=seed, replicates=1).split(0)
    middle = split.X_train.mean(axis=0)
    X, new = split.X_train - middle, split.X_test - middle
    found = solutions(centred(X @ X.T))
    alpha = found.random(rng_for(seed, "claims", "null space"))
    table = pd.DataFrame(
        {
            "a": found.a,
            "alpha": alpha,
            "score": found.K @ found.a,
            "other_score": found.K @ alpha,
        }
    )
    return list(_claims(found, alpha, new @ X.T)), {"solutions": table}


def _claims(found: Solutions, alpha: Floats, new: Floats) -> Iterator[Claim]:
    squared, plain = found.residuals(alpha)
    others = found.basis - np.outer(found.a, found.a @ found.basis)
    yield Claim(
        "11-squared-more",
        "Every solution of K²α = nλKα solves Kα = nλα.",
        "Kα = nλα",
        *exactly(plain),
        Rule("‖K̄α − λα‖/(λ‖α‖) of a random solution, iris, linear kernel", "below", 1e-10),
        FIGURE,
    )
    yield Claim(
        "11-squared-solutions",
        "The solutions of K²α = nλKα are the eigenvector and the null space of K, added.",
        "1 + dim ker K̄",
        *exactly(found.basis.shape[1] - 1 - found.nullity),
        Rule(f"dimension − 1 − {found.nullity}", "within", 0.5),
        FIGURE,
    )
    yield Claim(
        "11-squared-null",
        "They differ in the null space of K only.",
        "K̄(α − α′) = 0",
        *exactly(np.abs(found.K @ others).max() / found.value),
        Rule("largest |K̄ν| / λ_1 over the basis of solutions without a", "below", 1e-8),
        FIGURE,
    )
    yield Claim(
        "11-squared-scores",
        "Both give the same scores, of training points and of new ones.",
        "Σ α_i k̄(x_i, x)",
        *exactly(max(score_change(found, rows, alpha) for rows in (found.K, new))),
        Rule("largest change / largest score, ‖ν‖ = ‖a‖", "below", 1e-8),
        FIGURE,
    )
    yield Claim(
        "11-squared-random",
        "The random solution solves K²α = nλKα indeed.",
        "0",
        *exactly(squared),
        Rule("‖K̄²α − λK̄α‖/(λ²‖α‖)", "below", 1e-10),
        FIGURE,
    )
