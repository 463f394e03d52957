"""Antonyms from WordNet and a list of technical ones; an opposite that is denied agrees."""

from __future__ import annotations

from importlib.resources import files

import pytest

from tests.detect.sides import evidence, weight
from tur_engine.detect.evidence.antonym import opposites
from tur_engine.detect.lists import lines


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Log compaction is enabled on orders.events.", "Log compaction on orders.events is disabled."),
        ("Checkpoints are written synchronously.", "Checkpoints are written asynchronously."),
        ("The config object is mutable.", "The config object is immutable."),
        ("The archive bucket is public.", "The archive bucket is private."),
        ("The store is read-only.", "The store is writable."),
        ("The user likes coriander.", "The user hates coriander."),
        ("I enjoy coriander.", "I can't stand coriander."),
        ("Der Cache ist aktiviert.", "Der Cache ist deaktiviert."),
        ("La caché está activada.", "La caché está desactivada."),
        ("Le cache est activé.", "Le cache est désactivé."),
        ("缓存启用。", "缓存禁用。"),
    ],
)
def test_opposites_clash(old: str, new: str) -> None:
    assert weight(old, new, "antonym") > 0.3
    assert weight(new, old, "antonym") == weight(old, new, "antonym")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The bucket is public.", "The bucket is not private."),  # denied: they agree
        ("The door is open.", "The door is open and the window closed."),  # said on both sides
        ("Sending a receipt is synchronous.", "The thumbnail job runs while nobody waits."),
        ("The new shop sells bread.", "The old shop sells bread."),  # tells subjects apart, not values
    ],
)
def test_no_opposites_no_clash(old: str, new: str) -> None:
    assert weight(old, new, "antonym") == 0


def test_an_opposite_denied_is_counted_as_agreement() -> None:
    assert weight("The bucket is public.", "The bucket is not private.", "equivalent") < 0


def test_both_words_are_named() -> None:
    found = evidence("The flag is enabled.", "The flag is disabled.", "antonym")
    assert found is not None
    assert (found.incumbent_words, found.challenger_words) == ("enabled", "disabled")
    assert found.sentence == '"enabled" and "disabled" are opposites.'


def test_the_table_is_symmetric_and_no_word_is_its_own_opposite() -> None:
    words = [line.split()[0] for line in lines("opposites.txt")]
    assert len(words) > 2000
    for word in words:
        assert word not in opposites(word)
        assert all(word in opposites(other) for other in opposites(word))


@pytest.mark.parametrize("word", ["", " ", "gateway", "enable", "zzz", "￿", "a b"])
def test_what_has_no_opposite_has_none(word: str) -> None:
    assert bool(opposites(word)) is (word == "enable")


@pytest.mark.parametrize("name", ["antonyms.txt", "kinds.txt", "verbs.txt", "opposites.txt", "verb_stems.txt"])
def test_wordnet_lists_carry_their_licence(name: str) -> None:
    head = (files("tur_engine.detect.evidence") / name).read_text(encoding="utf-8").splitlines()[:4]
    assert any("Princeton University" in line for line in head)
