"""From a row of features to a probability that two memories cannot both hold.

Logistic models with Platt calibration. All numbers are in `coefficients.json`, fitted by `tools/fit_verdict` on streams
and pairs that the judge was not shown; nothing of the benchmark is in them. One set reads the judge, the other works on
words and symbols alone.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

_FILE = Path(__file__).with_name("coefficients.json")
CLIP = 4.0
"""Standard deviations beyond which a feature speaks no louder."""


class Profile(StrEnum):
    """How readily the gate interrupts."""

    QUIET = "quiet"
    BALANCED = "balanced"
    STRICT = "strict"


class Model(NamedTuple):
    """A fitted set: weights on standardised features, calibration, thresholds (all probabilities)."""

    names: tuple[str, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float
    slope: float
    offset: float
    """Platt: probability = 1 / (1 + exp(-(slope * score + offset)))."""
    thresholds: Mapping[str, float]
    """By profile, and `suspicion`."""

    def score(self, features: Mapping[str, float]) -> float:
        """Return the uncalibrated log-odds."""
        score = self.intercept
        for name, mean, scale, weight in zip(self.names, self.mean, self.scale, self.weights, strict=True):
            score += weight * min(CLIP, max(-CLIP, (features[name] - mean) / scale))
        return score

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the calibrated probability of a clash."""
        return sigmoid(self.slope * self.score(features) + self.offset)


def sigmoid(x: float) -> float:
    """Return 1 / (1 + e^-x) without overflow."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def log_odds(probability: float) -> float:
    """Return ln(p / (1 - p)), the ends kept finite."""
    p = min(1 - 1e-9, max(1e-9, probability))
    return math.log(p / (1 - p))


class Scales(NamedTuple):
    """What a pair is weighed by, for the two places where it turns up.

    In a store `reading` says whether the two texts clash, and `stream` adds how near they are: most pairs that sound
    like a clash are about different matters. A pair that somebody put side by side is about one matter, so `paired`
    reads it without nearness, a clash as likely as not beforehand.
    """

    reading: Model
    stream: Model
    paired: Model

    def probability(self, features: Mapping[str, float], *, paired: bool = False) -> float:
        """Return the calibrated probability of a clash, for a pair put side by side or one of a store."""
        if paired:
            return self.paired.probability(features)
        return self.stream.probability({**features, "reading": self.reading.score(features)})

    def thresholds(self, *, paired: bool = False) -> Mapping[str, float]:
        """Return the thresholds by profile, and `suspicion`."""
        return (self.paired if paired else self.stream).thresholds


@lru_cache(maxsize=1)
def scales() -> dict[str, Scales]:
    """Return the fitted sets: `full` (with the judge), `skimmed` (with the skimmer), `alone` (words and symbols)."""
    found: dict[str, Any] = json.loads(_FILE.read_text("utf-8"))
    return {
        name: Scales(*(read_model(found[name][part]) for part in ("reading", "stream", "paired")))
        for name in ("full", "skimmed", "alone")
        if name in found
    }


@lru_cache(maxsize=1)
def coefficients() -> str:
    """Return the SHA-256 of the fitted numbers."""
    return hashlib.sha256(_FILE.read_bytes()).hexdigest()


def read_model(data: Mapping[str, Any]) -> Model:
    """Build a Model from its JSON form."""
    return Model(
        names=tuple(data["names"]),
        mean=tuple(data["mean"]),
        scale=tuple(data["scale"]),
        weights=tuple(data["weights"]),
        intercept=data["intercept"],
        slope=data["slope"],
        offset=data["offset"],
        thresholds=data["thresholds"],
    )
