"""Simple statements of one place and its value: who owns what, where somebody lives, what something runs on.

A frame is (relation, key, value): two frames of one relation and one key with other values cannot both hold. Only
relations that take one value are read: what someone likes, knows or supports is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .persons import household, whom
from .polarity import negations
from .reading import Reading, Token
from .rivalry import stands_for
from .words import root

_HOLDERS = {
    verb: relation
    for relation, verbs in {
        "owner": "owns own owned possesses",
        "lead": "leads lead led heads headed chairs chaired captains captained directs directed manages managed",
        "maintainer": "maintains maintain maintained administers administered",
        "author": "wrote writes written authored drafts drafted composes composed",
        "reviewer": "reviews reviewed approves approved checks checked proofreads",
        "teacher": "teaches taught coaches coached trains trained",
        "maker": "makes baked bakes built builds",
        "payer": "pays paid",
    }.items()
    for verb in verbs.split()
}
"""Verbs whose subject is the value and whose object is the key: `Priya owns billing`."""

_ROLE_NOUNS = {
    noun: relation
    for relation, nouns in {
        "owner": "owner proprietor",
        "lead": "lead leader head chair captain director manager chief president chairwoman chairman",
        "maintainer": "maintainer caretaker custodian responsibility responsible",
        "author": "author writer",
        "reviewer": "reviewer approver",
        "teacher": "teacher coach trainer tutor",
        "treasurer": "treasurer",
        "secretary": "secretary",
        "deputy": "deputy",
        "sponsor": "sponsor",
        "landlord": "landlord",
        "supplier": "supplier vendor provider",
        "doctor": "doctor gp dentist physician vet",
        "spouse": "husband wife spouse",
        "primary": "primary",
        "backup": "backup replica standby",
    }.items()
    for noun in nouns.split()
}

_PLACES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("lives", "in"), "home"), (("live", "in"), "home"), (("lived", "in"), "home"), (("resides", "in"), "home"),
    (("lives", "at"), "home"), (("moved", "to"), "home"),
    (("relocated", "to"), "home"), (("settled", "in"), "home"), (("wohnt", "in"), "home"), (("vive", "en"), "home"),
    (("habite", "à"), "home"), (("based", "in"), "seat"), (("located", "in"), "seat"), (("located", "at"), "seat"),
    (("sits", "in"), "seat"), (("is", "in"), "seat"), (("are", "in"), "seat"), (("works", "at"), "employer"),
    (("work", "at"), "employer"), (("works", "for"), "employer"), (("employed", "by"), "employer"),
    (("employed", "at"), "employer"), (("called",), "name"), (("named",), "name"), (("heisst",), "name"),
    (("name", "is"), "name"), (("llama",), "name"), (("appelle",), "name"), (("hosted", "on"), "host"),
    (("hosted", "in"), "host"), (("hosted", "at"), "host"), (("hosted", "by"), "host"), (("runs", "on"), "host"),
    (("run", "on"), "host"), (("runs", "in"), "host"), (("running", "on"), "host"), (("deployed", "on"), "deploy"),
    (("deployed", "to"), "deploy"), (("deployed", "via"), "deploy way"), (("deployed", "with"), "deploy way"),
    (("deployed", "through"), "deploy way"), (("written", "in"), "language"), (("implemented", "in"), "language"),
    (("stored", "in"), "store"), (("stored", "on"), "store"), (("kept", "in"), "store"), (("kept", "on"), "store"),
    (("live", "on"), "store"), (("lives", "on"), "store"), (("stored", "as"), "form"), (("sent", "as"), "form"),
    (("encoded", "as"), "form"), (("serialised", "as"), "form"), (("assigned", "to"), "assigned"),
    (("reports", "to"), "reports"), (("married", "to"), "spouse"), (("engaged", "to"), "spouse"),
    (("belongs", "to"), "owner"), (("belong", "to"), "owner"), (("belonged", "to"), "owner"),
    (("licensed", "under"), "licence"),
    (("published", "under"), "licence"), (("released", "under"), "licence"), (("managed", "with"), "tool"),
    (("managed", "by"), "tool"), (("built", "with"), "tool"), (("built", "by"), "tool"),
    (("formatted", "with"), "tool"),
    (("formatted", "by"), "tool"), (("linted", "with"), "tool"), (("installed", "with"), "tool"),
    (("runs", "via"), "tool"),
    (("run", "via"), "tool"), (("run", "with"), "tool"), (("runs", "through"), "tool"), (("reported", "to"), "sink"),
    (("goes", "to"), "sink"), (("sent", "to"), "sink"),
    (("go", "through"), "sink"), (("sent", "through"), "sink"), (("sent", "via"), "sink"),
    (("read", "from"), "source"), (("comes", "from"), "source"),
    (("come", "from"), "source"), (("delivered", "by"), "supplier"), (("supplied", "by"), "supplier"),
    (("provided", "by"), "supplier"), (("studies", "in"), "study place"), (("studies", "at"), "study place"),
    (("born", "in"), "birth"), (("born", "on"), "birth"), (("defaults", "to"), "default"),
)  # fmt: skip
_BY_FIRST: dict[str, list[tuple[tuple[str, ...], str]]] = {}
for _words, _relation in sorted(_PLACES, key=lambda item: -len(item[0])):
    _BY_FIRST.setdefault(_words[0], []).append((_words, _relation))
_BE = frozenset("is are was were be been".split())
_COPULA = frozenset("is are was remains became becomes = : -> ist es est".split())
_OVER = frozenset("was were had lived before until former formerly previously used once acting other also".split())
"""Words that make a statement one of the past, of a stand-in, or of one among several."""
_BODIES = frozenset(
    "team squad group guild committee board agency department office crew desk bureau council club".split()
)
_PERSONAL = frozenset(
    "owner lead maintainer author reviewer teacher treasurer secretary deputy sponsor spouse doctor".split()
)
_STOP = frozenset(
    """and or but which who that because since so while from with for after before until by via to in on at over during
    last this""".split()
)
_OF_A_PERSON = frozenset(("home", "employer", "study place", "birth", "spouse", "name"))
"""Relations that a pronoun may be the key of: `They moved to Graz`."""
_LONGEST = 5


@lru_cache(maxsize=64)
def wordings(relation: str) -> tuple[str, ...]:
    """Return what statements of a relation, or one akin to it, are worded with: `lives in`, `moved to`."""
    places = [" ".join(words) for words, told in _PLACES if _akin(relation, told)]
    verbs = [verb for verb, told in _HOLDERS.items() if _akin(relation, told)]
    nouns = [noun for noun, told in _ROLE_NOUNS.items() if _akin(relation, told)]
    return tuple(dict.fromkeys((*places, *verbs, *nouns)))


class Frame(NamedTuple):
    """One statement: the relation, the words of its key, the words of its value."""

    relation: str
    key: tuple[Token, ...]
    value: tuple[Token, ...]


@lru_cache(maxsize=4096)
def frames(reading: Reading) -> tuple[Frame, ...]:
    """Return the simple statements of a text, denied ones left out."""
    blocked = {k for n in negations(reading) for k in (*n.cues, *n.scope, *n.subject)}
    return tuple(
        frame
        for frame in _frames(reading.tokens)
        if frame.key
        and frame.value
        and not any(reading.place(t) in blocked for t in frame.value)
        and not _past(reading, frame)
    )


def _past(reading: Reading, frame: Frame) -> bool:
    """True where the statement is told as over: `was`, `lived`, `before`, `until`."""
    first = min(reading.place(frame.key[0]), reading.place(frame.value[0]))
    last = max(reading.place(frame.key[-1]), reading.place(frame.value[-1]))
    return any(
        t.text in _OVER for t in reading.tokens[max(0, first - 2) : last + 2] if t.sentence == frame.value[0].sentence
    )


def _frames(tokens: tuple[Token, ...]) -> Iterator[Frame]:
    for k, token in enumerate(tokens):
        if token.kind == "sign" and token.text not in _COPULA:
            continue
        for words, relation in _BY_FIRST.get(token.text, ()):
            if tuple(t.text for t in tokens[k : k + len(words)]) == words:
                key = _left(tokens, k)
                if not key and relation in _OF_A_PERSON:
                    key = whom(tokens, k)
                yield Frame(relation, key, _right(tokens, k + len(words)))
                break
        if (relation := _HOLDERS.get(token.text, "")) and token.kind == "word" and not token.name:
            passive = any(t.text in _BE for t in tokens[max(0, k - 2) : k])
            if passive:
                by = next((j for j in range(k + 1, min(len(tokens), k + 6)) if tokens[j].text == "by"), -1)
                if by > 0:
                    yield Frame(relation, _left(tokens, k), _right(tokens, by + 1))
            else:
                yield Frame(relation, _right(tokens, k + 1), _left(tokens, k))
        if relation := _ROLE_NOUNS.get(token.text, ""):
            yield from _role(tokens, k, relation)
        if token.text in _COPULA and token.kind == "word":
            yield from _possessed(tokens, k)


def _left(tokens: tuple[Token, ...], end: int) -> tuple[Token, ...]:
    found: list[Token] = []
    for k in range(end - 1, max(-1, end - 10), -1):
        word = tokens[k]
        if word.clause != tokens[end].clause:
            break
        if word.content and word.text not in _HOLDERS:
            found.insert(0, word)
    return tuple(found[-_LONGEST:])


def _right(tokens: tuple[Token, ...], start: int) -> tuple[Token, ...]:
    found: list[Token] = []
    for k in range(start, min(len(tokens), start + 8)):
        word = tokens[k]
        if word.clause != tokens[start].clause or word.kind == "sign" or (found and word.text in _STOP):
            break
        if word.content:
            found.append(word)
    return tuple(found[:_LONGEST])


def _role(tokens: tuple[Token, ...], noun: int, relation: str) -> Iterator[Frame]:
    """`Alma is the lead of X`, `the lead of X is Alma`, `X lead: Alma`, `X has Alma as its lead`, `X -> owner:
    Alma`."""
    here = tokens[noun].sentence
    copula = [
        k
        for k in range(max(0, noun - 8), min(len(tokens), noun + 9))
        if tokens[k].text in _COPULA and tokens[k].sentence == here
    ]
    after = [k for k in copula if k > noun]
    before = [k for k in copula if k < noun]
    if after:
        key = [t for t in tokens[max(0, noun - 4) : noun] if t.sentence == here and t.content]
        key += [t for t in tokens[noun + 1 : after[0]] if t.content]
        value = _right(tokens, after[0] + 1)
        yield Frame(relation, tuple(key), value)
    elif before:
        value = _left(tokens, before[-1])
        key = [t for t in tokens[before[-1] + 1 : noun] if t.content]
        if noun + 1 < len(tokens) and tokens[noun + 1].text in ("of", "for"):
            key += _right(tokens, noun + 2)
        yield Frame(relation, tuple(key), value)
    elif noun and tokens[noun - 1].text in ("as", "its", "their", "his", "her"):
        has = next((k for k in range(noun - 1, max(-1, noun - 8), -1) if tokens[k].text in ("has", "have", "had")), -1)
        if has > 0:
            yield Frame(relation, _left(tokens, has), _right(tokens[: noun - 1], has + 1))


def _possessed(tokens: tuple[Token, ...], copula: int) -> Iterator[Frame]:
    """`The parser is Joon's`: what is said to be somebody's."""
    if copula + 1 >= len(tokens) or tokens[copula].text not in ("is", "are", "was"):
        return
    for word in tokens[copula + 1 : copula + 3]:
        if word.name and word.end - word.start >= len(word.text) + 2:
            following = tokens[copula + 2 : copula + 4]
            if not any(t.content and t is not word and t.clause == word.clause for t in following):
                yield Frame("owner", _left(tokens, copula), (word,))
            return


def rival_frames(one: tuple[Frame, ...], other: tuple[Frame, ...]) -> Iterator[tuple[Frame, Frame, float]]:
    """Yield frames of one relation whose keys agree and whose values do not, with the agreement of the keys, 0 to 1."""
    for mine in one:
        for theirs in other:
            if not _akin(mine.relation, theirs.relation):
                continue
            a, b = ({root(t.stem) for t in frame.key if t.content} for frame in (mine, theirs))
            if not a & b and _one_household(mine, theirs):
                agreement = 0.75
            elif not a & b or len(a & b) < 0.5 * min(len(a), len(b)):
                continue
            else:
                agreement = 1.0 if a == b else 0.75 if a <= b or b <= a else 0.3
            if mine.relation in _PERSONAL and not (_person(mine.value) and _person(theirs.value)):
                agreement *= 0.4
            x, y = {root(t.stem) for t in mine.value}, {root(t.stem) for t in theirs.value}
            if x & y or x & b or y & a:
                continue
            yield mine, theirs, agreement * (1.0 if mine.relation == theirs.relation else 0.7)


def _one_household(mine: Frame, theirs: Frame) -> bool:
    """True where both may speak of the user: `The family moved to Graz`, of a place or a firm that has a name."""
    if not {mine.relation, theirs.relation} <= _OF_A_PERSON or not (household(mine.key) and household(theirs.key)):
        return False
    return all(any(t.capital for t in value) and not stands_for(value) for value in (mine.value, theirs.value))


def _person(value: tuple[Token, ...]) -> bool:
    return any(t.name or t.capital or t.stem in _BODIES for t in value)


def _akin(one: str, other: str) -> bool:
    return one == other or {one, other} <= {"owner", "maintainer", "lead"} or {one, other} <= {"home", "seat"}
