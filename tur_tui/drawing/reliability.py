"""The calibration chart: what verdicts said beside what people decided, one bar a tenth of probability."""

from __future__ import annotations

from typing import Final

from tur_engine.records import Band, Calibration

from .grid import Piece
from .wording import counted
from .wrapping import wrapped

_NEAR: Final = 0.15
"""How far what was said may lie from what people found."""
_FEW: Final = 5
"""Decisions below which a bar is chance."""
_WIDEST: Final = 40
_BESIDE: Final = 43
"""Cells of a row that are not its bar."""


def reliability(found: Calibration, width: int) -> list[list[Piece]]:
    """The section for a width; where there are too few decisions it says what is needed."""
    total = found.dismissed + found.settled
    rows: list[list[Piece]] = [[("CALIBRATION", "heading"), (f"  threshold {found.threshold:g}", "dim")]]
    if not total:
        return rows + _said(
            f"Made of people's decisions, and there is none yet: {found.needed} are needed. A conflict that is "
            "dismissed says the gate asked for nothing, every other verb that it was right to ask.",
            width,
        )
    rows.append([(f"  {counted(total, 'decision')}: {found.settled:,} clashes, {found.dismissed:,} dismissed", "dim")])
    room = max(0, min(_WIDEST, width - _BESIDE))
    if room:
        rows.append([(f"  {'verdict':9}{'│ said  ━ was a clash':{room + 3}}", "dim")])
    rows += [_row(each, room) for each in found.bands]
    return rows + _said(f"{found.advice[:1].upper()}{found.advice[1:]}.", width)


def _row(band: Band, room: int) -> list[Piece]:
    share = band.clashes / band.decided
    sure = band.decided >= _FEW and abs(share - band.said) > _NEAR
    pieces: list[Piece] = [(f"  {band.low:.0%}-{band.high:.0%}".ljust(11), "plain")]
    if room:
        cells, mark = round(share * room), min(room - 1, round(band.said * room))
        drawn = ["━" if place < cells else "·" for place in range(room)]
        before, after = "".join(drawn[:mark]), "".join(drawn[mark + 1 :])
        pieces += [*_bars(before), ("│", "mark"), *_bars(after), ("  ", "")]
    word = ("asks too readily" if share < band.said else "asks too rarely") if sure else ""
    pieces.append((f"{share:>4.0%} of {band.decided:<5,}", "strong"))
    return [*pieces, (word, "suspect")] if word else pieces


def _bars(drawn: str) -> list[Piece]:
    full = drawn.count("━")
    return [("━" * full, "bar"), ("·" * (len(drawn) - full), "rest")]


def _said(sentence: str, width: int) -> list[list[Piece]]:
    return [[(f"  {line}", "dim")] for line in wrapped(sentence, max(8, width - 2))]
