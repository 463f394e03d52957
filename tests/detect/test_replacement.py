"""Replacement words: what was dropped, renamed or moved off, while the other side still has it."""

from __future__ import annotations

import pytest

from tests.detect.sides import evidence, weight
from tur_engine.detect.change import changes
from tur_engine.detect.reading import read


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Stack: Flask + MariaDB.", "We moved the stack from MariaDB to CockroachDB."),
        ("Kofi is assigned to Project Heron.", "Kofi was moved from Project Heron to Project Tern."),
        ("Lena owns a blue canoe.", "Lena sold the blue canoe last week."),
        ("MLflow is our model registry.", "Weights & Biases has replaced MLflow as the model registry."),
        ("Storybook documents the components.", "Storybook was dropped."),
        ("References are kept in Zotero.", "The group has left Zotero."),
        ("The checkout runs on MySQL.", "The checkout was migrated from MySQL to Postgres."),
        ("缓存用Redis。", "缓存从Redis改用Valkey。"),
    ],
)
def test_what_was_given_up_is_still_held(old: str, new: str) -> None:
    assert weight(old, new, "replacement") > 0.3
    assert weight(new, old, "replacement") == weight(old, new, "replacement")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The registry is Weights & Biases.", "Weights & Biases has replaced MLflow."),
        ("The stack was moved from MariaDB to CockroachDB.", "We moved the stack from MariaDB to CockroachDB."),
        ("MariaDB is used by the shop.", "The shop did not drop MariaDB."),
        ("Plums ripen in September.", "The old bridge was removed."),
    ],
)
def test_the_new_thing_the_same_story_and_a_denial_do_not(old: str, new: str) -> None:
    assert weight(old, new, "replacement") <= 0


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("We moved the stack from MariaDB to CockroachDB.", "mariadb", "cockroachdb"),
        ("Kafka replaced RabbitMQ.", "rabbitmq", "kafka"),
        ("RabbitMQ was replaced by Kafka.", "rabbitmq", "kafka"),
        ("Storybook was dropped.", "storybook", ""),
        ("We dropped Storybook.", "storybook", ""),
    ],
)
def test_old_and_new_are_read(text: str, old: str, new: str) -> None:
    (change,) = changes(read(text))
    assert " ".join(t.text for t in change.old) == old
    assert " ".join(t.text for t in change.new) == new


def test_the_sentence_names_both_sides() -> None:
    found = evidence("References are kept in Zotero.", "The group has left Zotero.", "replacement")
    assert found is not None
    assert found.sentence == '"Zotero" was given up, says the other side: "left Zotero".'
