"""What is typed becomes records: types, fields, relations, times. BadInput says which word was wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from ..errors import BadInput
from ..records import MemoryType, OnConflict, Relation, Scalar, Status, Verb
from ..records.memory import check_scalar

Word = TypeVar("Word", bound=StrEnum)

LEARNED_TYPES = tuple(kind for kind in MemoryType if kind is not MemoryType.CONCEPT)


def one_of(text: str, words: Iterable[Word], what: str) -> Word:
    """Return the word that `text` names, case aside. Names the nearest one where there is none."""
    known = {word.value: word for word in words}
    if (found := known.get(text.strip().lower())) is not None:
        return found
    import difflib

    near = difflib.get_close_matches(text.strip().lower(), known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise BadInput(f"unknown {what} {text!r}; {hint}use one of {', '.join(known)}")


def reason(text: str, what: str) -> str:
    """A reason that may not be empty; `what` needs it. Raises SecretFound before anybody is asked for a passphrase."""
    from ..gate.secrets import kept_reason

    if not text.strip():
        raise BadInput(f"{what} needs a reason: give --reason")
    return kept_reason(text)


def memory_type(text: str) -> MemoryType:
    """A type that may be learned."""
    return one_of(text, LEARNED_TYPES, "type")


def any_type(text: str) -> MemoryType:
    """A type that may be listed."""
    return one_of(text, MemoryType, "type")


def status(text: str) -> Status:
    """A memory's status."""
    return one_of(text, Status, "status")


def on_conflict(text: str, where: str) -> OnConflict:
    """What to do on a clash; `where` names the flag or variable that said it."""
    return one_of(text, OnConflict, f"value of {where}")


def verb(text: str) -> Verb:
    """A verb by its name, its key (`s`), or `branch`."""
    keys = {verb.key: verb for verb in Verb} | {"branch": Verb.BRANCH}
    return keys.get(text.strip().lower()) or one_of(text, Verb, "verb")


def pair(text: str, flag: str, form: str = "NAME=VALUE") -> tuple[str, str]:
    """Split NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise BadInput(f"{flag} {text!r} is not of the form {form}")
    return name.strip(), value


def fields(texts: Iterable[str]) -> dict[str, Scalar]:
    """Read `k=v` pairs; a value is a JSON scalar where it parses as one, else text."""
    read: dict[str, Scalar] = {}
    for text in texts:
        name, value = pair(text, "--field")
        if name in read:
            raise BadInput(f"--field {name} is given twice; one value a field")
        read[name] = check_scalar(name, scalar(value))
    return read


def scalar(text: str) -> Any:
    """A JSON scalar, else the text itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, dict | list) else value


def relations(texts: Iterable[str]) -> tuple[Relation, ...]:
    """Read `TYPE=ID` pairs."""
    read = []
    for text in texts:
        kind, target = pair(text, "--relate", "TYPE=ID, as in depends_on=fact-104e77a1")
        if not target.strip():
            raise BadInput(f"--relate {text!r} names no memory; write TYPE=ID")
        read.append(Relation(type=kind, target=target.strip()))
    return tuple(read)


def moment(text: str, what: str = "--occurred-at") -> datetime:
    """An ISO 8601 date or time; without an offset it is local."""
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadInput(f"{what} {text!r} is not a date or time; write 2026-11-29 or 2026-11-29T23:15:00Z") from None
