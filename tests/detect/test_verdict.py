"""The calibrated model: its arithmetic, and that the shipped numbers make sense."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tur_engine.detect import verdict
from tur_engine.detect.features import READING, READING_ALONE, STREAM
from tur_engine.detect.verdict import Model, Profile, log_odds, read_model, scales, sigmoid

SMALL = {
    "names": ["near", "clash"],
    "mean": [0.5, 1.0],
    "scale": [0.25, 2.0],
    "weights": [1.0, 3.0],
    "intercept": -2.0,
    "slope": 0.5,
    "offset": 1.0,
    "thresholds": {"quiet": 0.9, "balanced": 0.5, "strict": 0.2, "suspicion": 0.1},
}


@pytest.fixture
def small() -> Model:
    return read_model(SMALL)


def test_score_is_the_weighted_sum_of_standardised_features(small: Model) -> None:
    assert small.score({"near": 0.75, "clash": 2.0}) == pytest.approx(-2.0 + 1.0 * 1.0 + 3.0 * 0.5)
    assert small.probability({"near": 0.75, "clash": 2.0}) == pytest.approx(1 / (1 + math.exp(-(0.5 * 0.5 + 1.0))))


def test_a_feature_far_outside_what_was_seen_speaks_no_louder(small: Model) -> None:
    assert small.score({"near": 0.5, "clash": 1e6}) == small.score({"near": 0.5, "clash": 1.0 + 4 * 2.0})
    assert small.score({"near": -1e6, "clash": 1.0}) == small.score({"near": 0.5 - 4 * 0.25, "clash": 1.0})


def test_a_feature_that_is_not_there_is_an_error(small: Model) -> None:
    with pytest.raises(KeyError, match="clash"):
        small.score({"near": 0.5})


def test_sigmoid_and_log_odds_undo_each_other_and_never_overflow() -> None:
    for x in (-700.0, -12.0, -0.3, 0.0, 2.0, 700.0):
        assert 0 <= sigmoid(x) <= 1
    for p in (0.001, 0.25, 0.5, 0.99):
        assert sigmoid(log_odds(p)) == pytest.approx(p)
    assert math.isfinite(log_odds(0.0))
    assert math.isfinite(log_odds(1.0))


@pytest.mark.parametrize("name", ["full", "alone"])
def test_the_shipped_thresholds_are_in_order(name: str) -> None:
    for paired in (False, True):
        thresholds = scales()[name].thresholds(paired=paired)
        found = [thresholds[step] for step in (*Profile, "suspicion")]
        assert found == sorted(found, reverse=True)
        assert len(set(found)) == 4
        assert found[-1] > 0
        assert found[0] < 1


@pytest.mark.parametrize(("name", "reading"), [("full", READING), ("alone", READING_ALONE)])
def test_the_shipped_numbers_fit_the_features(name: str, reading: tuple[str, ...]) -> None:
    found = scales()[name]
    assert found.reading.names == found.paired.names == reading
    assert found.stream.names == STREAM
    for model in (found.reading, found.stream, found.paired):
        numbers = (*model.mean, *model.scale, *model.weights, model.intercept, model.offset)
        assert all(math.isfinite(x) for x in numbers)
        assert min(model.scale) > 0
        assert model.slope > 0


def test_what_points_to_a_clash_raises_the_probability() -> None:
    full = scales()["full"]
    middle = dict(zip(full.reading.names, full.reading.mean, strict=True)) | {
        name: mean for name, mean in zip(full.stream.names, full.stream.mean, strict=True) if name != "reading"
    }
    base = full.probability(middle)
    said = middle | {"judge_mean": 2.5, "judge_low": 2.5, "judge_high": 2.5}
    assert full.probability(said) > base
    assert full.probability(said | {"cosine": 0.8}) > full.probability(said | {"cosine": 0.3})
    assert full.probability(said, paired=True) == full.probability(said | {"cosine": 0.3}, paired=True)


def test_sentence_length_is_no_feature() -> None:
    assert not [name for name in (*READING, *STREAM) if "length" in name or "tokens" in name]


def test_nothing_of_the_benchmark_was_fitted_on() -> None:
    told = json.loads(Path(verdict.__file__).with_name("coefficients.json").read_text("utf-8"))["fitted_on"]
    assert told["full"]
    assert set(told["full"]) <= set(told["alone"])
    assert not [name for names in told.values() for name in names if name.startswith("dev")]
