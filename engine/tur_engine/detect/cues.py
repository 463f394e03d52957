"""Wordings that change how a sentence is meant: plans, the past, hearsay, exceptions, additions, contrasts, changes.

Each list was pruned on the training pairs: a wording stays where it tells clashes from the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .reading import Reading, Token


class Cue:
    """A set of wordings looked for in the folded words of a text; the weak ones often mean something else."""

    def __init__(self, phrases: str, weak: str = "") -> None:
        self._weak = frozenset(_split(weak))
        self._phrases = (*_split(phrases), *self._weak)
        self.between_blanks = tuple(f" {phrase} " for phrase in self._phrases)

    @property
    def pattern(self) -> re.Pattern[str]:
        """All wordings, each between blanks."""
        return _compiled(self._phrases)

    def sure(self, words: tuple[Token, ...]) -> float:
        """Return 1 for a plain wording, 0 for a weak one."""
        return float(" ".join(t.text for t in words) not in self._weak)

    def find(self, reading: Reading) -> Iterator[tuple[Token, ...]]:
        """Yield the tokens of each wording found, in order."""
        yield from _found(self, reading)

    def first(self, reading: Reading) -> tuple[Token, ...]:
        """Return the first wording found, or nothing."""
        found = _found(self, reading)
        return found[0] if found else ()


def _split(phrases: str) -> list[str]:
    return [" ".join(p.split()) for p in phrases.split("|") if p.strip()]


@lru_cache(maxsize=64)
def _compiled(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(" (?:" + "|".join(re.escape(p) for p in sorted(phrases, key=len, reverse=True)) + ") ")


@lru_cache(maxsize=32768)
def _found(cue: Cue, reading: Reading) -> tuple[tuple[Token, ...], ...]:
    """Looked for once a text: it stands in many pairs."""
    line, places = spoken(reading)
    found = []
    at = 0
    if not any(phrase in line for phrase in cue.between_blanks):  # most often: then no pattern need be compiled
        return ()
    while match := cue.pattern.search(line, at):
        found.append(reading.tokens[places[match.start() + 1] : places[match.end() - 2] + 1])
        at = match.end() - 1
    return tuple(found)


@lru_cache(maxsize=4096)
def spoken(reading: Reading) -> tuple[str, dict[int, int]]:
    """Return the words joined by blanks, and the token that each character belongs to."""
    parts = [" "]
    places: dict[int, int] = {}
    length = 1
    for k, token in enumerate(reading.tokens):
        if token.kind == "sign":
            continue
        for offset in range(len(token.text)):
            places[length + offset] = k
        parts.append(token.text + " ")
        length += len(token.text) + 1
    return "".join(parts), places


PLAN = Cue(
    """plan to|plans to|planning to|is planned|are planned|planned for|plans for|intend to|intends to|intended to
    |is going to|are going to|considering|is considered|thinking about|thinking of|toying with|weighing up|evaluating
    |exploring|looking into|proposal|proposes to|proposed|suggested|suggests|suggestion|rfc|draft proposal|might
    |would like|would love|wish|hopes|hope to|hopes to|hoping|the aim is|the goal for|roadmap|next quarter
    |next year|next month|next week|next spring|next summer|next autumn|next season|someday|one day|eventually
    |prototype|proof of concept|if we|if they|should we|shall we|undecided|open question|not decided|not been decided
    |tbd|to be decided|to be discussed|under discussion|asks whether|asked whether|asked if|wonders whether|wondering
    |tempted|dreams of|talk of|may be moved|may be upgraded|may move|contemplating|pondering|mulling|speculation
    |no decision|decision pending|not yet decided|for discussion|there is talk
    |geplant|planen|erwägen|überlegen|überlegt|sollten wir|vielleicht|möchte|möchten|könnte|könnten
    |planea|planean|planeamos|quizás|quizá|podría|podríamos|tal vez|deberíamos|estamos considerando
    |prévu|prévoit|envisage|envisageons|envisagent|pourrait|pourrions|peut être|devrions nous
    |计 划|打 算|可 能|考 虑|是 否""",
    weak="could|would|whether|wishes|idea",
)
PAST = Cue(
    """formerly|previously|back then|at the time|in those days|originally|initially|in the beginning
    |former|years ago|months ago|weeks ago|last year|last spring|last summer|last winter|in the past
    |historically|in the first version|up until|previous|those days|at that time|then still|at first|earlier on
    |last season|once was|once had|predecessor
    |früher|damals|ehemals|ehemalige|zuvor|bis zum|antes|anteriormente|solía|solíamos|hasta|autrefois|jadis|auparavant
    |avant|jusqu|以 前|曾 经|过 去|之 前""",
    weak="until|till|before the|back in|used to|last month|last autumn",
)
REPORTED = Cue(
    """claims|claimed|believes|believed|thinks that|heard|hears|rumour|rumor|rumours|rumoured|rumored|reportedly
    |allegedly
    |suspects|suspected|supposedly|assumes|assumed|guesses|guessed|alleges|alleged|reckons|argued|argues|gossip|hearsay
    |someone said|a colleague|unconfirmed|not confirmed|is of the opinion|myth|mistakenly|wrongly
    |joked|complained|wonders
    |angeblich|behauptet|glaubt|dicen que|cree que|supuestamente|prétend|croit que|paraît|据 说|听 说""",
    weak="someone|somebody|asked|claims|complained",
)
EXCEPTION = Cue(
    """the exception|one exception|sole exception|only exception|with the exception of|exempt
    |exempted|exempts|exemption|apart from|aside from|save for|other than|but for|barring|excepted
    |carve out|special case|departure from|deviation|deviates|opts out|spared|grandfathered|unlike the|unlike
    |differs from the rest|with exceptions
    |instead of the default|instead of the usual|overrides the|by way of exception|excluding
    |ausnahme|ausser|ausgenommen|salvo|excepto|excepción|sauf|exception faite|hormis|例 外|除 了|除 非""",
    weak="unless|except|except for|exception|waiver|waivers|aside",
)
NO_EXCEPTION = Cue(
    """without exception|no exception|no exceptions|included|like any other|like all others|like everybody else
    |like everyone else|and that includes|no matter which|no matter who|one and all|ohne ausnahme|sin excepción
    |sans exception"""
)
ADDITIVE = Cue(
    """also|too|as well|in addition|additionally|another|furthermore|moreover|alongside|on top of that|likewise
    |not only|in parallel|additional|besides that
    |auch|ausserdem|zusätzlich|ebenfalls|también|además|otro|otra|aussi|également|en outre|也|还|另 外""",
    weak="a second|a third|another|too",
)
CONTRAST = Cue(
    """rather than|instead of|as opposed to|unlike|in contrast to|in place of|versus|statt|anstatt|anstelle von
    |en lugar de|en vez de|au lieu de|plutôt que|而 不 是|而 非"""
)
NOW = Cue(
    """now|nowadays|these days|as of|from now on|any more|anymore|no longer|meanwhile|since then|in favour of
    |in favor of
    |switched to|switched from|moved to|moved from|moved off|migrated to|migrated from|migrated off|changed to
    |changed from|back to
    |became|has become|took over|takes over|has taken over|raised to|lowered to|increased to|reduced to|extended to
    |put off|postponed
    |brought forward|rescheduled|given up|gave up|finally|after all|correction|turned out|went from|starting
    |jetzt|nun|inzwischen|mittlerweile|nicht mehr|seit|umgestellt auf|ya no|ahora|a partir de|desde
    |désormais|maintenant|ne plus|depuis|现 在|如 今|不 再|改 为|改 用|换 成"""
)
