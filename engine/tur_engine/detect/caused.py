"""A report of what a failure came from contradicts no statement of how things are arranged.

`Flaky test runs came from a rate limit` beside `Tests run on every push`: they share the tests, and no more. Two
reports of one failure may well contradict each other.
"""

from __future__ import annotations

from ..patterns import later
from ..records import Evidence
from .pair import Pair
from .reading import Reading, Token

_FAILURES = later(
    r"\b(?:flak\w*|fail\w*|errors?|faults?|outages?|crash\w*|time-?outs?|timed out|incidents?|hang|hung|leak\w*"
    r"|broke\w*|break\w*|slow\w*|spikes?|delays?|alerts?|post-?mortems?|blam\w*|down|bugs?|problems?|causes?|caused|because|due"
    r"|reasons?|since|went|lost|rejected|wrong)\b"
)
_CAME = later(r" (?:came from|was caused by|were caused by|was due to|were due to|stemmed from|was down to) ")
_SUBJECT = 6
"""Words of a report's subject, with which it opens."""
_PAST = later(r"\b(?:was|were|had|did|no longer|nothing to do|part in)\b")


def caused(pair: Pair) -> Evidence | None:
    """Return the guard where one side says what a failure came from, and the other speaks of no failure."""
    for report, other, first in ((pair.a, pair.b, True), (pair.b, pair.a, False)):
        told = _told(report)
        if told and not _FAILURES.search(other.folded) and not _PAST.search(other.folded):
            words = [told, []] if first else [[], told]
            sentence = "One says what a failure came from, the other speaks of no failure."
            return pair.evidence("different", -4.0, sentence, *words)
    return None


def _told(reading: Reading) -> list[Token]:
    """Return the subject of a report, where that is a failure; none where there is no report."""
    match = _CAME.search(reading.line)
    if match is None:
        return []
    count = len(reading.line[: match.start()].split())
    subject = [t for t in reading.tokens if t.kind != "sign"][:count]
    return subject if len(subject) <= _SUBJECT and _FAILURES.search(" ".join(t.text for t in subject)) else []
