"""The options that all commands share."""

from __future__ import annotations

from typing import Annotated

import typer

StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="PATH", help="The store: a ledger.db, a .tur folder or the folder above it."),
]
AsOption = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Who speaks: NAME, agent:NAME or human:NAME. Default: the login name, a person on a terminal.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")]


def options(json: JsonOption = False, store: StoreOption = None, speaker: AsOption = None) -> None:
    """Carries their annotations."""
