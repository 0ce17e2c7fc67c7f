"""PCA in the plane: variance of a projection against its angle, before and after deflation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class DeflationStep:
    """One step of deflation on points of the plane.

    Attributes
    ----------
    X : ndarray of shape (n, 2)
        Centred points.
    first : ndarray of shape (2,)
        Direction of largest variance.
    rest : ndarray of shape (n, 2)
        X − Xwwᵀ, what is left of the points.
    angles : ndarray of shape (m,)
        Angles in degrees, from 0 to 180.
    before, after : ndarray of shape (m,)
        Variance of the projection on each angle, of X and of the rest.
    """

    X: np.ndarray
    first: np.ndarray
    rest: np.ndarray
    angles: np.ndarray
    before: np.ndarray
    after: np.ndarray


def variance_by_angle(X: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Return the variance of the projection of centred points on each angle.

    Parameters
    ----------
    X : ndarray of shape (n, 2)
    angles : ndarray of shape (m,)
        In degrees.
    """
    radians = np.deg2rad(angles)
    directions = np.stack([np.cos(radians), np.sin(radians)])
    return np.asarray(np.sum((X @ directions) ** 2, axis=0) / (len(X) - 1))


def deflation_step(seed: int, n: int = 120) -> DeflationStep:
    """Draw a tilted Gaussian cloud and remove the direction of largest variance."""
    from kpca.linear.routes import principal_axes

    rng = np.random.default_rng(seed)
    tilt = np.deg2rad(35)
    rotation = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
    X = rng.standard_normal((n, 2)) * [2.0, 0.7] @ rotation
    X -= X.mean(axis=0)
    first = principal_axes(X, 1, route="deflation").axes[0]
    rest = X - np.outer(X @ first, first)
    angles = np.linspace(0, 180, 361)
    return DeflationStep(
        X, first, rest, angles, variance_by_angle(X, angles), variance_by_angle(rest, angles)
    )
