"""How a command line ends: every failure becomes one sentence and an exit code, never a traceback."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from ..errors import AmbiguousId, GraphRefused, StaleRevision, TurError
from ..logged import tell_as
from ..text import visible
from .output import Output, Unanswered, silence
from .stopping import Terminated

INTERRUPTED = 130
USAGE = 2


class Misused(TurError):
    """A command line that does not say what to do."""

    code = "usage"
    exit_code = USAGE


def ended(command: Callable[[], object], program: str, arguments: Sequence[str]) -> int:
    """Run what the command line asks for. Returns the exit code (CONTRACTS 4); raises nothing."""
    out = Output(program)
    if sys.stdout is None and not _is_hook(arguments):  # a closed descriptor: `tur list >&-`
        return _refuse(
            out, False, "error", "standard output is closed, so there is nowhere to answer; nothing was done", 1
        )
    tell_as(program)
    wants_json = "--json" in (arguments[: arguments.index("--")] if "--" in arguments else arguments)
    try:
        code = command()
        return code if isinstance(code, int) else 0
    except TurError as error:
        return _refuse(out, wants_json, error.code, str(error), error.exit_code, _extra(error))
    except KeyboardInterrupt:
        out.message("")
        return INTERRUPTED
    except Terminated as ended:
        return ended.exit_code
    except Unanswered as error:
        return _refuse(out, False, "error", f"the answer could not be written: {error}; {error.done}", 1)
    except UnicodeDecodeError as error:
        sentence = f"the input is not {error.encoding.upper()} at byte {error.start + 1}; send it as UTF-8"
        return _refuse(out, wants_json, "bad_input", sentence, USAGE)
    except OSError as error:
        return _refuse(out, wants_json, "error", _of_the_system(error), 1)
    except Exception as error:
        if os.environ.get("TUR_DEBUG"):
            raise
        sentence = (
            f"a fault in this program stopped it ({type(error).__name__}: {error}). "
            "Nothing was half-written; set TUR_DEBUG=1 to see where"
        )
        return _refuse(out, wants_json, "internal", sentence, 1)
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                if stream is not None:
                    stream.flush()
            except OSError:  # said already, where there was somewhere to say it
                silence(stream)


def _is_hook(arguments: Sequence[str]) -> bool:
    """True for what a harness runs, which goes by the exit code: 1 would let everything pass."""
    left = iter(arguments)
    for word in left:
        if word in ("--store", "--as"):
            next(left, None)
        elif not word.startswith("-"):
            return word == "hook" or (word == "guard" and "--hook" in arguments)
    return False


def _of_the_system(error: OSError) -> str:
    """Say what the system refused; a working folder that is gone it only says to be none."""
    if error.errno == errno.ENOENT and not error.filename:
        from ..working_folder import here

        try:
            here()
        except TurError as gone:
            return str(gone)
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


def _extra(error: TurError) -> dict[str, object]:
    if isinstance(error, StaleRevision):
        return {"current_revision": error.current}
    if isinstance(error, AmbiguousId):
        return {"matches": list(error.matches)}
    if isinstance(error, GraphRefused):
        return {"faults": list(error.faults)}
    return {}


def _refuse(
    out: Output,
    wants_json: bool,
    code: str,
    sentence: str,
    exit_code: int,
    extra: dict[str, object] | None = None,
) -> int:
    if code == "invariant_violation":
        out.message(visible(sentence))  # the seed's text stands as it is, without the program's name before it
    else:
        faults = (extra or {}).get("faults")
        listed = [f"- {fault}" for fault in faults] if isinstance(faults, list) else []
        out.say(visible(sentence.removesuffix("".join(f"\n{each}" for each in listed)), newlines=False))
        for each in listed:
            out.message(visible(each, newlines=False))
    if wants_json:
        from .. import payloads

        with suppress(Unanswered):  # the sentence is on stderr
            out.json(payloads.failure(code, sentence, extra))
    return exit_code
