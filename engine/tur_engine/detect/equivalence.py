"""Does the newcomer say the very same thing? A wrong yes loses a memory, so every doubt is a no.

Four ways to say one thing are seen through: a lead-in (`As noted,`), other units and idle words in the same order, a
phrase of time or place moved to the other end, and the two sides of `is` or of a passive exchanged.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from ..patterns import later
from ..records import Evidence
from ..records.fields import same
from .measures import Comparison
from .moment import MONTHS, WEEKDAYS, Moment
from .pair import Pair
from .polarity import negations
from .quantity import Quantity
from .reading import Reading, Token, read
from .units import PERIODS, SCALES, TIMES, UNITS, WORDS
from .words import FOREIGN_FUNCTION, FUNCTION
from .words import stem as stem_of

_LEAD_IN = later(
    r"^(?:(?:as (?:noted|mentioned|said|stated|discussed|agreed)(?: (?:before|above|earlier|already|previously))?"
    r"|reminder|please note(?: that)?|note that|noted|note|nb|fyi"
    r"|for the record|again|to repeat|just to confirm|to confirm|confirmed|once more|recap"
    r"|remember(?: that)?|recall(?: that)?|as a reminder|just a reminder"
    r"|wie gesagt|zur erinnerung|como dije|recordatorio|pour rappel|rappel|提醒)\s*[,:;-]?\s+)+"
)
_WEIGHTY = frozenset(
    """no not never none nobody nothing nowhere neither nor without cannot only all any some most few many both either
    must may can could should shall might will would need needs ought from to into onto before after until till since
    by then over under above below than more less least at up down off on out with against between per was were had
    did if unless except but when while where who whom whose which during through always ever still yet already now
    again once i me my you your he him his she her they them their it its other such same own every each
    nicht kein keine nie ohne nur alle jeder jede jedes immer muss darf kann von zu vor nach bis war hatte
    nunca sin solo todo todos todas siempre debe puede de a hasta desde ne pas jamais sans seulement tous toutes
    toujours doit peut
    不 没 無 无 未 只 都 所 每 必 可 从 到 了""".split()
)
"""Function words that may turn a sentence: they must stand on both sides, as often."""
_EMPTY = frozenset("happen occur".split())
"""Verbs that only say that it is so: `Deploys happen on Tuesday`."""
_BEFORE_MOMENT = frozenset("on at in every each the by of".split())
_OPENERS = frozenset("on at in every each for during within under from before after with via".split())
_DERIVED = frozenset(("ment", "ing", "ion", "ation"))
_MEASURING = frozenset(
    s for word in (*UNITS, *PERIODS, *SCALES, *TIMES, *MONTHS, *WEEKDAYS) for s in (word, stem_of(word))
)
_HEAD = 5
"""Letters that two forms of one word share at least."""
_LEAST = 4
"""Words of meaning that a moved phrase needs: with fewer, `migrate, then seed` would be `seed, then migrate`."""


class _Told(NamedTuple):
    """What a text says, stripped: its words of meaning in order, its weighty words counted."""

    words: tuple[str, ...]
    tokens: tuple[Token, ...]
    weighty: Counter[str]


def duplicate(pair: Pair) -> bool:
    """True only where learning the newcomer would add nothing and lose nothing."""
    return same_record(pair) and same_sentence(pair)


def retold(pair: Pair) -> Evidence | None:
    """Return the guard where one sentence stands on both sides and only topics or fields make them two records."""
    if not values_agree(pair) or not same_sentence(pair):
        return None
    return pair.evidence("equivalent", -4.0, "They say the same; only topic or fields differ.")


def same_sentence(pair: Pair) -> bool:
    """Tell whether the two texts say one thing, whatever topics and fields go with them."""
    mine, theirs = bare(pair.a.folded), bare(pair.b.folded)
    if mine == theirs:
        return True
    if not mine or not theirs:
        return False
    plain = (
        pair if (mine, theirs) == (pair.a.folded.rstrip(" .!。"), pair.b.folded.rstrip(" .!。")) else _bare_pair(pair)
    )
    return same_words(plain)


def bare(folded: str) -> str:
    """Return folded text without lead-ins such as `as noted,` and without the final stop."""
    return _LEAD_IN.sub("", folded).rstrip(" .!。").strip()


def same_record(pair: Pair) -> bool:
    """Topics and fields of both sides agree: a duplicate must not hide a value."""
    a, b = pair.incumbent, pair.challenger
    if a.topic and b.topic and a.topic != b.topic:
        return False
    return a.fields.keys() == b.fields.keys() and all(same(a.fields[k], b.fields[k]) for k in a.fields)


def values_agree(pair: Pair) -> bool:
    """No field that both sides have differs; one that only one side has contradicts nothing."""
    a, b = pair.incumbent.fields, pair.challenger.fields
    return all(same(a[name], b[name]) for name in a.keys() & b.keys())


def _bare_pair(pair: Pair) -> Pair:
    a, b = (_without_lead_in(m.content) for m in (pair.incumbent, pair.challenger))
    return Pair(
        pair.incumbent.model_copy(update={"content": a}),
        pair.challenger.model_copy(update={"content": b}),
        read(a),
        read(b),
    )


def _without_lead_in(text: str) -> str:
    reading = read(text)
    cut = len(reading.folded) - len(_LEAD_IN.sub("", reading.folded))
    skipped = len(re.findall(r"\w+", reading.folded[:cut]))
    words = [t for t in reading.tokens if t.kind != "sign"]
    return text[words[skipped].start :] if 0 < skipped < len(words) else text


def same_words(pair: Pair, but_for: frozenset[str] = frozenset()) -> bool:
    """Tell whether the two say one thing in the same words, `but_for` these turning words."""
    if len(pair.a.sentence_ends) != len(pair.b.sentence_ends) or any(
        end in ("?", "？") for end in (*pair.a.sentence_ends, *pair.b.sentence_ends)
    ):
        return False
    lone = [s for s in pair.a.stems ^ pair.b.stems if _telling(s) and s not in but_for]
    heads = Counter(s[:_HEAD] for s in lone)
    if any(heads[s[:_HEAD]] == 1 for s in lone):  # two forms of one word begin alike
        return False
    if any(not any(_one_word(s, other) for other in lone if other != s) for s in lone):
        return False
    found = pair.measures
    if found.differing or found.scopes or found.only_incumbent or found.only_challenger:
        return False
    if any(not _exactly(one, other) for one, other in found.agreed):
        return False
    if len(negations(pair.a)) != len(negations(pair.b)):
        return False
    mine, theirs = _told(pair.a, found, 0), _told(pair.b, found, 1)
    for word in but_for:
        del mine.weighty[word], theirs.weighty[word]
    return bool(mine.words) and _same_told(pair, mine, theirs)


def _same_told(pair: Pair, mine: _Told, theirs: _Told) -> bool:
    if len(mine.words) != len(theirs.words):
        return False
    if mine.weighty == theirs.weighty:
        if _equal(mine.words, theirs.words) or _moved(mine, theirs):
            return True
        return _exchanged(pair, mine, theirs)
    return _passive(mine, theirs) or _passive(theirs, mine)


def _equal(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(one) == len(other) and all(x == y or _one_word(x, y) for x, y in zip(one, other, strict=True))


def _one_word(one: str, other: str) -> bool:
    """True for a verb and its noun: deploy and deployment, migrate and migration."""
    short, long = sorted((one, other), key=len)
    return len(short) >= _HEAD and long.startswith(short) and long[len(short) :] in _DERIVED


def _moved(mine: _Told, theirs: _Told) -> bool:
    """A phrase that opens with a word of time or place stands at the other end."""
    n = len(mine.words)
    for cut in range(1, n):
        if n < _LEAST and ("#0",) not in (mine.words[:cut], mine.words[cut:]):
            continue
        if not _equal(mine.words[cut:] + mine.words[:cut], theirs.words):
            continue
        return any(
            token.text in _OPENERS for token in (mine.tokens[0], theirs.tokens[0])
        )  # the moved phrase leads on one of the two sides
    return False


def _exchanged(pair: Pair, mine: _Told, theirs: _Told) -> bool:
    """`Parcel is our bundler` and `Our bundler is Parcel`: one of the two is a name, nothing is counted or denied."""
    if mine.weighty or negations(pair.a):
        return False
    left, right = _about_is(mine.tokens)
    other_left, other_right = _about_is(theirs.tokens)
    if not left or not right or not _equal(left, other_right) or not _equal(right, other_left):
        return False
    return any(t.name for t in (*mine.tokens, *theirs.tokens))


def _about_is(tokens: tuple[Token, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    verbs = [k for k, t in enumerate(tokens) if t.text == "is"]
    if len(verbs) != 1:
        return (), ()
    return _stems(tokens[: verbs[0]]), _stems(tokens[verbs[0] + 1 :])


def _passive(active: _Told, passive: _Told) -> bool:
    """`Frida maintains the CLI` and `The CLI is maintained by Frida`: one verb, both ends exchanged."""
    if passive.weighty - active.weighty != Counter({"by": 1}) or active.weighty - passive.weighty:
        return False
    tokens = passive.tokens
    by = next((k for k, t in enumerate(tokens) if t.text == "by"), 0)
    if by < 3 or tokens[by - 2].text not in ("is", "are") or not _means(tokens[by - 1]):
        return False
    verb = tokens[by - 1].stem
    patient, agent = _stems(tokens[: by - 1]), _stems(tokens[by + 1 :])
    return bool(patient) and bool(agent) and _equal(active.words, (*agent, verb, *patient))


def _exactly(one: Quantity | Moment, other: Quantity | Moment) -> bool:
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        alike = one.bound == other.bound and one.about == other.about and one.per == other.per
        return alike and abs(one.base - other.base) <= 1e-9 * max(abs(one.base), abs(other.base), 1.0)
    if isinstance(one, Moment) and isinstance(other, Moment):
        return (one.kind, one.value, one.label, one.lower, one.upper) == (
            other.kind, other.value, other.label, other.lower, other.upper,
        )  # fmt: skip
    return False


@lru_cache(maxsize=16384)
def _telling(stem: str) -> bool:
    """True for a word of meaning that no measure can account for."""
    return stem.isalpha() and stem not in _EMPTY and stem not in WORDS and stem not in _MEASURING


def _told(reading: Reading, found: Comparison, side: int) -> _Told:
    measured = {i: n for n, both in enumerate(found.agreed) for i in range(both[side].first, both[side].last + 1)}
    words: list[str] = []
    kept: list[Token] = []
    weighty: Counter[str] = Counter()
    tokens = reading.tokens
    for k, token in enumerate(tokens):
        if k in measured:
            if measured.get(k - 1) != measured[k]:
                words.append(f"#{measured[k]}")
            kept.append(token)
        elif token.text in _BEFORE_MOMENT and k + 1 < len(tokens) and (k + 1) in measured:
            kept.append(token)
        else:
            kept.append(token)
            if _means(token):
                words.append(token.stem)
            elif token.text in _WEIGHTY:
                weighty[token.text] += 1
    return _Told(tuple(words), tuple(kept), weighty)


def _means(token: Token) -> bool:
    if token.kind == "sign":
        return token.text not in (":", "=", "~")
    if token.text in _WEIGHTY:
        return False
    return token.text not in FUNCTION and token.text not in FOREIGN_FUNCTION and token.stem not in _EMPTY


def _stems(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    return tuple(t.stem for t in tokens if _means(t))
