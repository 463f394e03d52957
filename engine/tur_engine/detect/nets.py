"""What a newcomer is looked for by, beside its words and its vector: the wordings of the slots it fills.

`The user lives in Utrecht` and `The family moved to Graz` share no word and lie far apart: one asks for memories with
`lives in`, `moved to` and the like of the same people. Nobody owns what they do not have: `bought an estate car` asks
for a car that is said not to be there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

from ..probe.net import Net
from .evidence.holding import surest
from .frames import Frame, frames, rival_frames, wordings
from .holdings import LACKING, having, lacks
from .kinds import below, genera
from .persons import HOUSEHOLD, PRONOUNS, household
from .reading import Reading, Token, read
from .words import LIGHT

_MOST = 6
"""Nets of one newcomer: a long text makes many simple statements."""
_REACH = 5
_CLOCK = frozenset("one two three four five six seven eight nine ten eleven twelve half quarter".split())
_WHEN = frozenset(
    """morning mornings afternoon afternoons evening evenings noon midday midnight night nights nightly daily weekly
    monthly hourly weekday weekdays weekend weekends monday mondays tuesday tuesdays wednesday wednesdays thursday
    thursdays friday fridays saturday saturdays sunday sundays pm am hour day week month""".split()
)
_WHEN_PHRASES = (*sorted(_WHEN), *(f"at {hour}" for hour in sorted(_CLOCK)))
_US = (*sorted(HOUSEHOLD), *sorted(PRONOUNS), "my", "our")


@lru_cache(maxsize=256)
def nets(text: str) -> tuple[Net, ...]:
    """Return the nets to cast for a text, at most _MOST."""
    reading = read(text)
    return tuple([*_slots(reading), *_lacks(reading), *_havings(reading), *_hours(reading)][:_MOST])


def _slots(reading: Reading) -> Iterator[Net]:
    for frame in frames(reading):
        phrases = wordings(frame.relation)
        about = _US if household(frame.key) else _forms(frame.key)
        if phrases and about:
            yield Net(phrases, about, partial(_rivalry, frame))


def _rivalry(frame: Frame, text: str) -> float:
    met = rival_frames((frame,), frames(read(text)))
    return max((agreement for _, _, agreement in met), default=0.0)


def _lacks(reading: Reading) -> Iterator[Net]:
    for lack in lacks(reading):
        said = " ".join(t.text for t in lack.thing)
        names = {form for name in (said, *lack.names) for each in (name, *below(name)) for form in _numbers(each)}
        yield Net(tuple(sorted(names)), (), partial(_holding, reading))


def _havings(reading: Reading) -> Iterator[Net]:
    for thing in having(reading):
        last = thing[-1].text
        names = {last, *genera(last), *genera(" ".join(t.text for t in thing))}
        about = {form for name in names for form in _numbers(name)}
        yield Net(LACKING, tuple(sorted(about)), partial(_holding, reading))


def _holding(reading: Reading, text: str) -> float:
    return surest(reading, read(text))


def _hours(reading: Reading) -> Iterator[Net]:
    """What is said to be at some hour or on some day, asked for with any hour and day."""
    tokens = reading.tokens
    at = next((k for k, t in enumerate(tokens) if t.text in _WHEN or (t.text in _CLOCK and _at(tokens, k))), -1)
    if at > 0:
        near = [t for t in tokens[max(0, at - _REACH) : at] if t.sentence == tokens[at].sentence and _tells(t)]
        if near:
            stems = frozenset(t.stem for t in near)
            yield Net(_WHEN_PHRASES, _forms(tuple(near)), partial(_same_business, reading, stems))


def _at(tokens: tuple[Token, ...], k: int) -> bool:
    return k > 0 and tokens[k - 1].text in ("at", "before", "after", "by", "from")


def _tells(token: Token) -> bool:
    """True for words that say what is timed: no hours, no light verbs, not merely whose it is."""
    return (
        token.content
        and token.kind == "word"
        and token.text not in _WHEN | HOUSEHOLD | _CLOCK
        and token.stem not in LIGHT
    )


def _same_business(mine: Reading, about: frozenset[str], text: str) -> float:
    """Return the share of what another timed statement tells of that is told here, 0 where it is another matter."""
    theirs = read(text)
    told = {t.stem for t in theirs.tokens if _tells(t)}
    return len(told & mine.stems) / len(told) if told & about else 0.0


def _forms(words: tuple[Token, ...]) -> tuple[str, ...]:
    return tuple(sorted({form for t in words for form in _numbers(t.text)}))


def _numbers(name: str) -> tuple[str, ...]:
    """Return a name in the singular and in the plural, as far as endings tell."""
    plain = name.replace("-", " ").strip()
    return (plain, plain.removesuffix("s")) if plain.endswith("s") else (plain, f"{plain}s")
