"""A text read once: tokens point into the stored text, whatever was folded on the way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tur_engine.detect.cues import (
    ADDITIVE,
    CONTRAST,
    EXCEPTION,
    NO_EXCEPTION,
    NOW,
    PAST,
    PLAN,
    REPORTED,
    Cue,
    spoken,
)
from tur_engine.detect.pair import merge_spans, read
from tur_engine.detect.reading import _token
from tur_engine.text import accept, fold


def words(text: str) -> list[str]:
    return [t.text for t in read(text).tokens if t.kind != "sign"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Releases aren't signed.", ["releases", "are", "not", "signed"]),
        ("We can't use it", ["we", "can", "not", "use", "it"]),
        ("Port n\u200bot open", ["port", "not", "open"]),
        ("The оrder service", ["the", "order", "service"]),  # a Cyrillic o
        ("C# and C++ in eu-west-1", ["c#", "and", "c++", "in", "eu-west-1"]),
        ("plant-based", ["plant", "based"]),
        ("Priya's yarn.lock", ["priya", "yarn.lock"]),
        ("v2.3.1 on 2024-05-03 at 09:30", ["v2.3.1", "on", "2024-05-03", "at", "09:30"]),
        ("python3.11", ["python", "3.11"]),
        ("超时是30秒", ["超", "时", "是", "30", "秒"]),
    ],
)
def test_words_are_folded_and_whole(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_spans_point_into_the_stored_text() -> None:
    text = "Releases are n\u200bot signed."
    token = next(t for t in read(text).tokens if t.text == "not")
    assert text[token.start : token.end] == "n\u200bot"


def test_sentences_and_clauses_part_at_their_marks() -> None:
    reading = read("The port is 8080, not 9090. Who set it?")
    assert reading.sentence_ends == [".", "?"]
    assert {t.sentence for t in reading.tokens} == {0, 1}
    first, second = (next(t for t in reading.tokens if t.text == number) for number in ("8080", "9090"))
    assert first.clause != second.clause


def test_a_version_does_not_end_a_sentence() -> None:
    assert len(read("Python 3.11 is used in v1.2.3 builds").sentence_ends) == 1


def test_names_are_told_from_sentence_starts() -> None:
    tokens = {t.text: t.name for t in read("Deploys go through Jenkins").tokens}
    assert tokens["jenkins"]
    assert not tokens["deploys"]


@given(st.text(max_size=80))
def test_every_token_lies_inside_the_text(text: str) -> None:
    for token in read(text).tokens:
        assert 0 <= token.start < token.end <= len(text)


@given(st.text(st.sampled_from("abc ’'ntо\u200b\u00ad.,:10½ﬁ漢é"), min_size=1, max_size=30))
def test_stored_words_fold_to_the_tokens(text: str) -> None:
    try:
        stored = accept(text)
    except Exception:  # nothing but blanks and marks: not storable
        return
    for token in read(stored).tokens:
        if token.kind in ("number", "cjk"):
            assert token.text in fold(stored[token.start : token.end])


def test_adjoining_spans_are_joined() -> None:
    assert merge_spans([(0, 3), (4, 7), (12, 15)], "the port of the sea") == ((0, 7), (12, 15))


@given(st.text(st.sampled_from("ab Zz019_'.,:-/~+#*%@{}$<>=!()\n`") | st.characters(max_codepoint=127), max_size=40))
def test_what_is_cut_from_ascii_is_what_the_pattern_of_all_scripts_cuts(text: str) -> None:
    folded = text.lower()
    short, whole = ([(m.span(), m.lastgroup) for m in _token(ascii).finditer(folded)] for ascii in (True, False))
    assert short == whole


@pytest.mark.parametrize("cue", [PLAN, PAST, REPORTED, EXCEPTION, NO_EXCEPTION, ADDITIVE, CONTRAST, NOW])
def test_a_wording_is_found_where_its_pattern_finds_it_and_nowhere_else(cue: Cue) -> None:
    for phrase in (*cue.between_blanks, " the port is 8080 ", " replan together "):
        assert bool(cue.first(read(phrase.strip()))) is bool(cue.pattern.search(spoken(read(phrase.strip()))[0]))
