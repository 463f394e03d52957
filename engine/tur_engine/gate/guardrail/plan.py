"""A proposed action or plan, cut into single actions, each as a statement that can be weighed against a rule."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .commands import Done, branch_after, commands, table, thing
from .notebook import shell_lines
from .pushing import NOWHERE, Around


class Action(NamedTuple):
    """One action: the words it was proposed in, and a statement of it."""

    source: str
    statement: str
    program: str = ""
    """The program, where the action is a command."""


_LONGEST = 2000
"""Characters of one statement."""
_MOST_SOUGHT = 200
"""Commands that look for something and are taken out before code is read: beyond that, rather a needless warning."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z`\"'(])")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)]|\[[ xX]\]|step \d+[.:])\s+", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|so|now|next|then|first|second|third|finally|after that|instead|also|and|lastly|plan)\b"
    r"[,:]?\s+)+",
    re.IGNORECASE,
)
_INTENT = re.compile(
    r"^(?:(?:i|we|the agent|let me)(?:\s*(?:'ll|'m|'re)|\s+(?:will|shall|would|could|can|may|am|are|want to|have to|"
    r"need to|should|must|plan to|intend to|propose to|suggest to|'d like to))*\s+"
    r"(?:going to |about to |now |first |then |just |also )*|let me\s+|let us\s+|let's\s+|please\s+|"
    r"to do(?:\s+this)?[,:]\s+)",
    re.IGNORECASE,
)
_ENQUIRY = re.compile(
    r"^(?:ask|check|find out|see|decide|discuss|consider|verify|confirm|clarify|look up)\s+"
    r"(?:\w+\s+){0,2}?(?:whether|if|how|why|what|which|when|who)\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:not|never|no|without|avoid|instead of|rather than|don't|doesn't|won't|cannot|can't|stop|against|unlike)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"`([^`\n]+)`")
_STATEMENT = re.compile(
    r"^(?:the|a|an|all|every|each|our|this|these|those|there|it|they|he|she|you|no|any|some|both|if|when|customers?|users?)\b",
    re.IGNORECASE,
)
_PLAIN_VERB = re.compile(r"^[A-Za-z]+(?:-[a-z]+)*$")
_NO_VERB = re.compile(r"(?:ing|ed|ly|tion|ness|ment)$")
_SCRIPT = re.compile(r"\.(?:sh|bash|zsh)$|(?:^|/)(?:Makefile|justfile|Dockerfile)$")
_NOTEBOOK = ".ipynb"
_MOVES = re.compile(r"\b(?:checkout|switch)\b")
_PROSE = re.compile(r"[.!?]\s+[A-Z]")
_SHELL_WORDS = re.compile(
    r"[{(!]\s*\w|(?:if|while|until)\s.*;\s*(?:then|do)\b|(?:for|select)\s+\w+\s+in\b.*;\s*do\b|case\s.*\sin\b"
    r"|(?:function\s+)?[\w-]+\s*\(\)\s*\{"
)
_SHELLY = re.compile(r"(?:^|\s)--?[A-Za-z]|[|&;<>$]|(?:^|\s)\.{0,2}/\S|=\S")


def read(text: str, around: Around = NOWHERE, *, is_command: bool | None = None) -> list[Action]:
    """Return the actions a text proposes. `is_command` says that it is a shell line, or that it is none.

    A command that the table does not know is read as use of a program that rules name; a push without a branch as one
    of the branch that is checked out.
    """
    if is_command:
        return _of_command(text, around)
    found: dict[tuple[str, str], Action] = {}
    for part in _parts(text):
        if not part or part.startswith("```"):
            continue
        if is_command is None and is_shell(part):
            actions = _of_command(part, around)
            if _MOVES.search(part):
                around = around._replace(branch=branch_after(part, around.branch))
        else:
            actions = _of_sentence(_joined(part), around)
        for action in actions:
            found.setdefault((action.source, action.statement), action)
    return list(found.values())


def _parts(text: str) -> Iterator[str]:
    """Cut a text into sentences and shell lines; one too long to be a statement is cut at blanks."""
    for line in (_BULLET.sub("", line.strip()) for line in _lines(text)):
        if "\\\n" in line and not is_shell(line):  # a break in prose, with a command behind it perhaps
            yield from _command_in(line.split("\n"))
        if line and is_shell(line) and not _PROSE.search(line):
            yield line
            continue
        for piece in _SENTENCE.split(_joined(line)):
            yield from textwrap.wrap(piece, _LONGEST) if len(piece) > _LONGEST else [piece.strip()]


def _lines(text: str) -> Iterator[str]:
    """Cut a text into lines. One that ends with a backslash keeps the next, but for comments and bullets."""
    held: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if held and _BULLET.match(line):
            yield "\n".join(held)
            held = []
        held.append(line)
        ends = len(line) - len(line.rstrip("\\"))
        if ends % 2 and not held[0].lstrip().startswith("#"):
            continue
        yield "\n".join(held)
        held = []
    if held:
        yield "\n".join(held)


def _command_in(lines: Sequence[str]) -> Iterator[str]:
    """Yield the command that begins on one of these lines, but for the first, to their end."""
    for at, line in enumerate(lines[1:], 1):
        if line.strip("\\ \t") and is_shell(line.rstrip("\\")):
            yield "\n".join(lines[at:]).strip()
            return


def _joined(line: str) -> str:
    """Words that are no shell line, in one line."""
    return re.sub(r"\\\n\s*", "", line)


def read_file(path: str, added: str, around: Around = NOWHERE) -> list[Action]:
    """Return the actions in writing a file: that it is edited, what its new lines of code do, commands of a script."""
    source = f"edit {path}"
    actions = [Action(source, f"We edit {thing(path) or f'the file {path}'} by hand.")]
    for pattern, says in table().code:
        if (hit := pattern.search(added)) is not None:
            actions += [Action(f"{source}: {hit[0]}", sentence) for sentence in says]
    lines: Iterable[str] = ()
    if path.lower().endswith(_NOTEBOOK):
        lines = shell_lines(added)
    elif _SCRIPT.search(path) or (added.startswith("#!") and "sh" in added.split("\n", 1)[0]):
        lines = _lines(added)
    for line in lines:
        if line.strip() and not line.lstrip().startswith("#"):
            known = [done for done in commands(line.strip(), around) if done.says]
            actions += [action for done in known for action in _of_done(done, around)]
    return actions


def is_shell(line: str) -> bool:
    """True for a line that is a command rather than a sentence."""
    line = line.strip()
    if line.startswith(("$ ", "./", "sudo ")):
        return True
    if _SHELL_WORDS.match(line):
        found = commands(line)
        return any(each.program in table().rules and each.program not in table().also_words for each in found)
    words = line.split()
    first = words[0].rpartition("/")[2]
    if re.match(r"[A-Z_]+=\S", words[0]):
        return len(words) > 1
    if first in table().rules and first not in table().also_words and not line.endswith("."):
        return True
    if first in table().wrapping:
        found = [each for each in commands(line) if each.program != first]
        if found and found[0].program in table().rules and not _PROSE.search(line):
            return True
    if first in table().programs:
        if first in table().also_words:
            return bool(_SHELLY.search(line)) or (len(words) <= 3 and not line.endswith((".", "!")))
        return not line.endswith(".") or bool(_SHELLY.search(line))
    return first.islower() and bool(re.search(r"(?:^|\s)--?[A-Za-z]", line)) and not line.endswith(".")


def _of_command(line: str, around: Around) -> list[Action]:
    actions: list[Action] = []
    found = commands(line, around)
    for done in found:
        actions += _of_done(done, around)
    suspect = [(pattern, says) for pattern, says in table().code if pattern.search(line)]
    if not suspect:
        return actions
    code, looked_for = line, {done.written for done in found if done.seeks}
    if len(looked_for) <= _MOST_SOUGHT:
        for sought in looked_for:
            code = code.replace(sought, "")
    for pattern, says in suspect:
        if pattern.search(code):
            actions += [Action(line, sentence) for sentence in says]
    return actions


def _of_done(done: Done, around: Around) -> list[Action]:
    says = done.says
    if not says and done.program.lower() in around.names:
        says = (f"We use {table().tools.get(done.program, done.program)}.",)
    elif says is None:
        says = (f"We run {done.source}.",)
    return [Action(done.source, sentence[:_LONGEST], done.program) for sentence in says]


def _of_sentence(sentence: str, around: Around) -> list[Action]:
    actions: list[Action] = []
    for quoted in _QUOTED.finditer(sentence):
        if not _AGAINST.search(sentence[: quoted.start()]):
            actions += _of_command(quoted[1], around) if is_shell(quoted[1]) else []
    actions += _mentioned(sentence, around)
    bare = _LEAD.sub("", sentence)
    plain = _INTENT.sub("", bare)
    plain = _LEAD.sub("", plain)
    if _ENQUIRY.match(plain) or plain.endswith("?"):
        return actions
    for pattern, says in table().code:
        if pattern.search(plain) and not _AGAINST.search(plain):
            actions += [Action(sentence, said) for said in says]
    statement = _as_statement(plain, intended=plain != bare)
    actions.append(Action(sentence, statement))
    for kind, pattern in table().kinds:
        if (general := pattern.sub(kind, statement)) != statement:
            actions.append(Action(sentence, general))
    return actions


def _mentioned(sentence: str, around: Around) -> list[Action]:
    """Read "run npm install to fetch it" as the command in it, unless the sentence speaks against it."""
    actions: list[Action] = []
    words = [word.strip(".,;:!?\"'()`") for word in sentence.split()]
    for at, word in enumerate(words[:-1]):
        rules = table().rules.get(word, ())
        if word in table().also_words or not any((words[at + 1],) == w[:1] for rule in rules for w in rule.words):
            continue
        if _AGAINST.search(" ".join(words[:at])) or "`" in sentence:
            continue
        for done in commands(" ".join(words[at : at + 2]), around):
            actions += [Action(sentence, action.statement, action.program) for action in _of_done(done, around)]
    return actions


def _as_statement(plain: str, *, intended: bool) -> str:
    """Say an order or an intention as a practice: "Skip the tests" is "We skip the tests"."""
    first = plain.split(maxsplit=1)[0] if plain else ""
    ordered = _PLAIN_VERB.match(first) and not _STATEMENT.match(plain) and not _NO_VERB.search(first.lower())
    if first.lower() in ("never", "don't", "do", "avoid", "not", "only", "always", "we", "i"):
        ordered = None
    if not (intended or ordered):
        return plain
    if first.isupper() and len(first) > 1:
        return plain
    return f"We {first[:1].lower()}{first[1:]}{plain[len(first) :]}"
