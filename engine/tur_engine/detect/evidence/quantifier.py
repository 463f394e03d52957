"""Quantifier: all, none, only, every, at most against a counter-case. A counter-case stated as an exception is none."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ...records import Evidence
from ..clause import subject
from ..context import Scale, context, subjects
from ..cues import EXCEPTION, NO_EXCEPTION
from ..pair import Pair
from ..polarity import denied, negations
from ..reading import Reading, Token
from .negation import effective

KIND = "quantifier"
SCALE = Scale(0.3, near=0.4, bare=-0.2, strength=0.4, tight=0.1, subject=0.3)

ALL, NONE, ONLY, SOME, MOST, FEW = "all", "none", "only", "some", "most", "few"
_WORDS = {
    word: kind
    for kind, words in (
        (ALL, """all every each always everyone everybody everything any both whole entire entirely fully completely
        throughout wherever whenever whoever anyone anybody anything alle jeder jede jedes immer todos todas cada
        siempre tous toutes chaque toujours 所 每 都 全"""),
        (NONE, """no none never nobody nothing neither nowhere zero kein keine niemand nie nunca ningún ninguna nadie
        aucun aucune jamais personne"""),
        (ONLY, """only solely exclusively just alone sole nur ausschliesslich solo sólo solamente únicamente seulement
               uniquement 只 仅"""),
        (SOME, """some several sometimes occasionally partly partially half certain various one two three four five
        manchmal einige algunos algunas algunas veces quelques parfois 有些 一些"""),
        (MOST, "most mostly majority usually often largely mainly many meist meistens mayoría plupart 大多"),
        (FEW, "few rarely seldom hardly scarcely minority little wenige selten pocos pocas peu rarement"),
    )
    for word in words.split()
}  # fmt: skip
_CLASHES: dict[frozenset[str], float] = {
    frozenset((ALL, NONE)): 0.35,
    frozenset((ALL, SOME)): 0.5,
    frozenset((ALL, FEW)): 0.6,
    frozenset((ALL, MOST)): 1.0,
    frozenset((ALL, ONLY)): 0.8,
    frozenset((NONE, SOME)): 0.5,
    frozenset((NONE, MOST)): 0.6,
    frozenset((MOST, FEW)): 0.6,
    frozenset((ONLY, SOME)): 0.5,
    frozenset((ONLY, MOST)): 0.6,
}
"""How surely two quantifiers over the same words clash, measured on the training pairs."""
_BARE = {ALL: 0.5, NONE: 0.5, ONLY: 0.9}
"""A rule for all on one side, a plain statement on the other."""

_NO_EXCEPTION, _ONE_MATTER = 1.8, 0.3
"""An exception on one side, none allowed of on the other; they share at least so much of their words."""


class Quantifier(NamedTuple):
    """A quantifier, what it counts, and the stems of its clause."""

    force: str
    word: Token
    counted: tuple[Token, ...]
    over: frozenset[str]


@lru_cache(maxsize=4096)
def quantifiers(reading: Reading) -> tuple[Quantifier, ...]:
    """Return the quantifiers of a text in order."""
    tokens = reading.tokens
    found: list[Quantifier] = []
    cues = {n.cue for n in negations(reading)}
    standing = {n.cue for n in effective(reading)}
    for k, token in enumerate(tokens):
        force = _WORDS.get(token.text)
        if force is None or token.kind not in ("word", "cjk"):
            continue
        before = tokens[k - 1].text if k else ""
        if (
            token.text in ("no", "any")
            and k + 1 < len(tokens)
            and tokens[k + 1].text in ("more", "longer", "later", "less", "fewer")
        ):
            continue
        if token.text == "just" and (k + 1 >= len(tokens) or tokens[k + 1].text in ("like", "as", "because")):
            continue
        if force == NONE and k in cues and k not in standing:
            force = ALL  # no oven that is not electric
        if before in ("not", "nicht", "no", "pas") and force == ALL:
            force = SOME if token.text not in ("any", "anyone", "anybody", "anything") else NONE
        if before in ("not", "nicht", "no", "pas") and force == ONLY:
            continue
        if before in ("at", "the") and token.text in ("most",):
            continue
        counted = [t for t in tokens[k + 1 : k + 4] if t.clause == token.clause and t.content][:2]
        over = frozenset(t.stem for t in tokens if t.clause == token.clause and t.content)
        found.append(Quantifier(force, token, tuple(counted), over))
    return tuple(found)


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the best supported clash of quantifiers, or of a rule for all with a counter-case."""
    best: tuple[float, Token | None, Token | None] | None = None
    mine, theirs = quantifiers(pair.a), quantifiers(pair.b)
    for a in mine:
        for b in theirs:
            sure = _CLASHES.get(frozenset((a.force, b.force)))
            if sure is None or a.word.text == b.word.text:
                continue
            denials = bool(denied(pair.a) & a.over), bool(denied(pair.b) & b.over)
            if {a.force, b.force} == {ALL, NONE} and all(denials):
                continue  # "every oven is electric", "no oven is not electric"
            cover = _cover(a.over, b.over)
            if cover < 0.4:
                continue
            weight = SCALE.weight(context(pair, (a.word,), (b.word,), sure * cover))
            if best is None or weight > best[0]:
                best = weight, a.word, b.word
    for own, other, flipped in ((mine, pair.b, False), (theirs, pair.a, True)):
        if quantifiers(other):
            continue
        for rule in own:
            if rule.force not in _BARE:
                continue
            cover = len(rule.over & other.stems) / len(rule.over) if rule.over else 0.0
            if cover < 0.5 or not other.words:
                continue
            left = next((t for t in other.words if t.stem not in rule.over), None)
            if left is None and rule.force == ALL:
                continue  # "deploys need approval", "all deploys always need approval": no single case is named
            left = left or other.words[0]
            a_word, b_word = (left, rule.word) if flipped else (rule.word, left)
            weight = SCALE.weight(context(pair, (a_word,), (b_word,), _BARE[rule.force] * cover))
            if best is None or weight > best[0]:
                best = (weight, None, rule.word) if flipped else (weight, rule.word, None)
    for excepts, other, by_challenger in ((pair.a, pair.b, False), (pair.b, pair.a, True)):
        case, general = EXCEPTION.first(excepts), NO_EXCEPTION.first(other)
        if not case or not general or NO_EXCEPTION.first(excepts) or (best is not None and best[0] >= _NO_EXCEPTION):
            continue
        if _one_matter(pair, case, general, by_challenger):
            best = (_NO_EXCEPTION, general[-1], case[0]) if by_challenger else (_NO_EXCEPTION, case[0], general[-1])
    if best is None or best[0] <= 0:
        return
    weight, a_found, b_found = best
    old = f'"{a_found.text}"' if a_found else "a single case"
    new = f'"{b_found.text}"' if b_found else "a single case"
    yield pair.evidence(
        KIND,
        weight,
        f"How many does it hold for? {old} against {new}.",
        [a_found] if a_found else [],
        [b_found] if b_found else [],
    )


def _one_matter(pair: Pair, case: tuple[Token, ...], rule: tuple[Token, ...], flipped: bool) -> bool:
    """True where the two share enough, and neither has a subject of its own; one with no verb known has none."""
    mine, theirs = (rule, case) if flipped else (case, rule)
    sentences = (pair.a, mine[0].sentence), (pair.b, theirs[0].sentence)
    known = all(len(subject(side, at)) < len(side.by_sentence.get(at, ())) for side, at in sentences)
    return pair.overlap >= _ONE_MATTER and not (known and subjects(pair, sentences[0][1], sentences[1][1]) < 0)


def _cover(one: frozenset[str], other: frozenset[str]) -> float:
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0
