"""Two stages: the reading (what the texts say) on near pairs, the stream (what a store raises) on all pairs.

Everything that is reported or calibrated is out of fold: no stream is scored by numbers that were fitted on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .learners import fit_set, platt, raw_scores
from .score import Outcome, at_rate, curve, key, outcome
from .table import Row, Table

NEAR_COSINE = 0.4
"""From here on a pair counts as near: what somebody could put side by side."""
RATES = {"quiet": 1.0, "balanced": 3.0, "strict": 6.0}
"""False interruptions per 100 clean learns that each profile allows on the left-out streams."""
SUSPICION = 12.0
"""The same for a mere suspicion, which stops a newcomer only where an axiom or core memory is at stake."""


@dataclass(frozen=True)
class Recipe:
    """What goes into the two stages, and how hard they may fit."""

    reading: tuple[str, ...]
    stream: tuple[str, ...]
    reading_strength: float = 0.1
    stream_strength: float = 0.1
    pair_weight: float = 1.0
    """How much all labelled pairs together weigh in the reading, the near pairs of the streams being 1."""


@dataclass
class Fitted:
    """Both sets in JSON form, and the out-of-fold scores of every row."""

    reading: dict[str, Any]
    stream: dict[str, Any]
    reading_scores: dict[tuple[str, int, int], float]
    stream_scores: dict[tuple[str, int, int], float]


def near(row: Row) -> bool:
    """Tell whether a row could have been put side by side: planted, named by the author, or close."""
    return row.planted or bool(row.relation) or row.features["cosine"] >= NEAR_COSINE


def matrix(rows: Sequence[Row], names: Sequence[str]) -> np.ndarray:
    """Return the rows' features as an array [n, names]."""
    return np.array([[row.features[name] for name in names] for row in rows])


def fit(tables: Sequence[Table], recipe: Recipe) -> Fitted:
    """Fit both stages on all streams; calibrate and set thresholds on scores of streams left out."""
    reading_scores: dict[tuple[str, int, int], float] = {}
    stream_scores: dict[tuple[str, int, int], float] = {}
    for left in tables:
        # The second stage must see readings as unsure as they will be: each stream read by a fit on the others.
        _read(_fit_reading([table for table in tables if table is not left], recipe), left.rows)
        reading_scores |= {key(row): row.features["reading"] for row in left.rows}
    streams = [table for table in tables if not table.paired]
    for left in streams:
        stream = _fit_stream([table for table in streams if table is not left], recipe)
        scores = raw_scores(stream, matrix(left.rows, recipe.stream))
        stream_scores |= {key(row): float(score) for row, score in zip(left.rows, scores, strict=True)}
    reading, stream = _fit_reading(tables, recipe), _fit_stream(streams, recipe)
    _calibrate_reading(reading, tables, reading_scores)
    _calibrate_stream(stream, streams, stream_scores)
    return Fitted(reading, stream, reading_scores, stream_scores)


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


def _fit_reading(tables: Sequence[Table], recipe: Recipe) -> dict[str, Any]:
    streams = [row for table in tables if not table.paired for row in table.rows if near(row)]
    pairs = [row for table in tables if table.paired for row in table.rows]
    rows = streams + pairs
    labels = np.array([row.planted for row in rows], dtype=int)
    weights = balanced(labels[: len(streams)])
    if pairs:
        share = balanced(labels[len(streams) :]) * recipe.pair_weight * len(streams) / len(pairs)
        weights = np.concatenate([weights, share])
    # As many rows in all as there are planted ones twice over: the strength of the fit then means the same at any size.
    weights *= 2 * labels.sum() / weights.sum()
    return fit_set(
        matrix(rows, recipe.reading),
        labels,
        weights,
        recipe.reading,
        strength=recipe.reading_strength,
    )


def balanced(labels: np.ndarray) -> np.ndarray:
    """Return weights that make both classes weigh the same, 1 on average."""
    positive = labels.sum()
    weights = np.where(labels == 1, (len(labels) - positive) / max(1, positive), 1.0)
    return weights / weights.mean()


def _read(reading: dict[str, Any], rows: Sequence[Row]) -> None:
    for row, score in zip(rows, raw_scores(reading, matrix(rows, reading["names"])), strict=True):
        row.features["reading"] = float(score)


def _calibrate_reading(
    reading: dict[str, Any], tables: Sequence[Table], scores: dict[tuple[str, int, int], float]
) -> None:
    """Calibrate on the labelled pairs, both classes alike; on the streams' near pairs where there are none."""
    rows = [row for table in tables if table.paired for row in table.rows]
    rows = rows or [row for table in tables for row in table.rows if near(row)]
    said = np.array([scores[key(row)] for row in rows])
    labels = np.array([row.planted for row in rows], dtype=int)
    reading["slope"], reading["offset"] = platt(said, labels, balanced(labels))
    reading["thresholds"] = {"quiet": 0.75, "balanced": 0.5, "strict": 0.3, "suspicion": 0.15}


def _calibrate_stream(
    stream: dict[str, Any], tables: Sequence[Table], scores: dict[tuple[str, int, int], float]
) -> None:
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
