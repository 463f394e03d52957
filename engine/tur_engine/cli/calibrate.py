"""`tur calibrate`: how good is the verdict on labelled pairs, on a stream, by people's own decisions?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from . import program
from .call import Call, answers

_FILE = typer.Argument(metavar="FILE", help="JSON lines.")


def register(app: typer.Typer) -> None:
    """Add the family."""
    family = program.family("Measure the verdict on your own labelled data.")
    family.command("pairs")(answers(pairs, store=False))
    family.command("stream")(answers(stream, store=False))
    family.command("feedback")(answers(feedback))
    app.add_typer(family, name="calibrate")


def pairs(call: Call, file: Annotated[str, _FILE]) -> int:
    """Judge labelled pairs.

    Each line has existing and new (or a and b) and a label: conflict or compatible, contradiction,
    neutral or entailment, 1 or 0.
    """
    from ..calibrate import score_pairs

    _tell(call, score_pairs(_path(file)))
    return 0


def stream(call: Call, file: Annotated[str, _FILE]) -> int:
    """Learn a stream in order into a fresh temporary store, and count what was stopped.

    Each line has seq and content, and in conflicts_with the seq of what it contradicts. Axiom and core
    lines are learned as facts.
    """
    from ..calibrate import score_stream

    def progress(done: int, total: int) -> None:
        call.out.message(f"\r{done:,} of {total:,}", end="\n" if done == total else "")

    from .output import terminal

    _tell(call, score_stream(_path(file), progress if terminal() else None))
    return 0


def feedback(call: Call) -> int:
    """Ask people's own decisions whether this store asks too often, and propose a threshold.

    A dismissal counts as a question asked for nothing, every other decision as one that was right; what was undone
    does not count. Nothing is changed.
    """
    from ..calibrate import score_feedback

    with call.open(read_only=True) as engine:
        figures = score_feedback(engine)
    if call.json:
        call.out.json(figures)
        return 0
    sentence = figures.pop("sentence")
    _tell(call, figures)
    call.out.data(sentence)
    return 0


def _path(file: str) -> Any:
    from pathlib import Path

    return Path(file)


def _tell(call: Call, figures: dict[str, Any]) -> None:
    if call.json:
        call.out.json(figures)
        return
    rows = []
    for name, value in figures.items():
        words = name.replace("_", " ")
        if isinstance(value, dict):
            rows += [(f"{words} {key}", _figure(inner)) for key, inner in value.items()]
        else:
            rows.append((words, _figure(value)))
    call.out.rows(rows, ["dim"])


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_figure(inner)}" for name, inner in value.items())
    if value is None:
        return "none"
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
