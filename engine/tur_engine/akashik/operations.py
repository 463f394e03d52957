"""One message in, one bare payload out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import BadInput, TurError
from .clock import tick
from .detect import detect
from .envelope import Envelope, check, parse
from .record import highest_epoch, record
from .refusal import Code, Refused
from .strict import strict as strictly
from .strict import strict_error

if TYPE_CHECKING:
    from ..engine import Engine

REJECTED = 4


class Reply(NamedTuple):
    """A bare payload, and the exit code that a command line ends with."""

    payload: dict[str, Any]
    exit_code: int = 0


def answer(
    message: bytes | str | dict[str, Any],
    open_store: Callable[[Envelope], Engine],
    *,
    strict: bool = False,
    sdk_compat: bool = False,
) -> Reply:
    """Carry one message out. Refusals are replies; nothing is raised for what a message holds.

    `open_store` gives the engine once the envelope is sound; whoever gives it closes it. `strict` cuts the answer to
    the schemas of 0.1.0-draft, which know level 2 only.
    """
    operation: str | None = None
    try:
        envelope = check(message) if isinstance(message, dict) else parse(message)
        operation = envelope.operation
        engine = open_store(envelope)
        epoch = tick(engine.path, engine.head(), envelope.epoch, partial(highest_epoch, engine))
        if operation == "RECORD":
            response = record(engine, envelope, epoch)
        else:
            level = 2 if strict else engine.settings.akashik.level
            response = detect(engine, envelope.payload, level=level, sdk_compat=sdk_compat)
    except Refused as refused:
        return _refusal(refused.body(operation), refused.exit_code, strict)
    except BadInput as error:
        cannot = Refused(Code.INVALID_PAYLOAD, str(error), "send what can be kept")
        return _refusal(cannot.body(operation), error.exit_code, strict)
    except TurError as error:
        body = {
            "code": Code.INTERNAL_ERROR.value,
            "message": str(error),
            "operation": operation,
            "recoverable": False,
            "suggested_action": "see `tur verify`, or name another store",
        }
        return _refusal(body, error.exit_code, strict)
    code = REJECTED if response["status"] == "rejected" else 0
    return Reply(strictly(response) if strict else response, code)


def _refusal(body: dict[str, Any], exit_code: int, strict: bool) -> Reply:
    return Reply(strict_error(body) if strict else body, exit_code)
