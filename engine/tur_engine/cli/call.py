"""One call of a program: who calls, on which store, how the answer is to look.

`answers(...)` gives a command the options that all of them share (`--json`, `--store`, `--as`).
"""

from __future__ import annotations

import functools
import getpass
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import BadInput
from ..text import named, visible
from .output import Output, terminal

if TYPE_CHECKING:
    import typer

    from ..engine import Engine
    from ..facade.learning import Learning
    from ..facade.store import Store
    from ..records import Author


class Shared(NamedTuple):
    """Options given before the command's name, and the program they were given to."""

    program: str
    people_only: bool
    store: str | None
    speaker: str | None


@dataclass(frozen=True)
class Call:
    """What a command is handed."""

    out: Output
    json: bool
    store: Path | None
    speaker: str | None
    people_only: bool

    @classmethod
    def of(cls, above: Shared, options: dict[str, Any]) -> Call:
        """Take what all commands share out of a command's options. Raises BadInput."""
        named = _later(options.pop("store", None), above.store)
        speaker = _later(options.pop("speaker", None), above.speaker)
        for flag, given in (("--store", named), ("--as", speaker)):
            if given == "":
                raise BadInput(f"{flag} is empty; leave it out, or say which")
        return cls(
            out=Output(above.program),
            json=options.pop("json"),
            store=Path(named) if named else None,
            speaker=speaker,
            people_only=above.people_only,
        )

    @functools.cached_property
    def actor(self) -> Author:
        """Who speaks: `--as`, else the login name; a person on a terminal, an agent otherwise."""
        from ..records import Author, AuthorKind

        kind = AuthorKind.HUMAN if self.people_only or terminal() else AuthorKind.AGENT
        return Author.parse(self.speaker if self.speaker is not None else _login(), kind)

    def open(self, *, create: bool = False, read_only: bool = False, to_mend: bool = False) -> Engine:
        """Open the store. Says on stderr when this call founded it."""
        from ..engine import Engine

        engine = Engine.open(self.store, actor=self.actor, create=create, read_only=read_only, to_mend=to_mend)
        self._tell_opened(engine, read_only)
        return engine

    def learning(self, *, create: bool = False) -> Learning:
        """Open the store to take something in: without the rest of the engine, which takes long to load."""
        from ..facade.learning import Learning

        engine = Learning.open(self.store, actor=self.actor, create=create)
        self._tell_opened(engine)
        return engine

    def _tell_opened(self, engine: Store, read_only: bool = False) -> None:
        if not read_only:
            self.out.done = "what was asked for is done and kept, as tur history shows"
        if engine.founded:
            self.tell_founding(engine)

    def tell_founding(self, engine: Store) -> None:
        """Say that this call founded the user's own store."""
        self.out.say(f"no store here or above, so your own was made: {named(str(engine.path))}")
        self.warn_of_former(engine.former())

    def warn_of_former(self, sentence: str) -> None:
        """Warn where this machine knows another store at this place."""
        if sentence:
            self.out.warn(visible(sentence, newlines=False))


def _login() -> str:
    try:
        return getpass.getuser() or "unknown"
    except (KeyError, OSError):
        return "unknown"


def _later(after: str | None, before: str | None) -> str | None:
    """An option may stand before the command's name and after it; the later one counts."""
    return before if after is None else after


def answers(command: Callable[..., int], *, store: bool = True) -> Callable[..., int]:
    """Turn `command(call, ...) -> exit code` into a Typer command with the shared options at its end.

    `store=False`: it works on no store, so `--store` and `--as` are left out.
    """
    import typer

    from .paths import refusing_empty
    from .shared import options as shared_options

    signature = inspect.signature(command, eval_str=True, locals={"typer": typer})
    own = list(signature.parameters.values())[1:]
    shared = list(inspect.signature(shared_options, eval_str=True).parameters.values())[: None if store else 1]

    look = refusing_empty(own)

    @functools.wraps(command)
    def run(ctx: typer.Context, **options: Any) -> int:
        call = Call.of(ctx.obj, options)
        look(options)
        return command(call, **options)

    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in (*own, *shared)]
    run.__signature__ = inspect.Signature([context, *parameters])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in (context, *parameters)}
    del run.__wrapped__
    return run
