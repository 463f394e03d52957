"""The commands of `tur`, one file a family."""

from __future__ import annotations

from . import (
    calibrate,
    conflicts,
    graph,
    history,
    init,
    learn,
    note,
    program,
    prove,
    recall,
    resolve,
    status,
    submitting,
)

SUMMARY = """Memory for agents, with a door: what contradicts is stopped, shown and settled.

Exit codes: 0 done, 1 error, 2 usage or bad value, 3 conflict held, 4 clash with an invariant,
5 integrity failure, 130 Ctrl-C.
"""

app = program.new("tur", SUMMARY)
for family in (init, learn, note, recall, status, submitting, conflicts, resolve, history, prove, graph, calibrate):
    family.register(app)
