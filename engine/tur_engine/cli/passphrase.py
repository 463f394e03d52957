"""The passphrase: asked on the controlling terminal without echo, or read from a descriptor that a script opened.

Never an argument, never an environment variable: both are seen by other processes (CONTRACTS 6).
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..errors import BadInput, NotAllowed
from ..text import visible

if TYPE_CHECKING:
    from ..governor import Governor, Signer

DESCRIPTOR = "TUR_PASSPHRASE_FD"
_LONGEST = 4096


def ask(purpose: str) -> str:
    """Return a passphrase. Raises NotAllowed where nobody can be asked, BadInput for a bad descriptor."""
    if DESCRIPTOR in os.environ:
        return _from_descriptor(os.environ[DESCRIPTOR])
    if not _has_terminal():
        raise NotAllowed(
            "the passphrase is asked on a terminal and there is none; nothing was changed "
            f"(a script of yours may hand it over on a descriptor that {DESCRIPTOR} numbers)"
        )
    if _ended():
        raise NotAllowed("the terminal's input has ended, so no passphrase can be given; nothing was changed")
    try:
        return getpass.getpass(f"Passphrase {visible(purpose, newlines=False)}: ")
    except EOFError:
        raise NotAllowed("no passphrase was given; nothing was changed") from None


def ask_new() -> str:
    """Return a passphrase for a new key, asked twice on a terminal. Raises BadInput where the two differ."""
    from ..govern.keys import check_passphrase

    first = check_passphrase(ask("for the new key"))
    if DESCRIPTOR not in os.environ and ask("once more") != first:
        raise BadInput("the two passphrases differ; no key was made")
    return first


def _has_terminal() -> bool:
    if os.name != "posix":
        import sys

        return sys.stdin is not None and sys.stdin.isatty()
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _ended() -> bool:
    """True where an end of input waits on the terminal: getpass would throw it away and wait for another for ever."""
    try:
        import termios
        from fcntl import ioctl
        from select import select

        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except (ImportError, OSError):
        return False
    try:
        waits, _, _ = select([terminal], [], [], 0)
        return bool(waits) and not any(ioctl(terminal, termios.FIONREAD, bytes(4)))
    except (OSError, ValueError):
        return False
    finally:
        os.close(terminal)


def _from_descriptor(text: str) -> str:
    """Read one line and not a byte more: a further signer's passphrase may follow."""
    if not text.isdecimal() or len(text) > 9:
        raise BadInput(f"{DESCRIPTOR} is {text!r}; it names an open descriptor by its number")
    read = bytearray()
    try:
        while (byte := os.read(int(text), 1)) not in (b"", b"\n"):
            read += byte
            if len(read) > _LONGEST:
                raise BadInput(f"the line on descriptor {text} is longer than a passphrase; nothing was changed")
    except OSError as e:
        raise BadInput(f"descriptor {text} of {DESCRIPTOR} cannot be read: {e.strerror}") from None
    if not read:
        raise NotAllowed(f"no passphrase came on descriptor {text}; nothing was changed")
    return read.decode("utf-8", "surrogateescape").removesuffix("\r")


@contextmanager
def unlocked(governor: Governor, names: Sequence[str] | None, purpose: str) -> Iterator[list[Signer]]:
    """Give the signers of the named keys, each asked for in turn; without a name the one enrolled here.

    They are locked at the end. Raises NoKey before anything is asked where no key here may sign; WrongPassphrase.
    """
    may = governor.usable_keys(list(names or ()))
    signers: list[Signer] = []
    try:
        if names:
            for key in may:
                signers.append(governor.unlock(ask(f"{purpose}, for the key of {key.name}"), key.id))
        else:
            whose = f" of {may[0].name}" if len(may) == 1 else ""
            signers.append(governor.unlock(ask(f"{purpose}, for the key{whose}")))
        yield signers
    finally:
        for signer in signers:
            signer.lock()


@contextmanager
def signer(governor: Governor, name: str | None, purpose: str) -> Iterator[Signer]:
    """Give the signer of one key, as `unlocked` does."""
    with unlocked(governor, [name] if name else None, purpose) as signers:
        yield signers[0]
