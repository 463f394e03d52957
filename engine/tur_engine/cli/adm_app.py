"""The commands of `tur-adm`."""

from __future__ import annotations

from . import program, proposal, resolve, upkeep

SUMMARY = """The store's keeper: settle as a person, propose invariants, back up and rebuild.

Exit codes as for tur.
"""

app = program.new("tur-adm", SUMMARY, people_only=True)
resolve.register(app)
proposal.register(app)
upkeep.register(app)
