"""The learner: a logistic model, fitted with scikit-learn and written down as plain numbers.

Boosted trees, alone or in the mean with it, were tried at both stages and did not win on left-out streams (README.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from tur_engine.detect.verdict import CLIP


def fit_set(
    rows: np.ndarray, labels: np.ndarray, weights: np.ndarray, names: Sequence[str], *, strength: float
) -> dict[str, Any]:
    """Return an uncalibrated set in the JSON form that `detect.verdict.read_model` takes."""
    mean = np.average(rows, axis=0, weights=weights)
    scale = np.sqrt(np.average((rows - mean) ** 2, axis=0, weights=weights))
    scale = np.where(scale < 1e-6, 1.0, scale)
    standard = np.clip((rows - mean) / scale, -CLIP, CLIP)
    linear = LogisticRegression(C=strength, max_iter=4000).fit(standard, labels, sample_weight=weights)
    return {
        "names": list(names),
        "mean": _short(mean),
        "scale": _short(scale),
        "weights": _short(linear.coef_[0]),
        "intercept": round(float(linear.intercept_[0]), 5),
        "slope": 1.0,
        "offset": 0.0,
        "thresholds": {},
    }


def raw_scores(fitted: dict[str, Any], rows: np.ndarray) -> np.ndarray:
    """Return what `Model.score` gives, for many rows at once."""
    mean, scale, weights = (np.array(fitted[part]) for part in ("mean", "scale", "weights"))
    return np.asarray(np.clip((rows - mean) / scale, -CLIP, CLIP) @ weights + fitted["intercept"])


def platt(scores: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Return slope and offset of the calibration."""
    fitted = LogisticRegression(C=1e6, max_iter=1000).fit(scores.reshape(-1, 1), labels, sample_weight=weights)
    return round(float(fitted.coef_[0, 0]), 5), round(float(fitted.intercept_[0]), 5)


def _short(values: np.ndarray) -> list[float]:
    return [round(float(v), 5) for v in values]
