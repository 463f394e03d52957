"""What people are shown: nothing that hides, reorders or steers a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import anything
from tur_engine.text import excerpt, visible

PREPENDED = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Format characters that have a shape of their own (Unicode, Prepended_Concatenation_Mark)."""

INVISIBLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0} | {
    code
    for start, end in [(0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0xFFF0, 0xFFF8)]
    for code in range(start, end + 1)
}
"""Default-ignorable characters that are no format characters by category."""


def unfit(shown: str) -> list[str]:
    """Characters that must not reach a screen."""
    return [
        f"U+{ord(c):04X}"
        for c in shown
        if c != "\n"
        and (
            (unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and ord(c) not in PREPENDED)
            or ord(c) in INVISIBLE
        )
    ]


def test_no_character_at_all_gets_through() -> None:
    assert unfit(visible("".join(map(chr, range(0x110000))))) == []


@given(anything)
def test_no_text_gets_through(text: str) -> None:
    assert unfit(visible(text)) == []
    line = visible(text, newlines=False)
    assert unfit(line) == []
    assert "\n" not in line
    assert line == line.strip()


@given(anything)
def test_showing_twice_changes_nothing(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(st.text(st.characters(exclude_characters="\r")))
def test_each_character_is_shown_by_itself(text: str) -> None:
    """Word spans of the stored text can be carried over: that is what the side-by-side diff does."""
    assert visible(text) == "".join(map(visible, text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a‹RLO›b"),
        ("a\u200bb\ufeff", "a‹ZWSP›b‹BOM›"),
        ("\x1b[31mred", "‹U+001B›[31mred"),
        ("\x07\x9b", "‹U+0007›‹U+009B›"),
        ("\ud800", "‹U+D800›"),
        ("\u2028", "‹LS›"),
        ("\U000e0041\U000e0100", "‹TAG›‹VS17›"),
        ("\U0001d173", "‹U+1D173›"),
        ("[/b]", "[/b]"),
        ("⚠\ufe0f now", "⚠ now"),
        ("x\ufe00", "x‹VS1›"),
        ("naïve 漢字 ✓", "naïve 漢字 ✓"),
    ],
)
def test_marks(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_lines_and_tabs() -> None:
    assert visible("a\r\nb\rc\td") == "a\nb\nc    d"
    assert visible(" a\r\nb \t c\x0b", newlines=False) == "a b c"


def test_an_excerpt_is_one_line_of_at_most_so_many_characters() -> None:
    assert excerpt("short\ntext", 20) == "short text"
    assert excerpt("one two three", 8) == "one two…"
    assert excerpt("\u202e" * 10, 6) == "‹RLO›…"


@given(anything, st.integers(min_value=2, max_value=40))
def test_excerpts_fit(text: str, width: int) -> None:
    shown = excerpt(text, width)
    assert len(shown) <= width
    assert unfit(shown) == []
