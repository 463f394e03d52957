"""What is made of other memories, or of a graph, says where it was made: repository, branch and commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_place import COMMIT, repository
from tests.engine.scripted import Store
from tests.introspect.test_commit import graph, node
from tur_engine.records import Verb

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"


@pytest.fixture
def stamp(workdir: Path) -> dict[str, str]:
    """Stand in a repository; returns what is known of it."""
    repository(workdir)
    return {"repository": workdir.name, "branch": "feature/x", "commit": COMMIT}


def merged(store: Store) -> dict[str, str]:
    store.script.clash(ALEMBIC, PRISMA)
    store.known(ALEMBIC)
    done = store.engine.resolve(store.held(PRISMA).id, Verb.MERGE, text="Alembic for the archive, Prisma elsewhere")
    return store.engine.memory(done.memory_id or "").memory.provenance


def test_a_merged_text(store: Store, stamp: dict[str, str]) -> None:
    assert merged(store) == stamp
    store.verified()


def test_the_nodes_of_a_graph(store: Store, stamp: dict[str, str]) -> None:
    report = store.engine.commit_graph(graph(node("go", "The services are written in Go")))
    assert store.engine.memory(report.nodes[0].id).memory.provenance == stamp | {"node": "go"}
    store.verified()


def test_of_who_works_elsewhere_nothing_is_known(store: Store, stamp: dict[str, str]) -> None:
    store.engine.stamped = False
    assert merged(store) == {}


def test_it_is_where_one_stands_now(store: Store, stamp: dict[str, str], workdir: Path) -> None:
    assert store.engine.stamp() == stamp
    (workdir / ".git" / "HEAD").write_text("ref: refs/heads/other\n")
    assert store.engine.stamp() == {"repository": workdir.name, "branch": "other"}
