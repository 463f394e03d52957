"""Write the tables that are worked out from the evidence's word lists: `python -m tools.make_tables`.

To be run whenever a list, or `stem`, changes; a test compares. They spare each process eight thousand stems.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from tur_engine.detect.words import ALIASES, stem

ROOM = Path(str(files("tur_engine.detect.evidence")))
_LISTS = ("antonyms.txt", "antonyms_technical.txt")
_TOO_LOOSE = frozenset(
    frozenset(pair.split())
    for pair in """
    new old|first last|more less|more fewer|much little|many few|up down|before after|in out|here there|back front
    |to from|this that|now then|same different|good bad|well badly|go stop|have lack|all some|add subtract|begin end
    |start end|work idle|take give|ask tell|come go|general specific|top side|employer employee|high low|get leave
    |leave enter|stay go|stay leave|all none|always never|nothing everything|everybody nobody|everyone nobody|yes no
    |keep break
    """.split("|")
)
"""Pairs that tell two subjects apart, or that another kind of evidence reads."""
_HEADER = """\
# {what}, written by tools/make_tables.py from {lists}.
# WordNet 3.1 (c) 2011 Princeton University. All rights reserved. Used under the WordNet License
# (https://wordnet.princeton.edu/license-and-commercial-use), see docs/licenses/wordnet.txt.
"""


def tables() -> dict[str, str]:
    """Return the text of each table by its name."""
    return {"opposites.txt": opposites(), "verb_stems.txt": verb_stems()}


def opposites() -> str:
    """Return a line for each word and each stem that has opposites, hyphens left out, in order."""
    found: dict[str, set[str]] = {}
    for name in _LISTS:
        for line in _lines(name):
            one, other = line.replace("-", "").split()
            if frozenset((one, other)) in _TOO_LOOSE:
                continue
            for x, y in ((one, other), (other, one)):
                found.setdefault(x, set()).add(y)
                found.setdefault(stem(x), set()).add(stem(y))
    lines = (" ".join((word, *sorted(others))) for word, others in sorted(found.items()))
    return _written("Words and stems with their opposites", " and ".join(_LISTS), lines)


def verb_stems() -> str:
    """Return a line for each stem of a word that is mostly a verb."""
    stems = sorted({stem(word) for word in _lines("verbs.txt") if word not in ALIASES})
    return _written("Stems of words that are mostly verbs", "verbs.txt", stems)


def _lines(name: str) -> list[str]:
    text = (ROOM / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _written(what: str, lists: str, lines: Iterable[str]) -> str:
    return _HEADER.format(what=what, lists=lists) + "".join(f"{line}\n" for line in lines)


def main() -> None:
    for name, text in tables().items():
        (ROOM / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
