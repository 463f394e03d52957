"""Who may settle what (CONTRACTS 3): what an agent may not is put before people, not refused into nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store
from tur_engine.engine import Engine
from tur_engine.errors import BadInput, NotAllowed
from tur_engine.maintain.policy import AgentMayResolve
from tur_engine.records import Author, Conflict, Verb

OLD = "The cache is Redis"
NEW = "The cache is in the process"


def prepared(store: Store, policy: AgentMayResolve, old: Author, new: Author) -> Conflict:
    for author in (MARA, AGENT, OTHER):
        store.seen_by(author)._resolver._policy = policy
    store.script.clash(OLD, NEW)
    store.known(OLD, old)
    return store.held(NEW, new)


ACT = [Verb.SUPERSEDE, Verb.MERGE, Verb.FORCE, Verb.BRANCH, Verb.DISMISS]


@pytest.mark.parametrize(
    ("policy", "old", "new", "allowed"),
    [
        (AgentMayResolve.AGENTS, AGENT, AGENT, True),
        (AgentMayResolve.AGENTS, OTHER, AGENT, True),
        (AgentMayResolve.AGENTS, OTHER, OTHER, True),
        (AgentMayResolve.AGENTS, MARA, AGENT, False),
        (AgentMayResolve.AGENTS, AGENT, MARA, False),
        (AgentMayResolve.OWN, AGENT, AGENT, True),
        (AgentMayResolve.OWN, OTHER, AGENT, False),
        (AgentMayResolve.OWN, MARA, AGENT, False),
        (AgentMayResolve.NONE, AGENT, AGENT, False),
    ],
)
@pytest.mark.parametrize("verb", [Verb.SUPERSEDE, Verb.DISMISS])
def test_what_an_agent_may_settle(
    store: Store, policy: AgentMayResolve, old: Author, new: Author, allowed: bool, verb: Verb
) -> None:
    conflict = prepared(store, policy, old, new)
    result = store.settle(conflict, verb, AGENT, reason="as I see it")
    if allowed:
        assert (result.verb, result.conflict.state) == (verb, "resolved")
        return
    assert (result.verb, result.conflict.state, result.effects) == ("escalate", "escalated", ())
    assert store.live() == {OLD}
    entry = store.engine.history()[-1]
    assert (entry.kind, entry.actor, entry.subject) == ("escalated", AGENT, conflict.id)
    assert f"{AGENT} asked for {verb}: as I see it" in entry.reason
    with pytest.raises(NotAllowed, match="waits for people"):
        store.settle(conflict, verb, AGENT)
    store.settle(conflict, Verb.SUPERSEDE, MARA)
    assert store.live() == {NEW}
    store.verified()


@pytest.mark.parametrize("policy", list(AgentMayResolve))
@pytest.mark.parametrize("verb", [Verb.REFUTE, Verb.ABORT])
def test_an_agent_may_always_take_back_its_own_newcomer(store: Store, policy: AgentMayResolve, verb: Verb) -> None:
    conflict = prepared(store, policy, MARA, AGENT)
    assert store.settle(conflict, verb, AGENT).conflict.state == "resolved"
    assert store.live() == {OLD}


def test_not_another_agents_newcomer_against_a_person(store: Store) -> None:
    conflict = prepared(store, AgentMayResolve.AGENTS, MARA, OTHER)
    assert store.settle(conflict, Verb.ABORT, AGENT).conflict.state == "escalated"


@pytest.mark.parametrize("verb", [Verb.SUPERSEDE, Verb.FORCE])
def test_one_verb_for_the_whole_case_reaches_no_persons_memory(store: Store, verb: Verb) -> None:
    persons = "The cache is Memcached"
    store.script.clash(persons, NEW)
    store.known(persons, MARA)
    conflict = prepared(store, AgentMayResolve.AGENTS, OTHER, AGENT)
    agents = next(c for c in store.engine.conflicts() if c.incumbent.memory.content == OLD)
    result = store.settle(agents, verb, AGENT, whole_case=True)
    assert result.conflict.state == "escalated"
    assert store.status(conflict.challenger.id) == "held"
    assert store.live() == {OLD, persons}


def test_an_agent_does_not_replace_a_persons_choice_that_waits(store: Store) -> None:
    second = "The cache is Memcached"
    store.script.clash(second, NEW)
    store.known(second, OTHER)
    prepared(store, AgentMayResolve.AGENTS, OTHER, OTHER)
    first, other = store.engine.conflicts()
    store.settle(first, Verb.FORCE, MARA)
    for verb in (Verb.SUPERSEDE, Verb.REFUTE):
        with pytest.raises(NotAllowed, match="has its verb from human:mara already"):
            store.settle(first, verb, AGENT)
    with pytest.raises(NotAllowed, match="has its verb from human:mara already"):
        store.settle(other, Verb.SUPERSEDE, AGENT, whole_case=True)
    with pytest.raises(NotAllowed, match="has its verb from human:mara already"):
        store.settle(other, Verb.ABORT, AGENT)
    store.settle(other, Verb.ABORT, OTHER)
    assert store.engine.conflicts() == []


def test_a_person_may_choose_on_an_escalated_pair_while_the_case_waits(store: Store) -> None:
    second = "The cache is Memcached"
    store.script.clash(second, NEW)
    store.known(second, AGENT)
    conflict = prepared(store, AgentMayResolve.AGENTS, MARA, AGENT)
    persons = next(c for c in store.engine.conflicts() if c.incumbent.memory.content == OLD)
    agents = next(c for c in store.engine.conflicts() if c.incumbent.memory.content == second)
    store.settle(persons, Verb.SUPERSEDE, AGENT)
    waiting = store.settle(persons, Verb.FORCE, MARA, reason="keep mine")
    assert waiting.conflict.state == "escalated"
    assert waiting.conflict.chosen is not None
    assert waiting.conflict.chosen.verb is Verb.FORCE
    store.settle(agents, Verb.SUPERSEDE, AGENT)
    assert store.live() == {OLD, NEW}
    assert (NEW, "competes_with", OLD) in store.edges()
    settled = store.engine.conflict(persons.id).settlement
    assert settled is not None
    assert (settled.by, settled.reason) == (MARA, "keep mine")
    assert store.status(conflict.challenger.id) == "active"
    store.verified()


def test_an_agent_takes_back_its_own_decisions_only(store: Store) -> None:
    conflict = prepared(store, AgentMayResolve.AGENTS, AGENT, AGENT)
    done = store.settle(conflict, Verb.SUPERSEDE, OTHER)
    with pytest.raises(NotAllowed, match="was decided by agent:aider"):
        store.seen_by(AGENT).undo(f"#{done.seq}")
    with pytest.raises(NotAllowed, match="agent:claude-code has no decision to undo"):
        store.seen_by(AGENT).undo()
    undone = store.seen_by(OTHER).undo()
    with pytest.raises(NotAllowed, match="was decided by agent:aider"):
        store.seen_by(AGENT).undo(f"#{undone.seq}")
    store.engine.undo(f"#{undone.seq}")
    assert store.live() == {NEW}


def test_the_setting_is_read_from_the_store(tmp_path: Path) -> None:
    Engine.init(tmp_path, actor=MARA).close()
    config = tmp_path / ".tur" / "config.toml"
    config.write_text('agent_may_resolve = "none"\n')
    with Engine.open(tmp_path, actor=AGENT) as engine:
        assert engine.settings.agent_may_resolve is AgentMayResolve.NONE
        assert engine._resolver._policy is AgentMayResolve.NONE
    config.write_text('agent_may_resolve = "all"\n')
    with pytest.raises(BadInput, match="agent_may_resolve cannot be 'all'"):
        Engine.open(tmp_path, actor=AGENT)


TABLE = {
    # policy: who wrote (incumbent, challenger) -> what an agent's own word does
    AgentMayResolve.NONE: {(AGENT, AGENT): False, (OTHER, AGENT): False, (MARA, AGENT): False, (OTHER, OTHER): False},
    AgentMayResolve.OWN: {(AGENT, AGENT): True, (OTHER, AGENT): False, (MARA, AGENT): False, (OTHER, OTHER): False},
    AgentMayResolve.AGENTS: {(AGENT, AGENT): True, (OTHER, AGENT): True, (MARA, AGENT): False, (OTHER, OTHER): True},
}


@pytest.mark.parametrize("policy", list(AgentMayResolve))
@pytest.mark.parametrize("sides", list(TABLE[AgentMayResolve.NONE]))
@pytest.mark.parametrize("verb", list(Verb))
def test_each_verb_under_each_policy(
    store: Store, policy: AgentMayResolve, sides: tuple[Author, Author], verb: Verb
) -> None:
    conflict = prepared(store, policy, *sides)
    own = verb in (Verb.REFUTE, Verb.ABORT) and sides[1] == AGENT
    result = store.settle(conflict, verb, AGENT)
    acted = TABLE[policy][sides] or own
    assert result.verb == (verb if acted else "escalate")
    assert store.engine.conflict(conflict.id).state == ("resolved" if acted else "escalated")
    assert (store.status(conflict.challenger.id) == "held") is not acted
    if not acted:
        assert store.settle(conflict, verb, MARA).conflict.state == "resolved"


@pytest.mark.parametrize("policy", list(AgentMayResolve))
@pytest.mark.parametrize("sides", list(TABLE[AgentMayResolve.NONE]))
def test_supersedes_is_the_same_word(store: Store, policy: AgentMayResolve, sides: tuple[Author, Author]) -> None:
    """Naming the incumbent at the learn decides what a verb of the same author would."""
    old, new = sides
    if new != AGENT:
        return
    for author in (MARA, AGENT, OTHER):
        store.seen_by(author)._resolver._policy = policy
    store.script.clash(OLD, NEW)
    known = store.known(OLD, old)
    store.learn(NEW, AGENT, supersedes=[known])
    assert store.live() == ({NEW} if TABLE[policy][sides] else {OLD})
