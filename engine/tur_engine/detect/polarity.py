"""What a text denies: negation cues and the words they reach, in five languages."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from .reading import Reading, Token

_ENGLISH = frozenset(
    "not never none nobody nothing nowhere neither nor without cannot no hardly scarcely noone".split()
)
_GERMAN = frozenset("nicht nie niemals niemand nichts kein keine keinen keinem keiner keines ohne nirgends".split())
_SPANISH = frozenset("nunca jamás ningún ninguna ninguno nadie nada sin tampoco".split())
_FRENCH = frozenset("pas jamais aucun aucune rien personne sans ni".split())
_CHINESE = frozenset("不没沒無无未勿莫")
_FRENCH_BEFORE = frozenset("n ne".split())
_SET_ASIDE = frozenset((
    ("rather", "than"), ("instead", "of"), ("as", "opposed", "to"), ("in", "place", "of"), ("in", "contrast", "to"),
    ("anstatt",), ("en", "lugar", "de"), ("en", "vez", "de"), ("au", "lieu", "de"), ("plutôt", "que"), ("statt",),
))  # fmt: skip
_NOT_NEGATION_AFTER = {
    "not": frozenset("only just necessarily merely simply least all every each everyone everything always".split()),
    "no": frozenset("matter doubt wonder problem idea".split()),
    "nothing": frozenset(["but"]),
}
_CONTRAST_AFTER = frozenset("but sondern sino mais rather".split())
_SWITCHED_OFF = frozenset(
    "false off disabled no never none unavailable absent falsch aus deaktiviert apagado desactivado désactivé".split()
)
"""As a value, after `:`, `=` or `is`, these deny what stands before: `required: false`."""
_LIMITS = frozenset("more less fewer later earlier sooner longer higher lower larger smaller older newer".split())
_STOPPERS = frozenset(
    """but because since unless until except although though while whereas so if when which who weil aber pero mais
    porque""".split()
)
_REACH = 9


class Negation(NamedTuple):
    """One denial: the cue and the tokens of meaning in its reach."""

    cue: int
    cues: tuple[int, ...]
    scope: tuple[int, ...]
    """Tokens of meaning that are denied, the closest first."""
    subject: tuple[int, ...]
    """Tokens of meaning before the cue in its clause: of whom it is denied."""
    ended: bool
    """`no longer`, `not any more`, `stopped`: it held once."""
    contrast: bool
    """Inside `not X but Y`, `X, not Y`: it says what is, more than what is not."""


@lru_cache(maxsize=4096)
def negations(reading: Reading) -> tuple[Negation, ...]:
    """Return the denials of a text in order."""
    tokens = reading.tokens
    found: list[Negation] = []
    covered = -1
    for i, token in enumerate(tokens):
        if i <= covered:
            continue
        if aside := _aside(tokens, i):
            scope = [k for k in range(i + aside, min(len(tokens), i + aside + 5)) if tokens[k].clause == token.clause]
            scope = [k for k in scope if tokens[k].content]
            if scope:
                found.append(Negation(i, tuple(range(i, i + aside)), tuple(scope), (), False, True))
                covered = i + aside - 1
            continue
        language = _cue(tokens, i)
        if token.text in _SWITCHED_OFF and _as_value(tokens, i):
            named = [k for k in range(i) if tokens[k].sentence == token.sentence and tokens[k].content]
            if named:
                found.append(Negation(i, (i,), tuple(reversed(named[-4:])), (), False, False))
                continue
        if not language:
            continue
        following = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if following in _NOT_NEGATION_AFTER.get(token.text, ()):
            continue
        if token.text in ("no", "not") and following in _LIMITS - {"longer"} and _than(tokens, i + 2):
            continue  # no more than 5: a bound, not a denial
        ended, cues = _ended(tokens, i)
        last_cue = max(cues)
        scope = _after(tokens, last_cue)
        if language in ("german", "french", "spanish", "chinese"):
            scope = _clause(tokens, i, set(cues))
        subject = [k for k in range(i) if tokens[k].clause == token.clause and tokens[k].content]
        if token.text in ("nobody", "none", "nothing", "neither", "noone") or (token.text == "no" and not subject):
            subject = []
        found.append(Negation(i, tuple(cues), tuple(scope), tuple(subject), ended, _contrasts(tokens, i, scope)))
        covered = last_cue
    return tuple(found)


def denied(reading: Reading) -> frozenset[str]:
    """Return the stems that stand in the reach of some denial."""
    return frozenset(reading.tokens[k].stem for n in negations(reading) for k in n.scope)


def _cue(tokens: tuple[Token, ...], i: int) -> str:
    token = tokens[i]
    word = token.text
    if word in _ENGLISH:
        if word == "no" and (i + 1 >= len(tokens) or tokens[i + 1].clause != token.clause):
            return ""  # "Telemetry: no" is read by the slot
        return "english"
    if word in _GERMAN:
        return "german"
    if word in _SPANISH:
        return "spanish"
    if word in _FRENCH:
        if word == "personne" and not any(t.text in _FRENCH_BEFORE for t in tokens[i : i + 3]):
            return ""
        return "french"
    if word == "plus" and any(t.text in _FRENCH_BEFORE or t.text.startswith("n'") for t in tokens[max(0, i - 4) : i]):
        return "french"
    if word in _CHINESE:
        return "chinese"
    if word == "禁":
        return "chinese"
    return ""


def _aside(tokens: tuple[Token, ...], i: int) -> int:
    """Return how many tokens a wording such as `rather than` takes here, or 0."""
    for length in (3, 2, 1):
        if tuple(t.text for t in tokens[i : i + length]) in _SET_ASIDE:
            return length
    return 0


def _as_value(tokens: tuple[Token, ...], i: int) -> bool:
    before = tokens[i - 1] if i else None
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if (
        after is not None
        and after.sentence == tokens[i].sentence
        and after.clause == tokens[i].clause
        and after.content
    ):
        return False
    return before is not None and before.text in (":", "=", "->", "is", "are", "to", "ist", "es", "est")


def _than(tokens: tuple[Token, ...], k: int) -> bool:
    return any(t.text == "than" for t in tokens[k : k + 2])


def _ended(tokens: tuple[Token, ...], i: int) -> tuple[bool, list[int]]:
    word = tokens[i].text
    following = tokens[i + 1].text if i + 1 < len(tokens) else ""
    if (
        (word == "no" and following == "longer")
        or (word == "nicht" and following == "mehr")
        or (word == "不" and following == "再")
    ):
        return True, [i, i + 1]
    if word == "plus":
        return True, [i]
    if word in ("kein", "keine", "keinen") or word == "not":
        for k in range(i + 1, min(i + 9, len(tokens))):
            if tokens[k].clause != tokens[i].clause:
                break
            if tokens[k].text in ("anymore", "mehr"):
                return True, [i]
            if tokens[k].text == "any" and k + 1 < len(tokens) and tokens[k + 1].text in ("more", "longer"):
                return True, [i]
    if i and tokens[i - 1].text == "ya" and word == "no":
        return True, [i - 1, i]
    return False, [i]


def _after(tokens: tuple[Token, ...], cue: int) -> list[int]:
    """English: from the cue to the end of the clause."""
    scope: list[int] = []
    for k in range(cue + 1, min(len(tokens), cue + 1 + _REACH + 6)):
        word = tokens[k]
        if word.sentence != tokens[cue].sentence or word.text in _STOPPERS:
            break
        if word.clause != tokens[cue].clause and word.text not in ("and", "or", "nor"):
            break
        if word.content and word.text not in ("any", "anymore", "longer", "more"):
            scope.append(k)
            if len(scope) >= _REACH:
                break
    return scope


def _clause(tokens: tuple[Token, ...], cue: int, cues: set[int]) -> list[int]:
    """Languages whose cue may follow what it denies: the whole clause, what comes after the cue first."""
    here = [k for k, t in enumerate(tokens) if t.clause == tokens[cue].clause and t.content and k not in cues]
    return [k for k in here if k > cue] + [k for k in reversed(here) if k < cue]


def _contrasts(tokens: tuple[Token, ...], cue: int, scope: list[int]) -> bool:
    end = scope[-1] if scope else cue
    for k in range(cue + 1, min(len(tokens), end + 3)):
        if tokens[k].sentence != tokens[cue].sentence:
            break
        if tokens[k].text in _CONTRAST_AFTER:
            return True
    # "X, not Y": the cue opens its clause, nothing but the denied thing follows
    before = tokens[cue - 1] if cue else None
    if before is None or before.sentence != tokens[cue].sentence:
        return False
    if tokens[cue].text == "not" and before.clause != tokens[cue].clause:
        return True
    return before.text in ("and", "or") and tokens[cue].text == "not"
