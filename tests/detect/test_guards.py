"""Guards: wordings under which two texts that look opposed hold side by side."""

from __future__ import annotations

import pytest

from tests.detect.sides import balance, evidence, weight
from tur_engine.detect.evidence import GUARDS

CASES = {
    "contrast": [
        ("The ledger is append-only.", "The ledger is append-only, not editable."),
        ("Sessions last 24 hours.", "Refresh tokens, unlike sessions, last 30 days."),
    ],
    "exception": [
        ("All endpoints return JSON.", "As the one exception, the export endpoint returns CSV."),
        ("Every service logs to stdout.", "Invoicing is exempt from logging to stdout."),
        ("Alle Dienste loggen nach stdout.", "Alle Dienste außer Rechnungen loggen nach stdout."),
    ],
    "plan": [
        ("Migrations run via Alembic.", "Should migrations run via Prisma Migrate?"),
        ("The staging database runs PostgreSQL 15.", "The staging database might move to PostgreSQL 16 next quarter."),
        ("Deploys happen on Tuesday.", "There is a proposal to deploy on Friday."),
        ("Wir benutzen Redis.", "Wir überlegen, Valkey zu benutzen."),
    ],
    "past": [
        ("The API runs on Go.", "Years ago the API ran on Ruby."),
        ("The fiscal year starts in July.", "Originally the fiscal year started in January."),
    ],
    "reported": [
        ("The week begins on Sunday.", "Allegedly the week begins on Monday."),
        ("The track is closed.", "There is a rumour that the track is open."),
    ],
    "additive": [
        ("Support answers in English.", "Support also answers in German."),
        ("The app supports PostgreSQL.", "The app supports MySQL."),
    ],
    "different": [
        ("Staging uses port 5432.", "Production uses port 6432."),
        ("Debug logging is enabled in development.", "Debug logging is disabled in production."),
        ("The Android build takes 9 minutes.", "The iOS build takes 21 minutes."),
        ("Ward 4 has 22 beds.", "Ward 6 has 18 beds."),
        ("The cache no longer evicts early.", "The queue no longer drops retries."),
    ],
    "equivalent": [
        ("The timeout is 30 s.", "The timeout is 30000 ms."),
        ("The bucket is public.", "The bucket is not private."),
        ("Requires Python >= 3.10.", "The container has Python 3.12."),
    ],
}


@pytest.mark.parametrize(("kind", "old", "new"), [(k, *p) for k, pairs in CASES.items() for p in pairs])
def test_the_guard_speaks(kind: str, old: str, new: str) -> None:
    found = evidence(old, new, kind)
    assert found is not None
    assert found.guard
    assert weight(new, old, kind) == found.weight


@pytest.mark.parametrize("kind", GUARDS)
def test_guards_are_silent_on_a_plain_clash(kind: str) -> None:
    assert weight("The release lead is Alma.", "The release lead is Bruno.", kind) == 0


@pytest.mark.parametrize(
    ("plain", "guarded"),
    [
        ("Deploys happen on Friday.", "Should deploys happen on Friday?"),
        ("Deploys happen on Friday.", "Someone suggested that deploys happen on Friday."),
        ("Deploys happen on Friday.", "Originally deploys happened on Friday."),
        ("Deploys happen on Friday.", "Deploys also happen on Friday."),
    ],
)
def test_a_guard_lowers_the_balance(plain: str, guarded: str) -> None:
    assert balance("Deploys happen on Tuesday.", guarded) < balance("Deploys happen on Tuesday.", plain)


def test_a_question_alone_is_enough() -> None:
    assert balance("The cluster has 12 nodes.", "Does the cluster have 20 nodes?") < 0
