"""The few memories that a person means by what they type: an id, words as they begin, words that are misspelt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ...text import tokens
from . import Reads

_KNOWN: Final = "SELECT count(*) FROM standing s WHERE s.mid=:mid AND s.from_seq <= :now AND s.to_seq > :now"
_WEIGHED: Final = 400
"""Newest matches among which the best are picked, so that a common word costs no more than a rare one."""
_ALIKE: Final = 74.0
"""Percent from which a known word is taken for the one that was meant."""
_MEANINGS: Final = 4
"""Known words tried for one that is not known."""
_SHORTEST_ID: Final = 4
_SHORTEST_WORD: Final = 4
"""Shorter words are not corrected: everything is like them."""


def find(reads: Reads, text: str, limit: int) -> list[int]:
    """Return the rows of the memories meant by the text, whatever became of them, best first, `limit` at the most."""
    found = dict.fromkeys(_by_id(reads, text, limit))
    words = list(dict.fromkeys(tokens(text)))
    if words:
        found |= dict.fromkeys(_matching(reads, [[word] for word in words]))
        if len(found) < limit and (meant := _meant(reads, words)):
            found |= dict.fromkeys(_matching(reads, meant))
    known = (mid for mid in found if next(iter(reads._rows(_KNOWN, mid=mid)))[0])
    return [mid for mid, _ in zip(known, range(limit), strict=False)]


def _by_id(reads: Reads, text: str, limit: int) -> list[int]:
    bare = text.strip().lower().rpartition("-")[2]
    if len(bare) < _SHORTEST_ID or bare.strip("0123456789abcdef"):
        return []
    rows = reads._rows(
        "SELECT mid FROM memories WHERE digest >= :low AND digest < :high ORDER BY mid DESC LIMIT :limit",
        low=bare,
        high=bare + "g",
        limit=limit,
    )
    return [int(mid) for (mid,) in rows]


def _matching(reads: Reads, wanted: Sequence[Iterable[str]]) -> list[int]:
    """Rows that hold, for each of the wanted, a word that begins with one of its spellings; best first."""
    query = " AND ".join(f"({' OR '.join(_begins(word) for word in spellings)})" for spellings in wanted)
    rows = reads._rows(
        "SELECT rowid, bm25(words) FROM words WHERE words MATCH :query AND rowid <= :now "
        "ORDER BY rowid DESC LIMIT :most",
        query=query,
        most=_WEIGHED,
    )
    return [int(mid) for mid, _ in sorted(rows, key=lambda row: (row[1], -row[0]))]


def _begins(word: str) -> str:
    return '"' + word.replace('"', '""') + '"*'


def _meant(reads: Reads, words: Sequence[str]) -> list[list[str]]:
    """Each word with the known ones it is like; empty where that tells nothing new."""
    from rapidfuzz import fuzz, process  # only who misspells pays for it

    vocabulary = [str(term) for (term,) in reads._rows("SELECT term FROM vocabulary")]
    meant: list[list[str]] = []
    for word in words:
        likely = process.extract(word, vocabulary, scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=_MEANINGS)
        meant.append(
            [word, *(term for term, _, _ in likely if term != word)] if len(word) >= _SHORTEST_WORD else [word]
        )
    return meant if any(len(spellings) > 1 for spellings in meant) else []
