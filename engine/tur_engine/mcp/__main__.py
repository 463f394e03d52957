"""`tur-mcp`: serves over standard input and output until the harness closes them, or over HTTP on this machine."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def main(argv: Sequence[str] | None = None) -> int:
    """Serve, and return the exit code."""
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        return 130


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in ("--version", "-V"):
        from .. import __version__, printed

        return printed("tur-mcp", f"tur-mcp {__version__} (tur-tui)\n")
    made = parser()
    options = made.parse_args(arguments)
    if options.port is not None and not options.http:
        made.error("--port belongs to --http")
    if options.store == "":
        made.error("--store is empty; name a ledger.db, a .tur folder or the folder above it, or leave it out")
    from ..errors import TurError
    from ..text import visible

    try:
        _over_http(options) if options.http else _over_stdio(options)
    except TurError as error:
        if sys.stderr is not None:
            print(f"tur-mcp: {visible(str(error))}", file=sys.stderr)
        return error.exit_code
    return 0


def _over_stdio(options: Namespace) -> None:
    from ..errors import TurError

    if sys.stdin is None or sys.stdout is None:
        raise TurError("a harness speaks to it over standard input and output; one of them is closed")
    _end_at_once()
    from .server import serve
    from .visit import Visit

    serve(Visit(_store(options), options.speaker))


def _end_at_once() -> None:
    """Let Ctrl-C end the process, whatever waits: what is written is written whole or not at all.

    Left to itself, Python would wait for each thread.
    """
    import os
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else whoever started it wants none
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))


def _over_http(options: Namespace) -> None:
    from . import bearer, http
    from .visit import Visit

    token = bearer.token()
    with http.bound(http.PORT if options.port is None else options.port) as listener:
        http.serve(Visit(_store(options), options.speaker, local=False), listener, token)


def _store(options: Namespace) -> Path | None:
    """The store that was named. One that is not there is said now: whoever wrote the configuration should hear it."""
    from .. import whereabouts
    from ..errors import TurError
    from ..text import visible

    store = Path(options.store) if options.store else None
    try:
        whereabouts.find(store)
    except TurError as error:  # every call will say so too
        print(f"tur-mcp: {visible(str(error))}", file=sys.stderr, flush=True)
    return store


def parser() -> ArgumentParser:
    """The command line's grammar."""
    import argparse

    from .. import printed

    class OneSentence(argparse.ArgumentParser):
        def print_help(self, file: object = None) -> None:
            if code := printed("tur-mcp", self.format_help()):
                self.exit(code)

        def error(self, message: str) -> None:  # type: ignore[override]
            self.exit(2, f"tur-mcp: {message}; tur-mcp --help lists the options\n")

    made = OneSentence(
        prog="tur-mcp",
        description="Serve learn, recall and the rest to a harness, over standard input and output.",
        epilog="The store is opened by the first call, and founded by the first learn where there is none.",
        allow_abbrev=False,
    )
    made.add_argument("--store", metavar="PATH", help="the store: a ledger.db, a .tur folder or the folder above it")
    made.add_argument(
        "--as",
        dest="speaker",
        type=_agent,
        metavar="NAME",
        help="the agent's name; without it, what the harness calls itself",
    )
    made.add_argument(
        "--http",
        action="store_true",
        help="serve streamable HTTP on 127.0.0.1 instead; every call shows a token ($TUR_MCP_TOKEN, or one made at "
        "the first start)",
    )
    made.add_argument("--port", type=_port, metavar="N", help="with --http: the port, 0 for a free one (default 8127)")
    made.add_argument("--version", action="store_true", help="print the version")
    return made


def _agent(text: str) -> str:
    import argparse

    from ..errors import BadInput
    from ..records import Author, AuthorKind

    try:
        author = Author.parse(text, AuthorKind.AGENT)
    except BadInput as error:
        raise argparse.ArgumentTypeError(f"{error}; give the agent's name, or leave it out") from None
    if author.kind is not AuthorKind.AGENT:
        raise argparse.ArgumentTypeError(f"what speaks here is a program, not {text}; give the agent's name")
    return text


def _port(text: str) -> int:
    import argparse

    if not (text.isascii() and text.isdecimal()) or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port between 0 and 65535")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
