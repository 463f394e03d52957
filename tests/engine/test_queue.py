"""The order of the queue, and its first few without reading the rest."""

from __future__ import annotations

from pathlib import Path

from tests.engine.scripted import Store
from tur_engine.records import Verb


def test_the_first_few_are_those_that_all_begin_with(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for number, probability in enumerate((0.7, 0.95, 0.7, 0.8)):
        old, new = f"Limit {number} is five", f"Limit {number} is nine"
        store.script.clash(old, new, probability=probability)
        known = store.known(old)
        if number == 2:
            store.learn("Clients wait five seconds", rests_on=[known])
        store.learn(new)
    queue = store.engine.conflicts()
    assert [each.incumbent.memory.content[6] for each in queue] == ["1", "3", "2", "0"]  # 2 has a dependant
    for limit in range(6):
        assert store.engine.conflicts(limit=limit) == queue[:limit]
    store.engine.resolve(queue[0].id, Verb.DISMISS)
    assert [each.id for each in store.engine.conflicts(all=True)][-1] == queue[0].id
    assert store.engine.conflicts(all=True, limit=3) == store.engine.conflicts(all=True)[:3]
