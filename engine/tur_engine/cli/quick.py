"""The commands that agents call all the time, each without the others' modules: half of a cold start is imports."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

FAMILIES = {
    "learn": "learn",
    "note": "note",
    "recall": "recall",
    "list": "recall",
    "show": "recall",
    "context": "context",
    "status": "status",
    "conflicts": "conflicts",
    "guard": "guard",
    "hook": "hooks",
    "detect": "detect",
}
"""Which module has which command."""


def program_for(arguments: Sequence[str]) -> typer.Typer:
    """Return `tur` with the family that the command line names first, or whole."""
    if arguments and (family := FAMILIES.get(arguments[0])) is not None:
        from . import program

        app = program.new("tur", "")
        import_module(f".{family}", __package__).register(app)
        return app
    from .app import app as whole

    return whole
