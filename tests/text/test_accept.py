"""What may be stored: NFC, LF, no control characters, no surrogates, not empty, not too long."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given

from tests.strategies import CONTROLS, STEERING, anything, is_accepted, texts
from tur_engine.errors import BadInput
from tur_engine.text import MAX_CHARS, accept


@given(texts)
def test_what_is_stored_is_stored_again_unchanged(text: str) -> None:
    stored = accept(text)
    assert accept(stored) == stored
    assert unicodedata.is_normalized("NFC", stored)
    assert "\r" not in stored
    assert 1 <= len(stored) <= MAX_CHARS


@given(anything)
def test_any_string_is_stored_or_refused_in_one_sentence(text: str) -> None:
    if is_accepted(text):
        stored = accept(text, "reason")
        assert stored.strip()
        assert not set(stored) & {*CONTROLS, "\r"}
        stored.encode("utf-8")
        return
    with pytest.raises(BadInput) as refusal:
        accept(text, "reason")
    assert str(refusal.value).startswith("reason ")
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
def test_line_ends_become_newlines(ending: str) -> None:
    assert accept(f"one{ending}two\tthree") == "one\ntwo\tthree"


def test_letters_are_composed_and_nothing_else_is_changed() -> None:
    assert accept("Cafe\u0301  \ufb01 Ⅳ ") == "Caf\u00e9  \ufb01 Ⅳ "


@pytest.mark.parametrize("character", STEERING)
def test_hidden_characters_stay_as_they_are(character: str) -> None:
    assert accept(f"a{character}b") == f"a{character}b"


def test_markup_stays_as_it_is() -> None:
    assert accept("[/b][red]x[/] \\[y]") == "[/b][red]x[/] \\[y]"


@pytest.mark.parametrize("character", CONTROLS)
def test_control_characters_are_refused_with_their_place(character: str) -> None:
    with pytest.raises(BadInput, match=rf"control character \(U\+{ord(character):04X}\) at character 3;"):
        accept(f"ab{character}c")


@pytest.mark.parametrize("text", ["\x1b]0;x\x07", "safe\x9b31m"])
def test_terminal_sequences_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="only newline and tab are allowed"):
        accept(text)


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb"])
def test_a_lone_surrogate_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"lone surrogate \(U\+D[89A-F][0-9A-F]{2}\) at character \d; send valid UTF-8"):
        accept(text)


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u200b", " \u200b\u202e ", "\u3164", "\ufe0f", "\u00a0\u2003"])
def test_what_shows_nothing_is_empty(text: str) -> None:
    with pytest.raises(BadInput, match="content is empty; say in a sentence what is to be remembered"):
        accept(text)
    with pytest.raises(BadInput, match=r"^tag is empty$"):
        accept(text, "tag")


def test_the_limit_counts_composed_characters() -> None:
    assert len(accept("e\u0301" * MAX_CHARS)) == MAX_CHARS
    with pytest.raises(BadInput, match="content has 8,193 characters; at most 8,192 fit, split it"):
        accept("x" * (MAX_CHARS + 1))
    with pytest.raises(BadInput, match="content has 100,000 characters"):
        accept("x" * 100_000)


@pytest.mark.parametrize("value", [None, 5, b"bytes", ["a"]])
def test_only_text_is_text(value: object) -> None:
    with pytest.raises(BadInput, match=f"note must be text, not {type(value).__name__}"):
        accept(value, "note")  # type: ignore[arg-type]


def test_the_shared_strategy_covers_hidden_characters() -> None:
    assert all(is_accepted(f"a{character}") for character in STEERING)
    assert not any(is_accepted(f"a{character}") for character in CONTROLS)
