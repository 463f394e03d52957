"""What the sample project remembers: Tidewatch, a service that collects readings of river gauges.

`REMEMBERED` is learned first and holds together. `NEWS` is what the agent process learns afterwards; every few
steps it says something that contradicts what is there, as agents of different days and harnesses do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tur_engine.records import Author, AuthorKind, MemoryType, Scope

MARA: Final = Author(kind=AuthorKind.HUMAN, name="mara")
CLAUDE: Final = Author(kind=AuthorKind.AGENT, name="claude-code")
CODEX: Final = Author(kind=AuthorKind.AGENT, name="codex")


@dataclass(frozen=True)
class Line:
    """One memory of the script."""

    text: str
    author: Author = CLAUDE
    type: MemoryType = MemoryType.FACT
    scope: Scope = Scope()  # noqa: RUF009  (frozen)
    rests_on: str = ""
    """The text of the memory that this one depends on."""
    clashes: bool = False
    """True where the script means to contradict something."""


ALEMBIC: Final = "Database migrations run via Alembic"
PRISMA: Final = "Database migrations run via Prisma Migrate"
TOKENS: Final = "Access tokens of the gauge API expire after 15 minutes"
BACKUPS: Final = "Nightly database backups are kept for 14 days"

REMEMBERED: Final = (
    Line("Tidewatch collects water levels from river gauges and warns the towns downstream", MARA),
    Line("The backend is written in Python and served by FastAPI", CODEX),
    Line("PostgreSQL 16 holds all readings", CODEX),
    Line(ALEMBIC, CODEX),
    Line("The deploy job upgrades the schema with Alembic before it starts the backend", CODEX, rests_on=ALEMBIC),
    Line("Gauges send their readings over MQTT every ten minutes", CLAUDE),
    Line(TOKENS, MARA),
    Line("The mobile app refreshes its access token shortly before it expires", CLAUDE, rests_on=TOKENS),
    Line("The load test logs in again every quarter of an hour", CODEX, rests_on=TOKENS),
    Line("The dashboard is a React application built with Vite", CLAUDE),
    Line("Mara wants commit messages in the imperative mood", MARA, MemoryType.PREFERENCE),
    Line("Mara prefers small pull requests that one person can review in half an hour", MARA, MemoryType.PREFERENCE),
    Line("Python code is formatted with ruff", CODEX, MemoryType.PREFERENCE),
    Line(BACKUPS, CODEX),
    Line("The restore drill replays a backup that is one week old", CODEX, rests_on=BACKUPS),
    Line("Flood warnings go out by SMS and by e-mail", MARA),
    Line("The staging database listens on port 5432", CODEX),
    Line("The first gauge went live at the mill bridge on 3 March 2025", MARA, MemoryType.EVENT),
    Line("Readings older than five years are moved to cold storage", CODEX),
    Line(
        "Mara decided to keep the map tiles on our own server, because the public one was blocked during the May flood",
        MARA,
        MemoryType.INSIGHT,
    ),
    Line("Feature branches are merged with a squash commit", MARA, MemoryType.PREFERENCE),
    Line("The public dashboard is never shown behind a login", MARA),
    Line("Sentry receives the errors of backend and dashboard", CLAUDE),
    Line("Water levels are stored in centimetres above the gauge datum", CODEX),
    Line("On-call duty changes every Monday at nine", MARA),
)
"""Holds together: the gate commits every line."""

NEWS: Final = (
    Line(PRISMA, CLAUDE, clashes=True),
    Line("The dashboard shows the forecast of the weather service beside each gauge", CLAUDE),
    Line("Gauge firmware is updated over the air at night", CODEX),
    Line("The staging database listens on port 6432", CLAUDE, clashes=True),
    Line("Translations of the dashboard are kept in JSON files, one a language", CLAUDE),
    Line("Mara wants commit messages in the past tense", CODEX, MemoryType.PREFERENCE, clashes=True),
    Line("The e-mail gateway moved to a second provider after the outage in October", MARA, MemoryType.EVENT),
    Line("The towns asked for a weekly report as a PDF file", CLAUDE),
    Line("Access tokens of the gauge API expire after 24 hours", CODEX, clashes=True),
    Line("Each gauge reports the charge of its battery once a day", CODEX),
    Line("Nightly database backups are kept for 30 days", CLAUDE, clashes=True),
    Line("Maps are drawn with MapLibre", CLAUDE),
    Line("The public dashboard requires a login", CODEX, clashes=True),
    Line("Rain radar pictures arrive every five minutes", CODEX),
    Line("Water levels are stored in metres above sea level", CLAUDE, clashes=True),
    Line("Two volunteers check the gauge at the mill bridge every spring", MARA),
)
"""What happens while somebody watches; `clashes` marks what the gate is expected to stop."""
