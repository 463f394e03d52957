"""Modality: must, must not, may, need not: what one side demands or allows, the other forbids or waives."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ...records import Evidence
from ..context import Scale, context
from ..pair import Pair
from ..reading import Reading, Token

KIND = "modality"
SCALE = Scale(0.4, near=0.5, alone=0.2, bare=0.2, strength=0.2, tight=0.3, apart=-0.5, subject=0.1)

MUST, BAN, MAY, WAIVED = "must", "must not", "may", "need not"
_CLASHES = {
    frozenset((MUST, BAN)), frozenset((MAY, BAN)), frozenset((MUST, WAIVED)), frozenset((MUST, MAY)),
}  # fmt: skip
_SURE = {
    frozenset((MUST, BAN)): 1.0,
    frozenset((MAY, BAN)): 1.0,
    frozenset((MUST, WAIVED)): 0.9,
    frozenset((MUST, MAY)): 0.4,
}
_PHRASES: tuple[tuple[tuple[str, ...], str], ...] = tuple(
    (tuple(phrase.split()), force)
    for force, phrases in (
        (
            BAN,
            """must not|must never|may not|may never|can not|shall not|should not|should never|do not|never
            |is forbidden|are forbidden
            |is banned|are banned|is prohibited|are prohibited|not allowed|not permitted|off limits|is not to
            |are not to|forbidden
            |banned|prohibited|no one may|nobody may|not be allowed|disallowed|is out of bounds|must be avoided|avoid
            |refuse to
            |darf nicht|dürfen nicht|darf kein|verboten|no debe|no deben|no puede|prohibido|ne doit pas
            |ne doivent pas|interdit
            |不 得|禁 止|不 能|不 可|不 允 许""",
        ),
        (
            WAIVED,
            """need not|needs not|do not need|does not need|do not have to|does not have to|not required
            |not necessary|not needed
            |not obliged|not mandatory|not compulsory|optional|is voluntary|are voluntary|voluntary|no need
            |without having to
            |is not a must|not be required|unnecessary|needless|is no requirement|not have to|at your discretion
            |muss nicht|müssen nicht|freiwillig|no es necesario|no hace falta|opcional|pas obligatoire|facultatif|不 必
            |不 需 要|可 选""",
        ),
        (
            MUST,
            """must|has to|have to|is required|are required|required|mandatory|compulsory|obligatory|obliged to
            |requires|require
            |needs|need|shall|is a must|always|is to be|are to be|may only|can only|only allowed|only if|insists on
            |muss|müssen|pflicht|verpflichtend|debe|deben|obligatorio|obligatoria|doit|doivent|obligatoire|必 须|必 需
            |一 定 要""",
        ),
        (
            MAY,
            """may|can|is allowed|are allowed|allowed|allowed to|is permitted|are permitted|permitted|is free to
            |are free to|is fine
            |are fine|is ok|are ok|is okay|welcome to|is acceptable|may also|lets|permits|allows|is possible|accepts
            |darf|dürfen|erlaubt|puede|pueden|permitido|peut|peuvent|autorisé|permis|可 以|允 许""",
        ),
    )
    for phrase in phrases.split("|")
)
_DENIED_AFTER = frozenset("darf dürfen muss müssen".split())
_FIRST: dict[str, list[tuple[tuple[str, ...], str]]] = {}
for _phrase, _force in sorted(_PHRASES, key=lambda item: -len(item[0])):
    _FIRST.setdefault(_phrase[0].strip(), []).append((_phrase, _force))


class Rule(NamedTuple):
    """One modal wording: its force, its tokens, and the stems it rules over (its clause)."""

    force: str
    words: tuple[Token, ...]
    over: frozenset[str]
    then: tuple[str, ...]
    """Stems after the wording, in order: what is demanded or allowed."""


@lru_cache(maxsize=4096)
def modals(reading: Reading) -> tuple[Rule, ...]:
    """Return the modal wordings of a text in order; the longest wording at a place wins."""
    tokens = reading.tokens
    found: list[Rule] = []
    at = 0
    while at < len(tokens):
        for phrase, force in _FIRST.get(tokens[at].text, ()):
            if tuple(t.text for t in tokens[at : at + len(phrase)]) == phrase:
                words = tokens[at : at + len(phrase)]
                found.append(_rule(reading, force, words, at))
                at += len(phrase) - 1
                break
        at += 1
    return tuple(found)


def _rule(reading: Reading, force: str, words: tuple[Token, ...], at: int) -> Rule:
    tokens = reading.tokens
    if force == MUST and words[0].text in ("need", "needs", "must") and _denied(tokens, at):
        force = WAIVED if words[0].text != "must" else BAN
    elif force == MAY and _denied(tokens, at):
        force = BAN
    elif force == MUST and _denied(tokens, at):
        force = WAIVED
    elif force == BAN and words[0].text in ("forbidden", "banned", "prohibited", "disallowed") and _denied(tokens, at):
        force = MAY
    clause = words[0].clause
    over = frozenset(t.stem for t in tokens if t.clause == clause and t.content and t not in words)
    then = tuple(t.stem for t in tokens[at + len(words) :] if t.clause == clause and t.content)
    return Rule(force, words, over, then)


def _denied(tokens: tuple[Token, ...], at: int) -> bool:
    if tokens[at].text in _DENIED_AFTER:
        after = [t.text for t in tokens[at + 1 : at + 8] if t.clause == tokens[at].clause]
        return any(w in ("nicht", "kein", "keine", "keinen") for w in after)
    before = [t for t in tokens[max(0, at - 4) : at] if t.clause == tokens[at].clause]
    return any(
        t.text in ("not", "no", "never", "nobody", "none", "neither", "nicht", "kein", "keine", "no", "pas", "ne", "n")
        for t in before
    )


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the two rules of opposite force that rule over the same words."""
    mine, theirs = modals(pair.a), modals(pair.b)
    best: tuple[float, Rule, Rule] | None = None
    for a in mine:
        for b in theirs:
            if frozenset((a.force, b.force)) not in _CLASHES or not a.over or not b.over:
                continue
            smaller = min(len(a.over), len(b.over))
            cover = len(a.over & b.over) / smaller
            if cover < 0.5:
                continue
            sure = _SURE[frozenset((a.force, b.force))] * cover
            weight = SCALE.weight(context(pair, a.words, b.words, sure))
            if best is None or weight > best[0]:
                best = weight, a, b
    if best is not None and best[0] > 0:
        weight, a, b = best
        yield pair.evidence(
            KIND, weight, f'One side says "{_text(pair.a, a)}", the other "{_text(pair.b, b)}".', a.words, b.words
        )


def _text(reading: Reading, rule: Rule) -> str:
    return reading.text[rule.words[0].start : rule.words[-1].end]
