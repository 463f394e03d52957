"""The commands of `tur-adm`."""

from __future__ import annotations

from . import keys, memory, persona, program, proposal, quarantine, resolve, upkeep

SUMMARY = """The store's keeper: sign what is to hold, settle as a person, back up and rebuild.

Exit codes as for tur.
"""

app = program.new("tur-adm", SUMMARY, people_only=True)
resolve.register(app)
proposal.register(app)
keys.register(app)
memory.register(app)
quarantine.register(app)
persona.register(app)
upkeep.register(app)
