"""Three models: the reading (what two texts say), the stream (what a store raises), the paired (side by side).

Everything that is reported or calibrated is out of fold: no stream and no pair is scored by numbers fitted on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .learners import fit_set, platt, raw_scores
from .score import Outcome, at_rate, curve, key, outcome
from .table import Row, Table

Scores = dict[tuple[str, int, int], float]

NEAR_COSINE = 0.4
"""From here on a pair counts as near: what somebody could put side by side."""
STORE = {"stream": 1.0, "pairs": 1.0}
PAIRED = {"stream": 0.5, "pairs": 1.0, "hard": 0.8}
"""How much each group weighs in a reading, both classes of a group alike; chosen by streams and pairs left out."""
RATES = {"quiet": 1.0, "balanced": 3.0, "strict": 6.0}
"""False interruptions per 100 clean learns that each profile allows on the left-out streams."""
PAIR_THRESHOLDS = {"quiet": 0.75, "balanced": 0.5, "strict": 0.3, "suspicion": 0.15}
SUSPICION = 12.0
"""The same for a mere suspicion, which stops a newcomer only where an axiom or core memory is at stake."""


@dataclass(frozen=True)
class Recipe:
    """Which features the models see, and how hard they may fit."""

    reading: tuple[str, ...]
    stream: tuple[str, ...]
    reading_strength: float = 0.1
    paired_strength: float = 0.05
    stream_strength: float = 0.1


@dataclass
class Fitted:
    """The models in JSON form, and the out-of-fold scores of the streams."""

    reading: dict[str, Any]
    stream: dict[str, Any]
    paired: dict[str, Any]
    stream_scores: Scores

    def models(self) -> dict[str, Any]:
        """Return what `detect.verdict` reads."""
        return {"reading": self.reading, "stream": self.stream, "paired": self.paired}


def near(row: Row) -> bool:
    """Tell whether a row could have been put side by side: planted, named by the author, or close."""
    return row.planted or bool(row.relation) or row.features["cosine"] >= NEAR_COSINE


def matrix(rows: Sequence[Row], names: Sequence[str]) -> np.ndarray:
    """Return the rows' features as an array [n, names]."""
    return np.array([[row.features[name] for name in names] for row in rows])


def fit(tables: Sequence[Table], recipe: Recipe) -> Fitted:
    """Fit all three on all tables; calibrate and set thresholds on scores of tables left out."""
    reading, reading_scores = _cross_fit(tables, recipe.reading, STORE, recipe.reading_strength)
    paired, paired_scores = _cross_fit(tables, recipe.reading, PAIRED, recipe.paired_strength)
    # The stream must see readings as unsure as they will be: each table read by a fit on the others.
    for table in tables:
        for row in table.rows:
            row.features["reading"] = reading_scores[key(row)]
    streams = [table for table in tables if not table.paired]
    stream_scores: Scores = {}
    for left in streams:
        stream_scores |= _scores(_fit_stream([table for table in streams if table is not left], recipe), left.rows)
    stream = _fit_stream(streams, recipe)
    _calibrate_paired(paired, tables, paired_scores)
    _calibrate_stream(stream, streams, stream_scores)
    return Fitted(reading, stream, paired, stream_scores)


def _cross_fit(
    tables: Sequence[Table], names: Sequence[str], shares: Mapping[str, float], strength: float
) -> tuple[dict[str, Any], Scores]:
    scores: Scores = {}
    for left in tables:
        rest = [table for table in tables if table is not left]
        scores |= _scores(_fit_reading(rest, names, shares, strength), left.rows)
    return _fit_reading(tables, names, shares, strength), scores


def _scores(fitted: dict[str, Any], rows: Sequence[Row]) -> Scores:
    scores = raw_scores(fitted, matrix(rows, fitted["names"]))
    return {key(row): float(score) for row, score in zip(rows, scores, strict=True)}


def _fit_stream(tables: Sequence[Table], recipe: Recipe) -> dict[str, Any]:
    rows = [row for table in tables for row in table.rows]
    labels = np.array([row.planted for row in rows], dtype=int)
    return fit_set(
        matrix(rows, recipe.stream),
        labels,
        np.ones(len(rows)),
        recipe.stream,
        strength=recipe.stream_strength,
    )


def _fit_reading(
    tables: Sequence[Table], names: Sequence[str], shares: Mapping[str, float], strength: float
) -> dict[str, Any]:
    rows: list[Row] = []
    parts: list[np.ndarray] = []
    for group, share in shares.items():
        found = [row for table in tables if table.group == group for row in table.rows if table.paired or near(row)]
        if found:
            weights = balanced(np.array([row.planted for row in found], dtype=int))
            rows, parts = rows + found, [*parts, share * weights / weights.sum()]
    labels = np.array([row.planted for row in rows], dtype=int)
    weights = np.concatenate(parts)
    # As many rows in all as there are planted ones twice over: the strength of the fit then means the same at any size.
    weights *= 2 * labels.sum() / weights.sum()
    return fit_set(matrix(rows, names), labels, weights, names, strength=strength)


def balanced(labels: np.ndarray) -> np.ndarray:
    """Return weights that make both classes weigh the same, 1 on average."""
    positive = labels.sum()
    weights = np.where(labels == 1, (len(labels) - positive) / max(1, positive), 1.0)
    return weights / weights.mean()


def _calibrate_paired(paired: dict[str, Any], tables: Sequence[Table], scores: Scores) -> None:
    """Calibrate on the group `pairs`, both classes alike; `hard` was written against the judge: no fair sample."""
    rows = [row for table in tables if table.group == "pairs" for row in table.rows]
    said = np.array([scores[key(row)] for row in rows])
    labels = np.array([row.planted for row in rows], dtype=int)
    paired["slope"], paired["offset"] = platt(said, labels, balanced(labels))
    paired["thresholds"] = dict(PAIR_THRESHOLDS)


def _calibrate_stream(stream: dict[str, Any], tables: Sequence[Table], scores: Scores) -> None:
    rows = [row for table in tables for row in table.rows]
    said = np.array([scores[key(row)] for row in rows])
    labels = np.array([row.planted for row in rows], dtype=int)
    slope, offset = platt(said, labels, np.ones(len(rows)))
    stream["slope"], stream["offset"] = slope, offset
    points = curve(tables, scores)
    cuts = {name: at_rate(points, rate)[0] for name, rate in RATES.items()}
    cuts["suspicion"] = min(score for score, found in points if found.per_100 <= SUSPICION)
    stream["thresholds"] = {
        name: round(float(1 / (1 + np.exp(-(slope * cut + offset)))), 4) for name, cut in cuts.items()
    }


def left_out(fitted: Fitted, tables: Sequence[Table]) -> dict[str, Outcome]:
    """Return what each threshold gives on the left-out streams."""
    slope, offset = fitted.stream["slope"], fitted.stream["offset"]
    return {
        name: outcome(tables, fitted.stream_scores, (np.log(p / (1 - p)) - offset) / slope)
        for name, p in fitted.stream["thresholds"].items()
    }
