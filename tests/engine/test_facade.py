"""The rest of what surfaces ask of the facade: notes, lists, the past, threads."""

from __future__ import annotations

import threading

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store, draft_of
from tur_engine.errors import BadInput, NotAllowed, ReadOnlyStore
from tur_engine.records import MemoryType, Status, Verb

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"


@pytest.fixture
def pair(store: Store) -> Store:
    store.script.clash(ALEMBIC, PRISMA)
    store.known(ALEMBIC, AGENT)
    return store


def test_a_note_is_never_stopped_and_says_what_it_clashes_with(pair: Store) -> None:
    result = pair.seen_by(AGENT).note(PRISMA, session="s-1")
    (clash,) = result.clashes
    assert pair.engine.memory(clash).memory.content == ALEMBIC
    assert result.warnings == (f'this note clashes with {pair.engine.short(clash)} ("{ALEMBIC}")',)
    assert pair.engine.history()[-1].seq == result.seq
    assert pair.live() == {ALEMBIC}
    assert pair.texts("prisma") == []
    assert pair.engine.conflicts(all=True) == []
    assert not pair.engine.memories()[0].contested
    pair.verified()


def test_a_note_about_an_invariant_warns_too(store: Store) -> None:
    store.script.clash("Secrets never enter the log", "Secrets are in the log today")
    store.approve("Secrets never enter the log")
    result = store.engine.note("Secrets are in the log today")
    assert len(result.clashes) == 1
    assert store.engine.note("The kettle is new").warnings == ()


@pytest.mark.parametrize("text", ["", " \n ", "\u200b", "x" * 8193, "\x1b]0;x\x07", "\udc80"])
def test_a_note_that_may_not_be_kept_is_refused(store: Store, text: str) -> None:
    with pytest.raises(BadInput):
        store.engine.note(text)
    assert store.engine.head() == 1


def test_lists_are_newest_first_and_page_on(store: Store) -> None:
    for number in range(7):
        store.known(f"Rule {number} of the house", topic=str(number), type="preference" if number % 2 else "fact")
    first = store.engine.memories(limit=3)
    assert [b.memory.content.split()[1] for b in first] == ["6", "5", "4"]
    second = store.engine.memories(limit=3, after=first[-1].memory.seq)
    assert [b.memory.content.split()[1] for b in second] == ["3", "2", "1"]
    odd = store.engine.memories(type=MemoryType.PREFERENCE)
    assert [b.memory.content.split()[1] for b in odd] == ["5", "3", "1"]


def test_lists_by_status_tell_suspects_apart(pair: Store) -> None:
    (old,) = pair.engine.memories()
    pair.known("Revision files live under versions", rests_on=[old.id])
    conflict = pair.held(PRISMA)

    def texts(*statuses: Status) -> list[str]:
        return [b.memory.content for b in pair.engine.memories(status=statuses)]

    assert texts(Status.HELD) == [PRISMA]
    assert texts(Status.SUSPECT) == []
    pair.settle(conflict, Verb.SUPERSEDE)
    assert texts(Status.SUSPECT) == ["Revision files live under versions"]
    assert texts(Status.ACTIVE) == [PRISMA]
    assert texts(Status.SUPERSEDED) == [ALEMBIC]
    assert texts(Status.ACTIVE, Status.SUSPECT) == [b.memory.content for b in pair.engine.memories()]
    counts = pair.engine.status().memories
    assert counts == {Status.ACTIVE: 1, Status.SUSPECT: 1, Status.SUPERSEDED: 1}


def test_the_past_reads_as_it_was_and_writes_nothing(pair: Store) -> None:
    conflict = pair.held(PRISMA, OTHER)
    seq = pair.engine.head()
    pair.settle(conflict, Verb.SUPERSEDE)
    past = pair.engine.at(seq)
    assert past.head() == seq
    assert past.read_only
    assert [b.memory.content for b in past.memories()] == [ALEMBIC]
    (then,) = past.conflicts()
    assert (then.state, then.settlement, then.challenger.status) == ("detected", None, Status.HELD)
    assert past.memory(conflict.incumbent.id).contested
    assert past.edges(conflict.incumbent.id)[0].type == "contradicts"
    assert past.status().open_conflicts == 1
    assert [e.seq for e in past.history()] == list(range(1, seq + 1))
    with pytest.raises(BadInput, match="there is no event"):
        past.entries([seq + 1])
    for act in (
        lambda: past.learn(draft_of(PRISMA)),
        lambda: past.resolve(conflict.id, Verb.DISMISS),
        lambda: past.undo(),
        lambda: past.note("x"),
        lambda: past.reaffirm(conflict.incumbent.id),
        lambda: past.learn_many([]),
        lambda: past.rebuild(),
    ):
        with pytest.raises(ReadOnlyStore, match=f"as of event {seq}"):
            act()
    for seq in (0, -1, 99):
        with pytest.raises(BadInput, match="there is no event"):
            pair.engine.at(seq)


def test_closing_a_view_of_the_past_leaves_the_engine_open(pair: Store) -> None:
    with pair.engine.at(1) as past:
        assert past.memories() == []
    assert pair.live() == {ALEMBIC}


def test_one_engine_serves_several_threads(pair: Store) -> None:
    """Readers keep reading whole states while a writer decides and takes back."""
    conflict = pair.held(PRISMA)
    pair.settle(conflict, Verb.SUPERSEDE)
    failures: list[BaseException] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                live = pair.live()
                assert live in ({ALEMBIC}, {PRISMA})
                for open_conflict in pair.engine.conflicts():
                    assert open_conflict.challenger.status is Status.HELD
        except BaseException as e:
            failures.append(e)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for _ in range(6):
        pair.engine.undo()
        pair.engine.undo(f"#{pair.engine.head()}")
    done.set()
    for reader in readers:
        reader.join()
    assert failures == []


def test_short_ids_grow_where_they_must_and_work_everywhere(pair: Store) -> None:
    conflict = pair.held(PRISMA, AGENT)
    short = pair.engine.short(conflict.challenger.id)
    assert short == conflict.challenger.id[: len("fact-") + 8]
    assert pair.engine.memory(short).id == conflict.challenger.id
    assert pair.engine.memory(short.removeprefix("fact-").upper()).id == conflict.challenger.id
    assert pair.engine.conflict(pair.engine.short(conflict.id)).id == conflict.id
    assert pair.engine.conflict(conflict.id.removeprefix("conflict-")[:6]).id == conflict.id
    assert pair.engine.edges(short) == pair.engine.edges(conflict.challenger.id)
    assert pair.engine.preview(pair.engine.short(conflict.id), Verb.ABORT).allowed
    pair.engine.resolve(pair.engine.short(conflict.id), Verb.SUPERSEDE)
    assert pair.engine.undo(pair.engine.short(conflict.id)).verb == "undo"


def test_checking_a_merged_text_writes_nothing(pair: Store) -> None:
    conflict = pair.held(PRISMA)
    head = pair.engine.head()
    result = pair.engine.check_text("Alembic here, Prisma there", conflict=conflict.id)
    assert (result.outcome, result.dry_run, result.conflicts) == ("committed", True, ())
    assert pair.engine.check_text(ALEMBIC, conflict=conflict.id).outcome == "committed", (
        "a side's own words are left out"
    )
    assert pair.engine.head() == head


def test_who_acts_is_who_opened(store: Store) -> None:
    store.learn("The kettle is new", AGENT)
    assert store.seen_by(AGENT).history()[-1].actor == AGENT
    assert store.engine.history()[0].actor == MARA


def test_a_view_of_the_past_gives_no_verdicts(store: Store) -> None:
    store.learn("Water boils at 100 degrees")
    past = store.engine.at(1)
    with pytest.raises(NotAllowed, match="about the present"):
        past.check(draft_of("Water boils at 90 degrees"))
    with pytest.raises(NotAllowed, match="about the present"):
        past.learn(draft_of("Water boils at 90 degrees"), dry_run=True)
