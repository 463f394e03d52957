"""Role and direction swaps: the same parts, exchanged."""

from __future__ import annotations

import pytest

from tests.detect.sides import weight

CLASHES = [
    ("Priya writes the release notes and Tomas reviews them.", "Tomas writes the release notes; Priya reviews them."),
    ("The GM drafts the rota and the head chef signs it off.", "Rota: head chef drafts, GM signs off."),
    ("Backups go from Berlin to Oslo.", "Backups go from Oslo to Berlin."),
    ("The teacher is 70B, the student 7B.", "The teacher is 7B, the student 70B."),
    ("The write is acknowledged after the fsync.", "The write is acknowledged before the fsync."),
]
COMPATIBLE = [
    (
        "Priya writes the release notes and Tomas reviews them.",
        "Release notes are written by Priya and reviewed by Tomas.",
    ),
    ("The exporter is started by the scheduler.", "The scheduler starts the exporter."),
    ("Backups go from Berlin to Oslo.", "Backups from Berlin to Oslo are encrypted."),
    ("Priya writes the release notes.", "Tomas bakes the rye bread."),
]


@pytest.mark.parametrize(("old", "new"), CLASHES)
def test_swapped_parts_clash(old: str, new: str) -> None:
    assert max(weight(old, new, "role"), weight(old, new, "antonym")) > 0.3
    assert weight(new, old, "role") == weight(old, new, "role")


@pytest.mark.parametrize(("old", "new"), COMPATIBLE)
def test_passive_and_other_parts_do_not(old: str, new: str) -> None:
    assert weight(old, new, "role") <= 0
