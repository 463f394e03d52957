"""Commands read as actions: `git push -f origin main` is "We force-push to main." The table is commands.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import NamedTuple

from .pushing import CURRENT, NOWHERE, Around, moved, reached, ref
from .shell import CONTINUED, simple
from .wrapping import Wrapper, opening

_ENVIRONMENT = re.compile(r"prod(?:uction)?(?![a-z])|(?P<staging>staging)|(?P<dev>\bdev\b)", re.IGNORECASE)
_MOST_THINGS = 8


class Rule(NamedTuple):
    """What a command must look like, and what it does then."""

    program: tuple[str, ...]
    says: tuple[str, ...]
    words: tuple[tuple[str, ...], ...] = ()
    flags: tuple[str, ...] = ()
    text: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    otherwise: bool = False

    @property
    def tells_things(self) -> bool:
        """True where a sentence of it says what the operands are."""
        return any("{thing" in sentence for sentence in self.says)


class Table(NamedTuple):
    """commands.toml, read."""

    rules: dict[str, tuple[Rule, ...]]
    wrappers: tuple[Wrapper, ...]
    quiet: frozenset[str]
    seeks: frozenset[str]
    also_words: frozenset[str]
    tools: dict[str, str]
    values: dict[str, frozenset[str]]
    things: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    """What a path is: the word for it, patterns, exact names."""
    kinds: tuple[tuple[str, re.Pattern[str]], ...]
    code: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]
    wrapping: frozenset[str]
    """The programs that wrap others."""
    programs: frozenset[str]
    """All that are known."""


class Done(NamedTuple):
    """One simple command and the sentences that say what it does; None: the table does not know it."""

    source: str
    program: str
    says: tuple[str, ...] | None
    written: str = ""
    """The command as it stands in the line, quotes and all."""

    @property
    def seeks(self) -> bool:
        """True where its words are what is looked for."""
        return self.program in table().seeks or " ".join(self.source.split()[:2]) in table().seeks


@cache
def table() -> Table:
    """Return the table of commands."""
    raw = tomllib.loads(files(__package__).joinpath("commands.toml").read_text("utf-8"))
    rules: dict[str, list[Rule]] = {}
    for each in raw["rule"]:
        rule = Rule(
            program=tuple(each["program"]),
            says=tuple(each["says"]),
            words=tuple(tuple(words.split()) for words in each.get("words", ())),
            flags=tuple(each.get("flags", ())),
            text=re.compile(each["text"]) if "text" in each else None,
            unless=re.compile(each["unless"]) if "unless" in each else None,
            otherwise=each.get("otherwise", False),
        )
        for program in rule.program:
            rules.setdefault(program, []).append(rule)
    wrappers = opening(raw["wrappers"], raw["shared"])
    wrapping = frozenset(wrapper.words[0] for wrapper in wrappers)
    return Table(
        rules={program: tuple(found) for program, found in rules.items()},
        wrappers=wrappers,
        quiet=frozenset(raw["quiet"]),
        seeks=frozenset(raw["seeks"]),
        also_words=frozenset(raw["also_words"]),
        tools=raw["tools"],
        values={program: frozenset(flags) for program, flags in raw["values"].items()},
        things=tuple(
            (each["is"], tuple(each.get("paths", ())), tuple(each.get("names", ()))) for each in raw["things"]
        ),
        kinds=tuple(
            (each["is"], re.compile(rf"\b(?:the |our |an? )?(?:{'|'.join(each['words'])})\b", re.IGNORECASE))
            for each in raw["kinds"]
        ),
        code=tuple((re.compile(each["pattern"]), tuple(each["says"])) for each in raw["code"]),
        wrapping=wrapping,
        programs=frozenset((*rules, *raw["quiet"], *wrapping)),
    )


def commands(line: str, around: Around = NOWHERE) -> list[Done]:
    """Return the simple commands of a shell line, in order; what shells and wrappers are handed is opened."""
    once: dict[tuple[str, str], Done] = {}
    whole, wrappers = CONTINUED.sub(" ", line), table().wrappers
    for each in simple(line, wrappers):
        if (key := (" ".join(each.words), around.branch)) not in once:
            once[key] = _done(each.words, whole, each.source, around)
        if (branch := moved(each.words, around.branch)) != around.branch:
            around = around._replace(branch=branch)
    return list(once.values())


def branch_after(line: str, branch: str) -> str:
    """Return the branch that is checked out after a shell line."""
    for each in simple(line, table().wrappers):
        branch = moved(each.words, branch)
    return branch


def _done(words: Sequence[str], line: str, written: str, around: Around) -> Done:
    program, rest = words[0], words[1:]
    source = " ".join(words)
    if program not in table().rules:
        return Done(source, program, () if program in table().quiet else None, written)
    said: list[str] = []
    matched = False
    flags, operands = _parted(program, rest)
    for rule in table().rules[program]:
        if rule.otherwise and matched:
            continue
        if (values := _matches(rule, source, line, flags, operands, around)) is None:
            continue
        matched = True
        said += [filled for sentence in rule.says for filled in _filled(sentence, values)]
    if not matched:
        return Done(source, program, () if program in table().quiet else None, written)
    return Done(source, program, tuple(dict.fromkeys(said)), written)


def _parted(program: str, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return flags and operands."""
    takes = table().values.get(program, frozenset())
    flags: list[str] = []
    operands: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-") and word != "-" and word != "--":
            flags.append(word.partition("=")[0])
            skip = word in takes
        else:
            operands.append(word)
    return flags, operands


def _matches(
    rule: Rule, source: str, line: str, flags: Sequence[str], operands: Sequence[str], around: Around
) -> dict[str, str | list[str]] | None:
    """Return what stands in the rule's sentences; None where it does not hold."""
    rest = list(operands)
    if rule.words:
        begun = next((w for w in rule.words if tuple(operands[: len(w)]) == w), None)
        if begun is None:
            return None
        rest = rest[len(begun) :]
    if rule.flags and not any(_has(flags, flag) for flag in rule.flags):
        return None
    named: dict[str, str | list[str]] = {}
    if rule.text is not None:
        whole = line if "\\|" in rule.text.pattern else source
        if (hit := rule.text.search(whole)) is None:
            return None
        named = {name: (text or "").strip('"') for name, text in hit.groupdict().items()}
    if rule.unless is not None and rule.unless.search(source):
        return None
    environment, where = _environment(source)
    program = source.split(maxsplit=1)[0]
    if rule.tells_things:
        named |= {"things": _things(rest), "thing": _things(rest[-1:])}
    forced = [operand for operand in rest[1:] if operand.startswith("+")]
    return named | {
        "rest": " and ".join(rest[:_MOST_THINGS]) or "it",
        "last": ref(rest[-1]) if rest else CURRENT,
        "each": rest or [CURRENT],
        "ref": reached(rest, flags, around),
        "forced": reached(rest[:1] + forced, flags, around) if forced else [CURRENT],
        "tool": table().tools.get(program, program),
        "environment": environment,
        "where": where,
    }


def _has(flags: Sequence[str], wanted: str) -> bool:
    if wanted in flags:
        return True
    single = len(wanted) == 2
    return single and any(
        not flag.startswith("--") and 2 < len(flag) <= 5 and flag[1:].isalpha() and wanted[1] in flag[1:]
        for flag in flags
    )


def _filled(sentence: str, values: dict[str, str | list[str]]) -> list[str]:
    """Return a sentence with its places filled; where one has several values, a sentence for each."""
    sentences = [sentence]
    for name, value in values.items():
        place = f"{{{name}}}"
        if place in sentence:
            fills = [value] if isinstance(value, str) else value
            sentences = [each.replace(place, fill) for each in sentences for fill in fills]
    return [re.sub(r"\s+([.,])", r"\1", re.sub(r"\s{2,}", " ", each)) for each in sentences]


def _environment(source: str) -> tuple[str, str]:
    if (hit := _ENVIRONMENT.search(source)) is None:
        return "", ""
    name = "staging" if hit["staging"] else "development" if hit["dev"] else "production"
    return f"{name} ", f"in {name}"


def _things(operands: Sequence[str]) -> str:
    """Return what the operands are, in people's words; a path that nobody knows keeps its name."""
    operands = list(dict.fromkeys(operands))
    known = {kind: None for operand in operands if (kind := thing(operand)) is not None}
    others = [f"the file {operand}" for operand in operands[:_MOST_THINGS] if thing(operand) is None]
    return " and ".join([*known, *dict.fromkeys(others)]) or "files"


@lru_cache(maxsize=4096)
def thing(path: str) -> str | None:
    """Return what a path usually is: `dist` is "build artefacts"."""
    whole = path.replace("\\", "/")
    parts = PurePosixPath(whole).parts
    whole = whole.rstrip("/") or whole
    for kind, patterns, names in table().things:
        if whole in names:
            return kind
        for pattern in patterns:
            if any(fnmatchcase(part, pattern) for part in parts) or f"/{pattern}/" in f"/{whole}/":
                return kind
    return None
