"""Fitting text into cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tur_tui.drawing.wrapping import fit, fit_each, fit_end, pad, wrap, wrapped

TEXT = st.text(st.sampled_from("ab c-田中。、é1 ‹› "), max_size=60)


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 100, ["one two three"]),
        ("", 5, [""]),
        ("   ", 5, [""]),
        ("  indented words", 10, ["  indented", "words"]),
        ("abcdefghij kl", 4, ["abcd", "efgh", "ij", "kl"]),
        ("ab abcdefgh", 5, ["ab", "abcde", "fgh"]),
        ("東京にあります。", 8, ["東京にあ", "ります。"]),
        ("東京です。", 8, ["東京で", "す。"]),
        ("a\n\nb", 5, ["a", "", "b"]),
    ],
)
def test_words_stay_whole_where_they_can(text: str, width: int, rows: list[str]) -> None:
    assert wrapped(text, width) == rows


@given(TEXT, st.integers(2, 30))
def test_rows_fit_and_lose_nothing_but_blanks(text: str, width: int) -> None:
    rows = wrap(text, width)
    assert all(cell_len(text[a:b]) <= width for a, b in rows)
    assert [a for a, _ in rows] == sorted(a for a, _ in rows)
    assert "".join(text[a:b] for a, b in rows).replace(" ", "") == text.replace(" ", "")


def test_a_width_of_nothing_is_survived() -> None:
    assert "".join(wrapped("abc", 0)) == "abc"
    assert fit("abc", 0) == fit_end("abc", 0) == pad("abc", 0) == ""


@given(TEXT, st.integers(1, 30))
def test_fit_never_exceeds(text: str, width: int) -> None:
    assert cell_len(fit(text, width)) <= width
    assert cell_len(fit_end(text, width)) <= width
    assert cell_len(pad(text, width)) == width
    assert cell_len(pad(text, width, right=True)) == width


@given(st.lists(TEXT, min_size=1, max_size=6), st.integers(1, 80))
def test_several_texts_share_a_row(texts: list[str], width: int) -> None:
    shown = fit_each(texts, " > ", width)
    assert cell_len(shown) <= width
    if cell_len(whole := " > ".join(texts)) <= width:
        assert shown == whole


def test_what_a_short_text_spares_goes_to_the_others() -> None:
    assert fit_each(("Deploys upgrade the schema", "never", "Every migration is reviewed"), " > ", 41) == (
        "Deploys upgrad… > never > Every migratio…"
    )
    assert fit_each(("Deploys upgrade", "Every migration"), " > ", 12) == "Deploys upg…"


def test_what_is_cut_is_marked() -> None:
    assert fit("migrations", 6) == "migra…"
    assert fit_end("/home/dana/.tur/ledger.db", 12) == "…r/ledger.db"
    assert fit("short", 6) == "short"
