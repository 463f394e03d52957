"""Where the main verb of a sentence stands, and so what its subject is. A guess from word lists, no parser."""

from __future__ import annotations

from functools import lru_cache

from .lists import lines
from .reading import Reading, Token
from .words import FUNCTION, stem

_AUX = frozenset(
    """is are was were am be been has have had does do did can could may might must shall should will would cannot
    ist sind war hat haben wird werden muss darf kann es son está están fue ha han debe puede est sont était a ont
    doit peut
    -> : =""".split()
)
_EITHER = frozenset(
    """own store host cost log index cache ship plan test name block watch point order record report result rank rate
    rent sign sort state stop support surface sync target time track trade train trigger update upload use value view
    vote wait want water work wrap answer back bill book call charge check claim close contact contract control copy
    cover cut date deal debug demand design doubt draft drive drop drink end exit export fail fall fetch fight file
    fill fit fix flag fly focus force form group grant guard handle head help hold hope hunt import increase interest
    issue joint judge jump kick land last lead leave light limit link list load lock look man map mark master match
    matter mean measure merge mind model monitor mount need note offer open pass pay phone pick place plant play post
    power practice press price print process profit program promise protest pull purchase push query question race
    raise range reach release request research rest retry return review ride ring rise risk roll root route row rule
    scale score search seat sell send serve shape
    share shift shop show sleep smoke sound spend split stage stand star stay step stock stream stress stretch strike
    study supply surprise switch talk taste tax team tie touch trace transfer travel treat trust try turn visit voice
    walk wash waste wear win wish word write belong contain hash proxy mock ping poll cron deploy commit push
    page""".split()
)
_PRONOUNS = frozenset("i we you they he she it".split())
_NOUN_BEFORE = frozenset(
    """the a an this that these those my our your his her its their every each no any some all both of in on at for
    with by from to per and or than new old first second last same other one two three four five""".split()
)


@lru_cache(maxsize=1)
def _verbs() -> frozenset[str]:
    return frozenset(lines("verb_stems.txt"))


@lru_cache(maxsize=4096)
def predicates(reading: Reading) -> tuple[int, ...]:
    """Return, for each sentence, the index of the token that opens its predicate; the end where none is found."""
    starts: dict[int, int] = {}
    for k, token in enumerate(reading.tokens):
        starts.setdefault(token.sentence, k)
    found: list[int] = []
    for sentence in range(len(reading.sentence_ends)):
        first = starts.get(sentence)
        if first is None:
            found.append(0)
            continue
        tokens = [t for t in reading.tokens[first:] if t.sentence == sentence]
        found.append(first + _predicate(tokens))
    return tuple(found)


def _predicate(tokens: list[Token]) -> int:
    verbs = _verbs()
    noun_seen = False
    for i, token in enumerate(tokens):
        text = token.text
        if text in _AUX and (i or text not in ("a",)):
            if text == "a" and not noun_seen:
                continue
            return i
        before = tokens[i - 1].text if i else ""
        if token.kind == "word" and text not in FUNCTION and before not in _NOUN_BEFORE and not token.name:
            if token.stem in verbs and (noun_seen or i == 0) and not text.endswith("ing"):
                return i
            if noun_seen and token.stem in _EITHER and (text.endswith(("s", "ed")) or text == token.stem):
                following = tokens[i + 1] if i + 1 < len(tokens) else None
                if following is None or (following.stem not in verbs and following.text not in _AUX):
                    return i
        if token.content or text in _PRONOUNS:
            noun_seen = True
    return len(tokens)


def opens_a_predicate(word: str) -> bool:
    """True for a word that is nothing but a verb."""
    return word in _AUX or (stem(word) in _verbs() and stem(word) not in _EITHER)


def subject(reading: Reading, sentence: int) -> tuple[Token, ...]:
    """Return the words of meaning before the predicate of a sentence."""
    end = predicates(reading)[sentence]
    if end >= len(reading.tokens) or reading.tokens[end].sentence != sentence:
        return ()  # no predicate found: a heading, or a language whose verbs are not known
    return tuple(t for t in reading.tokens[:end] if t.sentence == sentence and t.content)
