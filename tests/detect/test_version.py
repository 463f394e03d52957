"""Versions: a prefix matches (15 and 15.4), bounds leave room (>= 3.10 and 3.12), others clash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.detect.sides import weight

versions = st.lists(st.integers(0, 40), min_size=2, max_size=3).map(lambda parts: ".".join(map(str, parts)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The project uses Python 3.11.", "The project uses Python 3.12."),
        ("Driftmoor runs on Godot 4.2.", "Driftmoor runs on Godot 4.3."),
        ("Staging's database is PostgreSQL 15.", "Staging's database is PostgreSQL 13.11."),
        ("The project requires Python >= 3.12.", "The project requires Python 3.10."),
        ("The library is at v1.2.3.", "The library is at v1.3.0."),
    ],
)
def test_other_versions_clash(old: str, new: str) -> None:
    assert weight(old, new, "version") > 0.5


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The project requires Python >= 3.10.", "The project runs Python 3.12."),
        ("The project requires Python 3.10 or newer.", "The project runs Python 3.12."),
        ("Staging's database is PostgreSQL 15.", "Staging's database is PostgreSQL 15.4."),
        ("The mobile app is on Node 20.", "The mobile app has 20 screens."),
    ],
)
def test_versions_that_leave_room_do_not(old: str, new: str) -> None:
    assert weight(old, new, "version") == 0


@given(versions)
def test_a_version_agrees_with_its_own_prefix(version: str) -> None:
    major = version.rsplit(".", 1)[0] if version.count(".") > 1 else version
    assert weight(f"The service runs on Go {version}.", f"The service runs on Go {major}.", "version") == 0
