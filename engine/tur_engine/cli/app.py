"""The commands of `tur`, one file a family."""

from __future__ import annotations

from . import (
    calibrate,
    completion,
    conflicts,
    context,
    detect,
    diff,
    doctor,
    export,
    graph,
    guard,
    history,
    hooks,
    importing,
    init,
    introspect,
    learn,
    note,
    program,
    prove,
    recall,
    render,
    resolve,
    scan,
    setup,
    status,
    submitting,
    watch,
    why,
    widen,
)

SUMMARY = """Memory for agents, with a door: what contradicts is stopped, shown and settled.

Exit codes: 0 done, 1 error, 2 usage or bad value, 3 conflict held, 4 clash with an invariant,
5 integrity failure, 130 Ctrl-C.
"""

app = program.new("tur", SUMMARY)
for family in (
    init,
    introspect,
    learn,
    note,
    recall,
    context,
    status,
    submitting,
    conflicts,
    resolve,
    history,
    diff,
    prove,
    graph,
    why,
    widen,
    export,
    importing,
    guard,
    detect,
    scan,
    render,
    setup,
    doctor,
    hooks,
    watch,
    calibrate,
    completion,
):
    family.register(app)
