"""What somebody does not have, or has given up, and whether another text says that they have it or take it.

`The family does not own a car`, `sold the car`, `gave up coffee`, `is done with camping`, `is vegetarian`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from .cues import PAST, PLAN
from .kinds import LONGEST, genera, key
from .persons import whom
from .polarity import negations
from .reading import Reading, Token
from .words import LIGHT

_HAVE = frozenset("have has own owns possess possesses keep keeps drive drives".split())
_GOT = frozenset("bought buys got gets acquired adopted leased leases".split())
_TAKE = frozenset(
    """drink drinks eat eats smoke smokes take takes order orders play plays use uses enjoy enjoys want wants touch
    touches have has start starts go goes mean means like likes love loves prefer prefers""".split()
)
_ORDER = frozenset("orders takes starts start".split())
_DOING = frozenset("drinking eating smoking taking playing using having buying touching".split())
_SOLD = frozenset("sold scrapped".split())
_SOLD_TWO = frozenset((("gave", "away"), ("got", "rid"), ("parted", "with")))
_GAVE_UP = frozenset((
    ("gave", "up"), ("given", "up"), ("gives", "up"), ("done", "with"), ("stays", "off"), ("keeps", "off"),
))  # fmt: skip
_QUIT = frozenset("quit quits stopped avoids".split())
_CONSUME = frozenset("drink drinks eat eats smoke smokes play plays".split())
"""What denied is a habit; `does not want`, `does not use` are read as plain denials (evidence/negation.py)."""
_WITHOUT = {
    "vegetarian": ("meat", "seafood"), "vegan": ("meat", "seafood", "dairy", "egg", "honey"),
    "pescatarian": ("meat",), "teetotal": ("alcohol",), "teetotaller": ("alcohol",), "teetotaler": ("alcohol",),
}  # fmt: skip
"""What somebody who is so takes none of."""
_OF = frozenset("of using the a an any his her their our my its more all".split())
_ENDS = frozenset(
    """and or but because since for in on at with from to by after before during when while which that who so as until
    over this last any these whatsoever is are was were will""".split()
)
_POSSESSIVE = frozenset("my our his her their".split())
_BUT = frozenset("but except unless only otherwise mostly usually often need needs".split())
_ELSE = frozenset("and but because since so while which who that".split())
"""From here on a sentence speaks of something else."""
_UNLIKE = frozenset(
    """soy soya oat almond coconut rice cashew hazelnut pea peanut cocoa shea vegan vegetarian veggie based alcoholic
    mock fake imitation toy model""".split()
)
"""Words before a thing that make it none of its kind: `oat milk`, `peanut butter`, `plant-based mince`, `toy car`."""
LACKING = (
    "no", "not", "never", "without", "sold", "scrapped", "gave away", "got rid of", "parted with", "gave up",
    "given up", "gives up", "done with", "stays off", "keeps off", "quit", "quits", "stopped", "avoids", "no longer",
    *_WITHOUT,
)  # fmt: skip
"""Wordings one of which every lack has."""
_LONG = 4


class Lack(NamedTuple):
    """What is said not to be had, or to be taken no more."""

    cue: tuple[Token, ...]
    whom: tuple[Token, ...]
    thing: tuple[Token, ...]
    names: tuple[str, ...]
    """What it is called: `literary agent`, `car`; for `vegan` all that is not eaten."""
    within: frozenset[str]
    """Stems of what follows in the clause: where, when or with what it is so."""
    taken: bool
    """A habit, not a possession."""
    gone: bool
    """Somebody had it once: an older text that has it is what ended."""


@lru_cache(maxsize=4096)
def lacks(reading: Reading) -> tuple[Lack, ...]:
    """Return what a text says somebody does not have or has given up, in order; plans and the past are left out."""
    if PLAN.first(reading) or PAST.first(reading):
        return ()
    return tuple(_lacks(reading))


def _lacks(reading: Reading) -> Iterator[Lack]:
    tokens = reading.tokens
    for k, token in enumerate(tokens):
        text = token.text
        two = (text, tokens[k + 1].text) if k + 1 < len(tokens) else (text, "")
        before = tokens[k - 1].text if k else ""
        if names := _WITHOUT.get(text):
            hedged = any(t.text in _BUT and t.sentence == token.sentence for t in tokens)
            if _told_of(tokens, k) and before not in ("not", "no") and not hedged:
                yield Lack((token,), whom(tokens, k), (token,), names, frozenset(), True, False)
        elif text == "no" and (
            before in _HAVE or (k > 1 and before in ("is", "are") and tokens[k - 2].text == "there")
        ):
            yield from _lack(tokens, k - 1, k + 1, (tokens[k - 1], token), taken=False, gone=False)
        elif (
            text in ("not", "never")
            and two[1] in _HAVE | {"had", "owned"}
            and before in ("do", "does", "did", "has", "")
        ):
            yield from _lack(tokens, k, k + 2, (token, tokens[k + 1]), taken=False, gone=False)
        elif (text in ("not", "never") and two[1] in _CONSUME) or (two == ("no", "longer") and k + 2 < len(tokens)):
            verb = k + 1 if text != "no" else k + 2
            if tokens[verb].text in _CONSUME | _HAVE:
                owned = tokens[verb].text in _HAVE
                yield from _lack(tokens, k, verb + 1, tuple(tokens[k : verb + 1]), taken=not owned, gone=text == "no")
        elif two in _GAVE_UP or text in _QUIT or two in _SOLD_TWO or text in _SOLD:
            if before in ("not", "never", "to", "be", "was", "were"):
                continue
            sold = two in _SOLD_TWO or text in _SOLD
            after = k + 2 if two in _GAVE_UP | _SOLD_TWO else k + 1
            if after < len(tokens) and tokens[after].text in _DOING:
                after += after + 1 < len(tokens) and tokens[after + 1].text not in _ENDS
            elif text == "stopped":
                continue
            yield from _lack(tokens, k, after, tuple(tokens[k:after]), taken=not sold, gone=True)


def _told_of(tokens: tuple[Token, ...], k: int) -> bool:
    """True where `vegetarian` is said of somebody, and no dish or restaurant is called so."""
    following = tokens[k + 1] if k + 1 < len(tokens) else None
    alone = following is None or following.clause != tokens[k].clause or not following.content
    be = any(t.text in ("is", "am", "are", "been", "went", "became", "turned") for t in tokens[max(0, k - 4) : k])
    return alone and be


def _lack(
    tokens: tuple[Token, ...], start: int, after: int, cue: tuple[Token, ...], *, taken: bool, gone: bool
) -> Iterator[Lack]:
    run: list[Token] = []
    for token in tokens[after : after + _LONG + 2]:
        if token.clause != tokens[start].clause or token.kind == "sign" or (token.text in _ENDS):
            break
        if token.content:
            run.append(token)
        elif run or token.text not in _OF:
            break
    if run and len(run) <= _LONG:
        sentence = [t for t in tokens if t.sentence == tokens[start].sentence]
        if not any(t.text in _BUT for t in sentence):
            name = " ".join(t.text for t in run)
            yield Lack(cue, whom(tokens, start), tuple(run), (name,), _after(sentence, run[-1]), taken, gone)


class Holding(NamedTuple):
    """Where another text has what is said to be lacking."""

    whom: tuple[Token, ...]
    verb: tuple[Token, ...]
    thing: tuple[Token, ...]
    within: frozenset[str]
    kind: bool
    """It is one kind of the thing: an espresso, where coffee was given up."""


def held(reading: Reading, lack: Lack) -> Holding | None:
    """Return where a text plainly has or takes the thing; None where it does not, or tells of the past or of plans."""
    if PLAN.first(reading) or PAST.first(reading) or "?" in reading.sentence_ends:
        return None
    tokens = reading.tokens
    blocked = {k for n in negations(reading) for k in (*n.cues, *n.scope)}
    blocked |= {reading.place(t) for other in lacks(reading) for t in (*other.cue, *other.thing)}
    for first, last, kind in _mentions(tokens, lack):
        if first and _unlike(reading, tokens[first - 1]):
            continue
        clause = [k for k in range(max(0, first - 8), first) if tokens[k].clause == tokens[first].clause]
        if blocked & {*range(first, last + 1)} or any(tokens[k].text in _BUT for k in clause):
            continue
        verbs = _TAKE if lack.taken else _HAVE if lack.gone else _HAVE | _GOT
        verb = next((k for k in reversed(clause) if tokens[k].text in verbs), -1)
        if verb in blocked or any(_other_verb(t) for t in tokens[verb + 1 : first] if verb >= 0):
            continue
        things = tuple(tokens[first : last + 1])
        within = _after([t for t in tokens if t.sentence == tokens[first].sentence], things[-1])
        if verb >= 0:
            return Holding(whom(tokens, verb), (tokens[verb],), things, within, kind)
        if not lack.taken and clause and tokens[clause[-1]].text in _POSSESSIVE:
            return Holding((), (tokens[clause[-1]],), things, within, kind)
    return None


def _after(sentence: Sequence[Token], last: Token) -> frozenset[str]:
    following = [t for t in sentence if t.start > last.start]
    said = takewhile(lambda t: t.text not in _ELSE, following)
    return frozenset(t.stem for t in said if t.content and t.stem not in LIGHT)


def _other_verb(token: Token) -> bool:
    """True for what takes the object from `has`: `has volunteered to do`."""
    return token.text == "to" or (token.text.endswith("ed") and token.text != "used" and token.kind == "word")


def having(reading: Reading) -> Iterator[tuple[Token, ...]]:
    """Yield the names of what a text says somebody has, gets or takes: the words after the verb, the head last."""
    tokens = reading.tokens
    for k, token in enumerate(tokens):
        if token.text in _HAVE | _GOT | _CONSUME | _ORDER:
            run = tuple(takewhile(lambda t: t.text not in _ENDS and t.kind != "sign", tokens[k + 1 : k + 6]))
            named = tuple(t for t in run if t.content and t.clause == token.clause)
            if named:
                yield named


def _mentions(tokens: tuple[Token, ...], lack: Lack) -> Iterator[tuple[int, int, bool]]:
    """Yield (first token, last token, whether it is a mere kind) where the thing is named."""
    keys = {key(name) for name in lack.names}
    for last, token in enumerate(tokens):
        if token.kind == "sign" or not token.content:
            continue
        following = tokens[last + 1] if last + 1 < len(tokens) else None
        if following is not None and following.clause == token.clause and _compound(token, following):
            continue
        for first in range(max(0, last - LONGEST + 1), last + 1):
            name = " ".join(t.text for t in tokens[first : last + 1])
            if key(name) in keys or any(key(genus) in keys for genus in genera(name)):
                yield first, last, key(name) not in keys
                break


def _unlike(reading: Reading, before: Token) -> bool:
    """True where the word before a thing makes it another: `oat milk`, `alcohol-free beer`."""
    return before.text in _UNLIKE or (before.text == "free" and reading.text[before.start - 1 : before.start] == "-")


def _compound(token: Token, following: Token) -> bool:
    """True where a word only names what the next one is for: `car park`, `coffee machine`."""
    if not following.content or following.kind != "word":
        return False
    return following.start - token.end == 1 and not following.text.endswith(("ed", "ing", "ly"))
