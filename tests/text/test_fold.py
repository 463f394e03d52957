"""What is matched: case, look-alikes, hidden characters and contractions do not count."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given

from tests.strategies import STEERING, anything, texts
from tur_engine.text import accept, fold


@given(anything)
@example("xn'tn't")
@example("\u1fd3\u2d38\u124b")
@example("\uffa0\u3164")
@example("it's'll can'tn't 'don't'")
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(texts)
def test_storing_does_not_change_the_fold(text: str) -> None:
    assert fold(accept(text)) == fold(text)


def test_every_character_folds_for_good() -> None:
    assigned = [c for c in map(chr, range(0x110000)) if unicodedata.category(c) not in ("Cn", "Co", "Cs", "Lo")]
    folded = {c: fold.__wrapped__(c) for c in assigned}
    assert [hex(ord(c)) for c, once in folded.items() if once != c and fold.__wrapped__(once) != once] == []


@pytest.mark.parametrize("hidden", [*STEERING, "\ufe0f"])
def test_hidden_characters_do_not_count(hidden: str) -> None:
    if hidden not in "\u2028\u2029":
        assert fold(f"po{hidden}rt") == "port"
    else:
        assert fold(f"po{hidden}rt") in ("port", "po rt")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The PORT is  open\n", "the port is open"),
        ("ＰＯＲＴ　８０", "port 80"),
        ("Straße", "STRASSE"),
        ("the p\u043ert", "the port"),  # Cyrillic o
        ("p\u0430yp\u0430l", "paypal"),
        ("\u0391lembic", "alembic"),  # Greek capital Alpha
        ("Alemb\u0456c", "alembic"),
        ("“quoted” – it’s", '"quoted" - it is'),
        ("`x` … ≥ 3", "'x' ... >= 3"),
        ("cafe\u0301", "CAFÉ"),
        ("⚠\ufe0f stop", "⚠ STOP"),
    ],
)
def test_the_same_to_the_matcher(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("сервер", "cepbep"),  # a Cyrillic word is a word of its own
        ("API-сервер", "api-cepbep"),
        ("user_имя", "user_imя"),
        ("10 kΩ", "10 kW"),
        ("C#", "C"),
        ("port 80", "port 8 0"),
        ("can", "can't"),
    ],
)
def test_not_the_same(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("can't", "cannot"),
        ("cant", "cannot"),
        ("won't", "will not"),
        ("shan't", "shall not"),
        ("don’t", "do not"),
        ("dont", "do not"),
        ("isn't", "is not"),
        ("isnt", "is not"),
        ("needn't", "need not"),
        ("let's", "let us"),
        ("I'm", "i am"),
        ("they're", "they are"),
        ("it'll", "it will"),
        ("we've", "we have"),
        ("that's", "that is"),
        ("he'd", "he would"),
        ("'don't'", "'do not'"),
        ("the team's", "the team's"),
        ("wont", "wont"),
        ("confidant", "confidant"),
    ],
)
def test_contractions_are_spelt_out(short: str, full: str) -> None:
    assert fold(short) == full


def test_a_hostile_text_folds_in_good_time() -> None:
    assert fold("xn't" * 2000).endswith("n't")
