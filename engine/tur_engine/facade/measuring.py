"""How the store fares: counts, what waits, how sure and how quick the gate is."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from ..detect import feedback
from ..govern.statement import ACT_OF
from ..ledger import Reads, pace, witness
from ..ledger.codec import unstamp
from ..records import AgentRate, Band, Calibration, Disk, Health, Pace, Verb
from ..text import counted
from .store import Store

TENTHS = 10


class Measuring(Store):
    """How the store fares; nothing here writes."""

    def health(self) -> Health:
        """Return the facts of the store; what lies outside of the ledger (pace, witness, disk) is as of now."""
        with self._reads() as (_, reads):
            last = reads.last_event()
            checkpoints, checkpoint = reads.signed(ACT_OF)
            agents = [AgentRate(author=who, memories=n, clashing=c) for who, (n, c) in reads.arrivals().items()]
            took = pace.read(self._ledger.store_id, last)
            return Health(
                counts=reads.census(),
                open_since=tuple(reads.open_since()),
                agents=tuple(sorted(agents, key=lambda each: (-each.memories, str(each.author)))),
                calibration=self._calibration(reads),
                weighed=_pace([each.weighed for each in took]),
                learned=_pace([each.whole for each in took]),
                head=self._ledger.tree_head(self.as_of),
                at=unstamp(reads.event(last)[0]),
                checkpoints=checkpoints,
                checkpoint=checkpoint,
                witness="; ".join(filter(None, (_seen(self._ledger.store_id), self.former()))),
                disk=_disk(self.path),
            )

    def advice(self) -> feedback.Advice:
        """Return what people's decisions say about the threshold."""
        with self._reads() as (_, reads):
            return feedback.advise(_decided(reads), self.threshold)

    def _calibration(self, reads: Reads) -> Calibration:
        decided = _decided(reads)
        advice = feedback.advise(decided, self.threshold)
        return Calibration(
            threshold=advice.threshold,
            dismissed=advice.dismissed,
            settled=advice.settled,
            needed=feedback.FEWEST,
            bands=tuple(_bands(decided)),
            advice=advice.sentence,
        )


def _decided(reads: Reads) -> list[feedback.Decided]:
    return [
        feedback.Decided(each.probability, each.verb is not Verb.DISMISS)
        for each in reads.decisions()
        if feedback.speaks(each.by, each.verb, each.detected_by)
    ]


def _bands(decided: Sequence[feedback.Decided]) -> Iterable[Band]:
    for tenth in range(TENTHS):
        inside = [each for each in decided if min(int(each.probability * TENTHS), TENTHS - 1) == tenth]
        if inside:
            yield Band(
                low=tenth / TENTHS,
                high=(tenth + 1) / TENTHS,
                said=sum(each.probability for each in inside) / len(inside),
                decided=len(inside),
                clashes=sum(each.clash for each in inside),
            )


def _pace(seconds: Sequence[float]) -> Pace:
    if not seconds:
        return Pace(answers=0)
    ordered = sorted(1000 * each for each in seconds)

    def at(share: float) -> float:
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    return Pace(answers=len(ordered), p50=at(0.5), p95=at(0.95), p99=at(0.99), worst=ordered[-1])


def _seen(store: str) -> str:
    try:
        known = witness.read(store)
    except (OSError, ValueError):
        return f"{witness.place(store)} cannot be read"
    return witness.NONE if known is None else f"this machine saw {counted(known.size, 'event')}, root {known.root[:16]}"


def _disk(path: Path) -> Disk:
    log = path.with_name(f"{path.name}-wal")
    sizes = [0, 0]
    for place, file in enumerate((path, log)):
        with suppress(OSError):
            sizes[place] = file.stat().st_size
    free = 0
    with suppress(OSError):
        free = shutil.disk_usage(path.parent).free
    return Disk(store=sizes[0], log=sizes[1], free=free)
