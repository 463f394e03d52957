"""What a newcomer is looked for by: the wordings of its slots, and which texts the nets keep."""

from __future__ import annotations

import pytest

from tur_engine.detect.nets import nets

KEPT = [
    ("The family moved to Graz.", "The user lives in Leuven."),
    ("They settled in Graz last year.", "The user lives in Leuven."),
    ("Ilse works at Vega.", "Ilse is employed by Lyra."),
    ("They bought a used estate car.", "The family does not own a car."),
    ("The user gave up coffee.", "Mornings start with a cortado."),
    ("The user has a spaniel.", "The user has no pets."),
    ("The user wants lessons at nine.", "Lessons should be in the afternoon."),
    ("Odile maintains sextant.", "sextant's maintainer is Bram."),
]
THROWN_BACK = [
    ("The family moved to Graz.", "Ilse lives in Leuven."),
    ("The family moved to Graz.", "The user lives in Graz."),
    ("The family moved to Notion.", "The user lives in Leuven."),
    ("The user gave up coffee.", "Mornings start with a cup of cocoa."),
    ("The user wants lessons at nine.", "The shop opens in the afternoon."),
    ("Ilse works at Vega.", "Noor is employed by Lyra."),
]


def fit(newcomer: str, text: str) -> float:
    return max((net.fit(text) for net in nets(newcomer)), default=0.0)


def holds(text: str, phrases: tuple[str, ...]) -> bool:
    line = f" {text.lower().removesuffix('.').replace('.', ' ')} "
    return not phrases or any(f" {phrase} " in line.replace("'s ", " ") for phrase in phrases)


@pytest.mark.parametrize(("newcomer", "incumbent"), KEPT)
def test_a_net_asks_for_the_incumbent_and_keeps_it(newcomer: str, incumbent: str) -> None:
    asked = [net for net in nets(newcomer) if holds(incumbent, net.phrases) and holds(incumbent, net.about)]
    assert max(net.fit(incumbent) for net in asked) > 0


@pytest.mark.parametrize(("newcomer", "other"), THROWN_BACK)
def test_what_is_of_others_or_says_the_same_is_thrown_back(newcomer: str, other: str) -> None:
    assert fit(newcomer, other) == 0


def test_a_text_without_a_slot_casts_none() -> None:
    assert nets("Plums ripen slowly.") == ()


def test_a_long_text_casts_few() -> None:
    text = " ".join(f"Ana{n} lives in Ghent{n}." for n in range(40))
    assert len(nets(text)) == 6
