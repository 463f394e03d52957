"""All kinds together: order, symmetry, spans, what users complained of elsewhere, and speed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.detect import test_guards, test_negation, test_slot
from tests.detect.sides import balance, pair
from tur_engine.detect.evidence import GUARDS, KINDS, gather

POOL = sorted(
    {
        text
        for both in (
            *test_negation.CLASHES,
            *test_negation.COMPATIBLE,
            *test_slot.CLASHES,
            *test_slot.OTHERS,
            *(p for cases in test_guards.CASES.values() for p in cases),
        )
        for text in both
    }
)
texts = st.sampled_from(POOL)


def test_kinds_are_many_and_unique() -> None:
    assert len(set(KINDS)) == len(KINDS)
    assert set(GUARDS) < set(KINDS)


@given(texts, texts)
def test_evidence_is_the_same_whichever_came_first(one: str, other: str) -> None:
    there = Counter((e.kind, e.weight) for e in gather(pair(one, other)))
    back = Counter((e.kind, e.weight) for e in gather(pair(other, one)))
    assert there == back


@given(st.one_of(texts, st.text(min_size=1, max_size=60)), st.one_of(texts, st.text(min_size=1, max_size=60)))
def test_any_two_texts_give_ordered_evidence_with_spans_inside(one: str, other: str) -> None:
    found = gather(pair(one, other))
    assert list(found) == sorted(found, key=lambda e: (-e.weight, KINDS.index(e.kind)))
    for e in found:
        assert e.kind in KINDS
        assert e.weight != 0
        assert e.guard is (e.kind in GUARDS)
        assert e.sentence
        for text, spans in ((one, e.incumbent_spans), (other, e.challenger_spans)):
            assert all(0 <= a < b <= len(text) for a, b in spans)
            assert list(spans) == sorted(spans)


@given(texts)
def test_a_text_never_clashes_with_itself(text: str) -> None:
    assert all(e.guard for e in gather(pair(text, text)))


# Complaints about other memory systems, in words of our own: missed clashes.
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My favourite cyclist is Dana.", "My favourite cyclist is now Ilya."),
        ("User is called Mira.", "User is called Tomas."),
        ("Kofi is assigned to Project Heron.", "Kofi was moved from Project Heron to Project Tern."),
        ("Lena owns a blue canoe.", "Lena sold the blue canoe last week."),
        ("Ravi is drinking oat milk.", "Ravi is not drinking oat milk any more."),
        ("Stack: Flask + MariaDB.", "We moved the stack from MariaDB to CockroachDB."),
        ("The release lead is Alma.", "The release lead is Bruno."),
        ("Sam works at Vega.", "Sam works at Lyra."),
        ("Ship date: 3 June", "Ship date: 9 July"),
        ("Office is in Turin.", "Office is in Porto."),
        ("My desk lamp is green.", "My desk lamp is amber."),
        ("Orbit is based in Oslo.", "Orbit's head office is in Riga."),
        ("Elin lives in Bergen.", "Elin lives in Lund."),
        ("Deploys happen on Tuesday.", "Deploys happen on Friday."),
        ("I enjoy coriander.", "I can't stand coriander."),
        ("Port is 8080.", "Port is 9090."),
        ("Cap is 3.3k req/s at 128 workers.", "Cap is 9k req/s at 128 workers."),
        ("Invoices are net 30.", "Invoices are net 45."),
        ("ZQT signed the lease.", "ZQT terminated the lease."),
        ("Project uses Python 3.11.", "Project uses Python 3.12."),
        ("The backend is written in Go.", "The backend is written in C#."),
        ("CI runs on Jenkins.", "CI runs on GitHub Actions."),
        ("Releases are signed.", "Releases aren't signed."),
    ],
)
def test_complaints_of_missed_clashes(old: str, new: str) -> None:
    assert balance(old, new) > 0.5


# The same list's other half: cries of wolf.
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User likes tea.", "User likes coffee."),
        ("Noor works at Brightfield as an auditor.", "Noor administers Brightfield's Git hosting."),
        ("Hall sensor flap: known, no action.", "Hall sensor turned on."),
        ("The cache no longer evicts early.", "The queue no longer drops retries."),
        ("Ana heads sales at Orbit.", "Bo heads legal at Orbit."),
        ("Ana heads sales at Orbit.", "Orbit is based in Oslo."),
        ("Elin knows Aki.", "Elin knows Sam."),
        ("Likes the ramen at Kumo.", "Likes the gyoza at Kumo."),
        ("120 g protein a day", "Squat record 100 kg"),
        ("120 g protein a day", "Trains on Mondays"),
        ("The search index is rebuilt nightly.", "Plums ripen in September."),
        ("Staging uses port 5432", "Production uses port 6432"),
        ("The app supports PostgreSQL", "The app supports MySQL"),
        ("The payment service is written in Go", "Checkout depends on the payment service"),
        ("The ledger is append-only, not editable", "The ledger is append-only"),
        ("Database migrations run via Alembic", "We migrate the database with Alembic"),
        ("Database migrations run via Alembic", "Should database migrations run via Prisma Migrate?"),
    ],
)
def test_complaints_of_cries_of_wolf(old: str, new: str) -> None:
    assert balance(old, new) <= 0.1
