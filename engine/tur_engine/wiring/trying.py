"""Tries one server or hook, as a harness would start it, on the throw-away stage."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

from . import calls
from .findings import Finding
from .harnesses import Harness, Role
from .stage import FACT, FORBIDDEN, HARMLESS, RULE, SERVICE, Stage
from .wired import Wire

LONGEST = 120
NOT_FOUND = 127
"""The shell's exit code where there is no such program."""
INSTALL = "install tur-tui so that its programs are on the PATH of your harnesses"
BY_HAND = "start it by hand with TUR_DEBUG=1 to see why, or take it out of the file"
_LINE = "command line"
_Fault = tuple[str, str] | None
"""What is wrong and what mends it."""


def command_line(stage: Stage, port: int) -> Finding:
    """`tur learn` of what contradicts ends with 3."""
    program = shutil.which("tur")
    if program is None:
        return Finding(_LINE, False, "tur is not on the PATH, so no harness finds it", INSTALL)
    _, version, _ = _run([program, "--version"], stage, "")
    if "(tur-tui)" not in version:
        sentence = f"{program} is another program of this name, and harnesses start it"
        return Finding(_LINE, False, sentence, "uninstall that one, or put tur-tui's before it on the PATH")
    code, _, err = _run([program, "learn", SERVICE.format(port), "--on-conflict", "hold"], stage, "")
    if code == 3:
        return Finding(_LINE, True, "tur learn stops a test clash (exit 3)")
    sentence = f"tur learn did not stop a test clash (exit {code}{_why(err)})"
    return Finding(_LINE, False, sentence, "tur verify, then the same by hand with TUR_DEBUG=1")


def hook(harness: Harness, wire: Wire, stage: Stage, port: int) -> Finding:
    """Feed a hook what its harness sends, and see what it answers."""
    command = redirected(wire.command, stage.work)
    match wire.role:
        case Role.START:
            fault, done = _gives_context(harness, command, stage), "gives what holds here"
        case Role.EDITED:
            fault, done = _holds_the_line(harness, wire, command, stage, port), "holds a line that contradicts"
        case _:
            fault, done = _guards(harness, wire, command, stage), "stops what breaks an invariant, and nothing else"
    if not fault:
        return Finding(harness.name, True, f"{wire.event}: `{wire.command}` {done}")
    sentence, mend = fault
    return Finding(harness.name, False, f"{wire.event}: `{wire.command}` in {wire.file} {sentence}", mend)


def _gives_context(harness: Harness, command: str, stage: Stage) -> _Fault:
    code, out, err = _run(command, stage, calls.start(harness, stage.work))
    told = spoken(out)
    if code == 0 and RULE in told and FACT in told:
        return None
    return _fault("does not give what holds at the start of a session", code, err)


def _guards(harness: Harness, wire: Wire, command: str, stage: Stage) -> _Fault:
    code, _, err = _run(command, stage, calls.command(harness, wire.event, stage.work, FORBIDDEN))
    if code != 2 or RULE not in err:
        return _fault("lets a command through that breaks an invariant", code, err)
    code, _, err = _run(command, stage, calls.command(harness, wire.event, stage.work, HARMLESS))
    return _fault("stops a harmless command", code, err) if code else None


def _holds_the_line(harness: Harness, wire: Wire, command: str, stage: Stage, port: int) -> _Fault:
    file = stage.work / calls.RULE_FILES[harness.key]
    line = f"- {SERVICE.format(port)}"
    file.write_text(f"# Services\n\n{line}\n", "utf-8")
    code, out, err = _run(command, stage, calls.edited(harness, wire.event, stage.work, file, f"- {FACT}", line))
    if code == 0 and "is held as conflict-" in spoken(out):
        return None
    return _fault("does not hold a changed line that contradicts", code, err)


def _fault(sentence: str, code: int, err: str) -> _Fault:
    if code == NOT_FOUND:
        return "cannot be started: the shell finds no such program", INSTALL
    return f"{sentence} (exit {code}{_why(err)})", BY_HAND


def spoken(out: str) -> str:
    """Return what an answer on stdout gives the agent: its context in JSON, or the text itself."""
    try:
        answer: Any = json.loads(out)
    except ValueError:
        return out
    if not isinstance(answer, dict):
        return ""
    inner = answer.get("hookSpecificOutput")
    told = inner.get("additionalContext") if isinstance(inner, dict) else answer.get("additional_context")
    return told if isinstance(told, str) else ""


def redirected(command: str, work: Path) -> str:
    """Return a shell line with the stage's store in the place of one that it names: nothing real is written to."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    return shlex.join(on_stage(words, work)) if any(word.startswith("--store") for word in words) else command


def on_stage(words: list[str], work: Path) -> list[str]:
    """Return arguments with the stage's folder for any store they name."""
    turned: list[str] = []
    for word in words:
        if turned[-1:] == ["--store"]:
            turned.append(str(work))
        else:
            turned.append(f"--store={work}" if word.startswith("--store=") else word)
    return turned


def _run(command: str | list[str], stage: Stage, said: str) -> tuple[int, str, str]:
    try:
        done = subprocess.run(
            command,
            shell=isinstance(command, str),
            input=said,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            cwd=stage.work,
            env=stage.environment(),
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return -1, "", f"no answer within {LONGEST} seconds"
    except OSError as error:
        return NOT_FOUND, "", error.strerror or str(error)
    return done.returncode, done.stdout, done.stderr


def _why(err: str) -> str:
    first = next((line.strip() for line in err.splitlines() if line.strip()), "")
    return f": {first}" if first else ""
