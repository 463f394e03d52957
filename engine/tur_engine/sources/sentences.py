"""Sentences of Markdown paragraphs, with their lines; and what announces an item is carried into it."""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_it.token import Token

_BREAK = "\x1e"  # a hard break; never in a text that enters
_END = re.compile(r"(?<=[.!?])[\"')\]*]*\s+(?=[\"'(`\[*]*[A-ZÀ-ÖØ-Þ0-9`])|(?<=[。！？])")
_SHORT = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|no|nr|fig|z\.\s?B|d\.\s?h|u\.\s?a|bzw|ggf|ca|St|Dr|Mr|Ms)\.|(?:^|\s)\d+\.)$",
    re.IGNORECASE,
)
_CODE = re.compile(r"`[^`]*`")
_POINTER = re.compile(r"(?:(?<=\s)|^)(?:@[\w.~/-]+|https?://\S+)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_TASK = re.compile(r"^\[[ xX]\]\s+")
_MARKS = re.compile(r"^(?:[✅☑✔👍🔴🟢🟡⚠️❗‼️🚨💡📝👉➡️→•·\-–—]+\s*)+")
_BAD = re.compile(r"^(?:❌|🚫|⛔|✗|✘|✖️?)\s*")
_NOT = re.compile(
    r"^(?:please\s+)?(?:never|do not|don['’]t|don['’]ts|avoid|must not|forbidden|prohibited|banned|not allowed|"
    r"niemals|nicht erlaubt|verboten|vermeide[n]?)\b",
    re.IGNORECASE,
)
_SAID_NOT = re.compile(
    r"^(?:never|do not|don['’]t|avoid|no\b|not\b|must not|cannot|nie|niemals|kein|always|prefer|immer)", re.IGNORECASE
)
_WHERE = re.compile(
    r"^(?:when|whenever|if|for|in|on|at|before|after|while|during|unless|inside|within|under|with|"
    r"wenn|bei|für|im|in|vor|nach|falls|während)\b",
    re.IGNORECASE,
)
_IMPERATIVE = frozenset(
    """use run prefer avoid never always do don't no not keep write add put place call make set follow ask check test
    commit push name import export return throw log handle wrap create delete remove update install document format
    lint build deploy must should immer nie niemals verwende nutze benutze schreibe kein keine""".split()
)


class Sentence(NamedTuple):
    """A sentence and the line it starts on."""

    line: int
    text: str


def inline_text(token: Token) -> tuple[str, list[tuple[int, int]]]:
    """Return an inline token's plain text (code in backticks), and the place where each of its lines starts."""
    line = (token.map[0] if token.map else 0) + 1
    parts: list[str] = []
    starts = [(0, line)]
    length = 0

    def put(text: str) -> None:
        nonlocal length
        parts.append(text)
        length += len(text)

    for child in token.children or ():
        match child.type:
            case "text":
                put(child.content)
            case "code_inline":
                put(f"`{child.content}`")
            case "image":
                put(child.content)
            case "softbreak" | "hardbreak":
                put(" " if child.type == "softbreak" else _BREAK)
                line += 1
                starts.append((length, line))
            case "html_inline" if child.content.lower().startswith("<br"):
                put(_BREAK)
    return "".join(parts), starts


def sentences(text: str, starts: list[tuple[int, int]]) -> list[Sentence]:
    """Return the sentences of a text with their lines."""
    masked = _CODE.sub(lambda m: "`" + "x" * (len(m.group()) - 2) + "`", text)
    cuts = [0]
    for found in re.finditer(f"{_BREAK}|{_END.pattern}", masked):
        if found.group() == _BREAK or not _SHORT.search(masked[cuts[-1] : found.start()]):
            cuts.append(found.end())
    found_sentences = []
    for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        raw = text[start:end].replace(_BREAK, " ")
        clean = _tidy(raw)
        if clean:
            start += len(raw) - len(raw.lstrip())
            line = starts[bisect_right(starts, start, key=itemgetter(0)) - 1][1]
            found_sentences.append(Sentence(line, clean))
    return found_sentences


def _tidy(text: str) -> str:
    text = _TASK.sub("", " ".join(text.split()))
    if found := _BAD.match(text):
        rest = text[found.end() :]
        return rest if _SAID_NOT.match(rest) else f"Never {_lowered(rest)}"
    return _MARKS.sub("", text)


def announced(text: str, intro: str, heading: str) -> str:
    """Return an item with what its list or heading says of it: that it is forbidden, when it holds, what it is."""
    lead = intro or heading
    if negated(lead) and not _SAID_NOT.match(text):
        return f"Never {_lowered(text)}"
    if intro and _WHERE.match(intro) and len(intro.split()) <= 14:
        return f"{intro}: {_lowered(text)}"
    words = text.split()
    if len(words) <= 2 and ":" not in text and words[0].lower() not in _IMPERATIVE and lead:
        return f"{lead}: {text}"
    return text


def negated(lead: str) -> bool:
    """Tell whether a heading or an announcement forbids what follows."""
    return bool(_NOT.match(lead)) and len(lead.split()) <= 6


def plain_label(text: str) -> str:
    """Return a heading without marks and numbering."""
    return re.sub(r"^[\d.)\s]+(?=\D)|[:#*]+$", "", text).strip() or text


def worth(text: str) -> bool:
    """Tell whether a text says something: words around its code, links and paths, or a name and its value."""
    bare = _POINTER.sub(" ", _CODE.sub(" ", text))
    words = _WORD.findall(bare)
    return len(words) >= 2 or (len(words) == 1 and (bool(_CODE.search(text)) or bool(re.search(r"\d", text))))


def wordless(text: str) -> bool:
    """Tell whether a text that is not worth weighing is no link, path, name or code either: `a b a b`."""
    return len(text.split()) >= 3 and not (_CODE.search(text) or _POINTER.search(text) or _WORD.search(text))


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text
