"""A shell line, cut into simple commands: quotes, comments, substitutions, programs that run what they are handed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .wrapping import ASSIGNMENT, Wrapper, begun, behind, valued

_DEEPEST = 4
_MOST_WRAPPED = 32
"""Words that are taken off a command one after the other."""
_SHELLS = frozenset(("bash", "sh", "zsh", "dash", "fish", "ksh"))
_SET = frozenset(("-o", "+o", "-O", "+O"))
"""Options of a shell that take the next word."""
_HERE = "<<<"
_SPEAKS = frozenset(("echo", "printf"))
"""What they print is a line where a shell reads it from a pipe."""
_REDIRECTION = re.compile(r"(?:\d*|&)(?:<<<|<<-?|[<>]{1,2})[&|]?(?P<target>.*)", re.DOTALL)
_KEYWORDS = frozenset(
    ("$", ">", "%", "!", "{", "}", "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "esac")
)
_HEADS = frozenset(("for", "select", "case", "function"))
"""What follows them up to the next joint is names, no command."""
_PIECE = re.compile(
    r"(?P<continued>\\\r?\n)"
    r"|(?P<blank>[ \t\r]+)|(?P<joint>[;|&\n()]+)|(?P<comment>(?<![^\s;|&()])#[^\n]*)|\\(?P<escaped>.)"
    r"|'(?P<single>[^']*)'|\"(?P<double>(?:[^\"\\]|\\.)*)\"|(?P<plain>[^\s;|&()\\'\"`$#<>]+|\d*[<>]+&\d?|.)",
    re.DOTALL,
)
CONTINUED = re.compile(r"\\\r?\n")
"""A line that goes on in the next: a shell takes both characters away."""
_IN_QUOTES = re.compile(r'\\([$`"\\])')
_INNER = re.compile(r"[$<>]\(|`")


@dataclass(slots=True)
class Simple:
    """One simple command, as it was written and without what wraps it."""

    words: list[str]
    source: str


@dataclass(slots=True)
class _Cut:
    words: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    begin: int = 0
    piped: bool = False


def simple(line: str, wrappers: Sequence[Wrapper], depth: int = 0) -> list[Simple]:
    """Return the simple commands of a line, in order; what shells, wrappers and `$(...)` are handed is opened."""
    found: list[Simple] = []
    functions: set[str] = set()
    printed = None
    for words, inner, source, piped in _cut(line, functions):
        read = printed if piped and _HERE not in source else _here(words)
        printed = _printed(words)
        for each in _bare(words, wrappers, read):
            if isinstance(each, str):
                found += simple(each, wrappers, depth + 1) if depth < _DEEPEST else []
            elif each and each[0] not in functions:
                found.append(Simple(each, source))
        for each in inner if depth < _DEEPEST else ():
            found += simple(each, wrappers, depth + 1)
    return found


def _cut(line: str, functions: set[str]) -> Iterator[tuple[list[str], list[str], str, bool]]:
    """Yield the words of each simple command, the lines substituted into it, how it was written, and if from a pipe."""
    cut = _Cut()
    word: str | None = None
    at = unclosed = 0
    while at < len(line):
        if unclosed < _DEEPEST and (opened := _INNER.match(line, at)) is not None:
            if (end := _closed(line, opened)) > 0:
                cut.inner.append(line[opened.end() : end - 1])
                word, at = (word or "") + line[at:end], end
                continue
            unclosed += 1
        piece = _PIECE.match(line, at)
        assert piece is not None  # the last choice takes any character
        kind, text, start, at = piece.lastgroup, piece[piece.lastgroup or 0], at, piece.end()
        if kind == "continued":
            continue
        if kind == "comment" or kind == "blank" or kind == "joint":
            if word is not None:
                cut.words.append(word)
                word = None
            if kind == "joint":
                if text.startswith("()") and len(cut.words) == 1:
                    functions.add(cut.words.pop())
                yield from _ended(cut, line[cut.begin : start])
                cut = _Cut(begin=at, piped=text in ("|", "|&"))
            continue
        if kind == "double":
            cut.inner += list(_substituted(text))
            text = _IN_QUOTES.sub(r"\1", CONTINUED.sub("", text))
        word = (word or "") + text
    if word is not None:
        cut.words.append(word)
    yield from _ended(cut, line[cut.begin :])


def _ended(cut: _Cut, source: str) -> Iterator[tuple[list[str], list[str], str, bool]]:
    if cut.words or cut.inner:
        yield cut.words, cut.inner, source.strip(), cut.piped


def _here(words: Sequence[str]) -> str | None:
    """Return the line of `<<< LINE`; None without one."""
    for at, word in enumerate(words):
        if word.startswith(_HERE):
            return word[len(_HERE) :] or (words[at + 1] if at + 1 < len(words) else "")
    return None


def _printed(words: Sequence[str]) -> str | None:
    """Return what `echo LINE` prints; None for a command that prints something else."""
    if not words or words[0] not in _SPEAKS:
        return None
    return " ".join(word for word in _unredirected(words[1:]) if not word.startswith("-")).replace("\\n", "\n")


def _closed(line: str, opened: re.Match[str]) -> int:
    """Return where a substitution ends; 0 where it does not."""
    if opened[0] == "`":
        return line.find("`", opened.end()) + 1
    level = 1
    for hit in re.compile(r"'[^']*'|[()]").finditer(line, opened.end()):
        level += {"(": 1, ")": -1}.get(hit[0], 0)
        if level == 0:
            return hit.end()
    return 0


def _substituted(text: str) -> Iterator[str]:
    at = unclosed = 0
    while unclosed < _DEEPEST and (opened := _INNER.search(text, at)) is not None:
        end = _closed(text, opened)
        unclosed += not end
        if opened[0][0] not in "<>" and end:
            yield text[opened.end() : end - 1]
        at = end or opened.end()


def _bare(words: Sequence[str], wrappers: Sequence[Wrapper], read: str | None = None) -> Iterator[list[str] | str]:
    """Yield the command without assignments, keywords, wrappers and redirections, and lines handed to a shell.

    `read` is what it reads from its standard input, where that is known.
    """
    left = _unredirected(words)
    for _ in range(_MOST_WRAPPED):
        if not left:
            return
        if left[0] in _KEYWORDS or ASSIGNMENT.match(left[0]):
            left = left[1:]
            continue
        if left[0] in _HEADS:
            return
        left[0] = left[0].rpartition("/")[2] or left[0]
        if (line := _handed(left)) is not None:
            yield line
            return
        if read is not None and _reads_lines(left):
            yield read
            return
        if left[0] == "find" and (at := next((i for i, w in enumerate(left) if w in ("-exec", "-execdir", "-ok")), 0)):
            run = [word for word in left[at + 1 :] if word not in (";", "+", "{}")]
            if run and run[0] not in ("rm", "find"):  # the table knows the first
                yield from _bare(run, wrappers)
        wrapper, at = next(((w, at) for w in wrappers if (at := begun(left, w))), (None, 0))
        if wrapper is None:
            break
        if (line := valued(left[at:], wrapper.lines)) is not None:
            yield line
            return
        rest = behind(left[at:], wrapper)
        if wrapper.itself or not rest:
            yield left[: len(left) - len(rest)]
        if wrapper.line or (not rest and wrapper.lines):
            yield " ".join(rest) or read or ""
            return
        left = rest
    yield left


def _unredirected(words: Sequence[str]) -> list[str]:
    """Leave out redirections and the files they name."""
    left: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif (hit := _REDIRECTION.fullmatch(word)) is not None and not word.startswith(("<(", ">(")):
            skip = not hit["target"]
        else:
            left.append(word)
    return left


def _handed(words: Sequence[str]) -> str | None:
    """Return the line of `bash -c LINE`; None where no shell is handed one."""
    if words[0] not in _SHELLS:
        return None
    for at, word in enumerate(words[1:], 1):
        if word.startswith("-") and not word.startswith("--") and word.endswith("c"):
            return words[at + 1] if at + 1 < len(words) else ""
        if not word.startswith(("-", "+")) and words[at - 1] not in _SET:
            return None
    return None


def _reads_lines(words: Sequence[str]) -> bool:
    """True for a shell that takes its lines from standard input: no script is named, or `-s` says so."""
    if words[0] not in _SHELLS:
        return False
    for at, word in enumerate(words[1:], 1):
        if words[at - 1] in _SET or word == "/dev/stdin":
            continue
        if not word.startswith(("-", "+")):
            return False
        if not word.startswith("--") and "s" in word[1:]:
            return True
    return True
