"""Which pairs of rules are told. The detector's thresholds were fitted on memories; rule files sound otherwise.

In a rule file most lines are near each other, and many describe rather than demand: commands with their labels, rows of
tables, parts of an architecture. So a pair needs a sign that speaks (two numbers, a negation, two names of one
family), or a judge who is sure. Measured on the fixtures of tests/sources and on rule files of public repositories
(docs/files.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..detect.reading import read
from ..detect.rivalry import rival_names
from ..detect.verdict import Profile
from ..probe.words import distinctive
from ..records import Evidence, Relationship, Verdict
from ..text import tokens
from .choices import chosen
from .directives import LIKELY, both_negated, elaborates, opposed
from .statements import Statement

POLICY = 3
"""Counted up where a rule below changes: what was noted by an older one is not heeded."""
SIGNS = frozenset("number version port time date negation modality antonym slot role explicit mechanical".split())
ENOUGH = frozenset("number version port negation slot".split())
"""Signs that are enough where the texts are near and share their words, whatever the judge says."""
SPEAKS = 0.9
"""Weight from which a sign speaks for itself."""
NEAR, SHARED = 0.6, 0.5
LEAST = 0.3
"""Probability told of such a pair; no calibration stands behind it."""
_LABEL = re.compile(r"^(?P<label>[\w`.,/()@+& -]{2,48}?): \S")


class _Levels(NamedTuple):
    """What a profile asks for."""

    sign: float
    """Probability that a pair with a speaking sign needs."""
    plain: tuple[tuple[float, float], ...]
    """Probability that another pair needs, and the weight that the judge's reading needs beside it."""


_PROFILES = {
    Profile.QUIET: _Levels(0.5, ((0.75, 2.0), (0.9, 1.0))),
    Profile.BALANCED: _Levels(0.28, ((0.32, 1.8), (0.45, 1.4), (0.85, 0.7))),
    Profile.STRICT: _Levels(0.13, ((0.13, 1.4), (0.25, 0.8), (0.7, 0.0))),
}
_ONE_SECTION = 0.5
"""Neighbours under one heading were written together and seldom contradict each other."""
_VALUE = 3
"""Words of a value that stands in one place of two like sentences."""
_OTHER_LABEL = 0.9
_COMMAND = 0.8
_HALF_SIGNS = {"quantifier": 0.8, "temporal": 0.5}
"""Signs that speak from a probability on only: `all` against `one`, `up to` against `at most`."""


def told(profile: Profile, one: Statement, other: Statement, cosine: float, verdict: Verdict) -> Verdict | None:
    """Return the verdict to tell of a pair, None where it is not told."""
    if verdict.relationship is Relationship.DUPLICATE or elaborates(one.text, other.text):
        return None
    probability = verdict.probability
    signs = {
        piece.kind
        for piece in verdict.evidence
        if piece.weight >= SPEAKS and (piece.kind in SIGNS or probability >= _HALF_SIGNS.get(piece.kind, 1.1))
    }
    if labels_apart(one, other):
        return _clash(verdict, probability) if probability >= _OTHER_LABEL and signs else None
    if "command" in (one.kind, other.kind) and one.kind != other.kind:
        rivals = rival_names(read(one.text), read(other.text))
        if not rivals and not (signs and probability >= _COMMAND):
            return None
    together = (one.file, one.subject) == (other.file, other.subject) and not same_frame(one.text, other.text)
    if _enough(_PROFILES[profile], together, signs, verdict):
        return _clash(verdict, probability)
    against = {piece.kind for piece in verdict.evidence if piece.weight <= -0.6}
    near = cosine >= NEAR and _share(one.text, other.text) >= SHARED
    enough = signs & ENOUGH - ({"negation"} if both_negated(one.text, other.text) else set())
    if enough and near and not together and "equivalent" not in against and profile is not Profile.QUIET:
        return _clash(verdict, max(probability, LEAST))
    if (directive := _directive(one, other, together)) is not None:
        verdict = verdict.model_copy(update={"evidence": (directive, *verdict.evidence)})
        return _clash(verdict, max(probability, LIKELY))
    return None


def same_frame(one: str, other: str) -> bool:
    """Tell whether two rules are one sentence with another value in one place: no list is written so by intent."""
    mine, theirs = tokens(one), tokens(other)
    ahead = _alike(mine, theirs)
    behind = _alike(mine[ahead:][::-1], theirs[ahead:][::-1])
    values = mine[ahead : len(mine) - behind], theirs[ahead : len(theirs) - behind]
    return ahead > 0 and all(0 < len(value) <= _VALUE for value in values)


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _directive(one: Statement, other: Statement, together: bool) -> Evidence | None:
    """Return why two rules are opposed by their form; under one heading two means, or two choices, are a list."""
    if (form := opposed(one.text, other.text)) is not None and not (together and "means" in form.sentence):
        return form
    return None if together else chosen(one.text, other.text)


def _enough(levels: _Levels, together: bool, signs: set[str], verdict: Verdict) -> bool:
    least = _ONE_SECTION if together else 0.0
    if signs:
        return verdict.probability >= max(levels.sign, least)
    judge = max((piece.weight for piece in verdict.evidence if piece.kind == "judge"), default=0.0)
    return any(verdict.probability >= max(p, least and least + 0.2) and judge >= w for p, w in levels.plain)


def _clash(verdict: Verdict, probability: float) -> Verdict:
    return verdict.model_copy(update={"relationship": Relationship.CLASH, "probability": probability})


def _share(one: str, other: str) -> float:
    mine, theirs = set(distinctive(one)), set(distinctive(other))
    return len(mine & theirs) / max(1, min(len(mine), len(theirs)))


def labels_apart(one: Statement, other: Statement) -> bool:
    """Tell whether each names what it is about, and they name different things; a row's name must be on both sides."""
    mine, theirs = _label(one), _label(other)
    for label, text in ((one.key, other.text), (other.key, one.text)):
        if label and not _stems(label) & _stems(text):
            return True
    return bool(mine and theirs) and not mine & theirs


def same_label(one: Statement, other: Statement) -> bool:
    """Tell whether two commands are said to do the same."""
    return _stems(one.key) == _stems(other.key)


def _label(statement: Statement) -> frozenset[str]:
    if statement.key:
        return _stems(statement.key)
    found = _LABEL.match(statement.text)
    return _stems(found["label"]) if found else frozenset()


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stemmed(distinctive(text)) or tokens(text))


def _stemmed(words: Iterable[str]) -> list[str]:
    from ..detect.words import stem

    return [stem(word) for word in words]
