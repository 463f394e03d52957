"""Change told in words: what was given up (`old`) and what came instead (`new`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .reading import Reading, Token

_MOVES = frozenset(
    """moved moves move moving migrated migrates migrate migrating migration switched switches switch switching
    changed changes change went converted transitioned ported relocated shifted swapped transferred reassigned
    promoted upgraded downgraded raised lowered cut increased reduced extended shortened postponed rescheduled pushed
    renamed umgestellt gewechselt umgezogen migriert verschoben migrado migramos cambiado cambiamos pasado pasamos
    migré migrés migrée passé passés changé déplacé""".split()
)
_REPLACES = frozenset(
    """replaced replaces replace replacing superseded supersedes succeeded swapped traded exchanged substituted
    ersetzt abgelöst reemplazado reemplazada reemplazó sustituido remplacé remplacée remplace""".split()
)
_ENDS = frozenset(
    """dropped drop retired removed sunset decommissioned discontinued abandoned ditched scrapped abolished repealed
    revoked withdrawn cancelled canceled deleted uninstalled archived sold quit stopped ended abandons terminated
    dissolved closed demolished scuttled binned unplugged lifted dismantled resigned left divorced disbanded gone
    abgeschafft entfernt eingestellt gekündigt verkauft eliminado eliminada retirado cancelado vendido vendió abandonado
    supprimé supprimée abandonné abandonnée retiré vendu""".split()
)
_ENDS_TWO = frozenset(
    phrase.strip()
    for phrase in """phased out|shut down|torn down|torn out|thrown out|given up|gave up|got rid|done away|stepped down
    |moved off|migrated off|taken down|switched off|turned off|ripped out|wound down|walked away
    |parted with""".split("|")
)
_BE = frozenset("is are was were be been being gets got wurde wurden worden fue sido est été".split())
_TO = frozenset("to into onto auf zu nach a hacia à vers".split())
_FROM = frozenset("from off von desde de".split())
_WITH = frozenset("by with for durch mit por con par avec".split())
_REACH = 6


class Change(NamedTuple):
    """One change: the verb, what it gave up and what it brought; either may be unknown."""

    verb: tuple[Token, ...]
    old: tuple[Token, ...]
    new: tuple[Token, ...]


@lru_cache(maxsize=4096)
def changes(reading: Reading) -> tuple[Change, ...]:
    """Return the changes that a text tells, in order. Denied ones are left out."""
    return tuple(_changes(reading))


def _changes(reading: Reading) -> Iterator[Change]:
    tokens = reading.tokens
    for i, token in enumerate(tokens):
        if token.kind not in ("word", "cjk"):
            continue
        word = token.text
        pair = f"{word} {tokens[i + 1].text}" if i + 1 < len(tokens) else ""
        if any(t.text in ("not", "never") for t in tokens[max(0, i - 3) : i]):
            continue
        if token.kind == "cjk":
            if change := _chinese(tokens, i):
                yield change
            continue
        if word in _MOVES:
            old = _after(tokens, i, _FROM)
            new = _after(tokens, i, _TO)
            if word == "renamed" and not old:
                old = _before(tokens, i)
            if old or new:
                yield Change((token,), old, new)
        elif word in _REPLACES:
            passive = any(t.text in _BE for t in tokens[max(0, i - 3) : i])
            other = _after(tokens, i, _WITH)
            if passive:
                yield Change((token,), _before(tokens, i), other)
            elif other:
                yield Change((token,), _object(tokens, i, _WITH), other)
            else:
                yield Change((token,), _object(tokens, i, _WITH), _before(tokens, i))
        elif word in _ENDS or pair in _ENDS_TWO:
            last = i + (pair in _ENDS_TWO)
            passive = any(t.text in _BE for t in tokens[max(0, i - 3) : i]) and word not in ("quit", "left")
            thing = (
                _before(tokens, i)
                if passive or word == "gone"
                else _object(tokens, last, frozenset(("for", "in", "by")))
            )
            if thing:
                yield Change(tuple(tokens[i : last + 1]), thing, _after(tokens, last, frozenset(("for",))))


def _chinese(tokens: tuple[Token, ...], i: int) -> Change | None:
    two = tokens[i].text + (tokens[i + 1].text if i + 1 < len(tokens) else "")
    if two in ("改用", "改为", "换成", "迁到"):
        old: list[Token] = []
        for k in range(i - 1, max(-1, i - 12), -1):
            if tokens[k].clause != tokens[i].clause or tokens[k].text in ("从", "由"):
                break
            old.insert(0, tokens[k])
        new = [t for t in tokens[i + 2 : i + 8] if t.clause == tokens[i].clause]
        return Change(tuple(tokens[i : i + 2]), tuple(t for t in old if t.content), tuple(t for t in new if t.content))
    return None


def _phrase(tokens: tuple[Token, ...], start: int, stop: frozenset[str]) -> tuple[Token, ...]:
    found: list[Token] = []
    for k in range(start, min(len(tokens), start + _REACH)):
        word = tokens[k]
        if word.clause != tokens[start].clause or word.text in stop or word.kind == "sign":
            break
        if word.content:
            found.append(word)
        elif found and word.text not in ("of", "the", "a", "and"):
            break
    return tuple(found)


def _after(tokens: tuple[Token, ...], verb: int, openers: frozenset[str]) -> tuple[Token, ...]:
    """Return the phrase after the first of `openers` that follows the verb in its sentence."""
    for k in range(verb + 1, min(len(tokens) - 1, verb + 10)):
        if tokens[k].sentence != tokens[verb].sentence:
            break
        if tokens[k].text in openers:
            return _phrase(tokens, k + 1, _TO | _FROM | _WITH)
    return ()


def _object(tokens: tuple[Token, ...], verb: int, stop: frozenset[str]) -> tuple[Token, ...]:
    start = verb + 1
    while start < len(tokens) and tokens[start].text in (
        "the",
        "a",
        "an",
        "our",
        "its",
        "their",
        "of",
        "out",
        "off",
        "using",
        "on",
    ):
        start += 1
    return (
        _phrase(tokens, start, stop | frozenset(("in", "on", "after", "because", "last", "at")))
        if start < len(tokens)
        else ()
    )


def _before(tokens: tuple[Token, ...], verb: int) -> tuple[Token, ...]:
    """Return the words of meaning before the verb in its clause."""
    found: list[Token] = []
    for k in range(verb - 1, max(-1, verb - 9), -1):
        if tokens[k].clause != tokens[verb].clause:
            break
        if tokens[k].content:
            found.insert(0, tokens[k])
    return tuple(found)
