"""Dates, weekdays and times of day: parts left out match, others clash, and a day that names the subject is none."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.detect.sides import weight
from tur_engine.detect.measures import measure
from tur_engine.detect.reading import read


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The demo goes live on 12 June.", "The demo goes live on 3 July."),
        ("The deed was signed on 4 July 1998.", "The deed was signed on July 7, 1998."),
        ("Deploys happen on Tuesday.", "Deploys happen on Friday."),
        ("The lease ends in May 2026.", "The lease ends in May 2028."),
        ("Ship date: 2026-06-03", "Ship date: 2026-07-09"),
        ("Wir liefern am Dienstag.", "Wir liefern am Freitag."),
        ("La entrega es el lunes.", "La entrega es el jueves."),
        ("La livraison est le mardi.", "La livraison est le vendredi."),
        ("The user bought the house in 2019.", "The user bought the house in 2021."),
    ],
)
def test_other_days_clash(old: str, new: str) -> None:
    assert weight(old, new, "date") > 0.5


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The demo goes live on 12 June.", "The demo goes live on June 12, 2026."),
        ("The demo goes live in June.", "The demo goes live on 12 June."),
        ("Deploys happen on Tuesday.", "Deploys happen on Tuesdays."),
        ("We deploy on Fridays.", "We never deploy on Saturdays."),
        ("Monday outage: expired certificate", "Friday outage: expired certificate"),
        ("The user visited Rome in 2019.", "The user visited Rome in 2022."),
        ("The user bought shoes in March.", "The user bought shoes in April."),
    ],
)
def test_days_that_fit_do_not(old: str, new: str) -> None:
    assert weight(old, new, "date") == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Backups run at 02:30 UTC.", "Backups run at 03:45 UTC."),
        ("The market opens at 9 am.", "The market opens at half past ten."),
        ("The bus leaves at noon.", "The bus leaves at 13:00."),
    ],
)
def test_other_times_clash(old: str, new: str) -> None:
    assert weight(old, new, "time") > 0.3


@pytest.mark.parametrize(
    ("old", "new"),
    [("The bus leaves at noon.", "The bus leaves at 12:00."), ("Dinner is at 7 pm.", "Dinner is at 19:00.")],
)
def test_the_same_time_does_not(old: str, new: str) -> None:
    assert weight(old, new, "time") == 0


@given(st.integers(0, 23), st.integers(0, 59))
def test_a_clock_time_is_read_back(hour: int, minute: int) -> None:
    (moment,) = measure(read(f"It starts at {hour:02d}:{minute:02d}.")).moments
    assert moment.value == (hour * 60 + minute,)


@given(st.dates())
def test_an_iso_date_is_read_back(day: date) -> None:
    (moment,) = measure(read(f"The date is {day}.")).moments
    assert moment.value == (day.year, day.month, day.day)


@pytest.mark.parametrize(
    ("old", "new", "clash"),
    [
        ("The API listens on port 8000.", "The API listens on port 8010.", True),
        ("Port is 8080.", "Port is 9090.", True),
        ("Der Server läuft auf Port 8080.", "Der Server läuft auf Port 9090.", True),
        ("The API listens on port 8000.", "Port 8000 is where the API listens.", False),
    ],
)
def test_ports(old: str, new: str, clash: bool) -> None:
    assert (weight(old, new, "port") > 0.5) is clash
