"""What full-text search holds: names with signs stay whole, scripts without blanks go in pairs."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import anything, texts
from tur_engine.ledger import schema
from tur_engine.ledger.connection import load_extension
from tur_engine.text import _CONTRACTIONS, _token, fold, tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We use C#, C++ and F#.", ["we", "use", "c#", "c++", "and", "f#"]),
        ("Python 3.11, at 09:30, 10,000 times", ["python", "3.11", "at", "09:30", "10,000", "times"]),
        ("k8s on port 5432", ["k8s", "on", "port", "5432"]),
        ("snake_case and kebab-case", ["snake", "case", "and", "kebab", "case"]),
        ("don't", ["do", "not"]),
        ("the team's repo", ["the", "team's", "repo"]),
        ("使用Python開発", ["使用", "python", "開発"]),
        ("データベース・サーバー", ["デー", "ータ", "タベ", "ベー", "ース", "サー", "ーバ", "バー"]),
        ("猫", ["猫"]),
        ("서버 포트", ["서버", "포트"]),
        ("p\u043ert\u200b", ["port"]),
        ("!!! ---", []),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert tokens(text) == words


@given(anything)
def test_words_are_words_of_the_folded_text(text: str) -> None:
    folded = fold(text)
    for word in tokens(text):
        assert word in folded
        assert not set(word) & set(' \n\t"')


@given(texts)
def test_the_index_keeps_every_word_whole(text: str) -> None:
    """What is searched for is what was stored: FTS5 cuts our words no further."""
    db = apsw.Connection(":memory:")
    load_extension(db)
    db.execute(schema.SEARCH)
    words = tokens(text)
    db.execute("INSERT INTO words(rowid, tokens) VALUES(1, ?)", (" ".join(words),))
    kept = [term for (term,) in db.execute("SELECT term FROM places ORDER BY offset")]
    db.close()
    assert kept == words


@given(st.text(st.characters(max_codepoint=127)) | texts)
def test_the_quick_way_for_plain_texts_finds_the_same_words(text: str) -> None:
    folded = fold(text)
    if folded.isascii():
        assert tokens(text) == [found.group() for found in _token().finditer(folded)]


SHORT = "don't wont dont isnt it's shan't i'm we'd can't let's tint cant they're he'll i've won't aren't".split()


@given(st.lists(st.sampled_from(SHORT)))
def test_looking_first_folds_as_trying_everything_does(words: list[str]) -> None:
    text = " ".join(words)
    tried = text
    for _, pattern, full in _CONTRACTIONS:
        tried = pattern.sub(full, tried)
    assert fold(text) == " ".join(tried.split())
