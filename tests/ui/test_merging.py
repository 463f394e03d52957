"""What the merge editor opens with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tur_tui.desk.merging import MOST_SENTENCES, plain, sentences, starting_text


@pytest.mark.parametrize(
    ("old", "new", "text", "selected"),
    [
        (
            "Migrations run via Alembic",
            "Migrations run via Prisma Migrate",
            "Migrations run via Alembic / Prisma Migrate",
            "Alembic / Prisma Migrate",
        ),
        ("Tokens expire after 15 minutes", "Tokens expire after 24 hours", None, "15 minutes / 24 hours"),
        ("We never deploy on Friday", "We deploy on Friday", "We never deploy on Friday", " never"),
        ("The port is 5432", "The port is 5432", "The port is 5432", ""),
        ("apples", "The dashboard needs a login", "apples\nThe dashboard needs a login", None),
        ("one\ntwo", "one\nthree", "one\ntwo\none\nthree", None),
    ],
)
def test_starting_text(old: str, new: str, text: str | None, selected: str | None) -> None:
    made = starting_text(old, new)
    if text is not None:
        assert made.text == text
    if selected is not None:
        assert made.text[made.start : made.end] == selected


def test_hidden_characters_are_left_out_and_counted() -> None:
    made = starting_text("pay\u202eload is\u200b small", "payload is big")
    assert "\u202e" not in made.text
    assert "\u200b" not in made.text
    assert made.dropped == 2


def test_repeated_words_take_no_time() -> None:
    """Worked through word by word this would take minutes."""
    assert starting_text("a " * 4000, "a b " * 2000).text


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_selection_lies_in_the_text_and_nothing_hidden_is_left(old: str, new: str) -> None:
    made = starting_text(old, new)
    assert 0 <= made.start <= made.end <= len(made.text)
    assert plain(made.text) == made.text


def test_sentences() -> None:
    assert sentences("One alone.") == []
    assert sentences("Tea is 1.5 l. Milk\n- - -\nis white!  ") == ["Tea is 1.5 l.", "Milk", "is white!"]
    assert sentences("茶是绿色的。水是热的。") == ["茶是绿色的。", "水是热的。"]
    assert len(sentences("A b. " * 99)) == MOST_SENTENCES
