"""Numbers with units: equal values in other units agree, values that exclude each other clash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.detect.sides import evidence, pair, weight
from tur_engine.detect.bounds import AT_LEAST, AT_MOST
from tur_engine.detect.measures import measure
from tur_engine.detect.reading import read

CLASHES = [
    ("The gateway waits 30 seconds.", "The gateway waits 45 seconds."),
    ("Uploads are capped at 1 GiB.", "Uploads are capped at 1 GB."),
    ("retries: 3", "retries: 5"),
    ("Membership costs €19.", "Membership costs 25 euros."),
    ("The tank holds twelve litres.", "The tank holds 15 litres."),
    ("A crew holds at most four players.", "A crew holds six players."),
    ("The job needs at least 16 GB of RAM.", "The job needs 8 GB of RAM."),
    ("Backups run every 5 minutes.", "Backups run hourly."),
    ("El tiempo de espera es de 30 segundos.", "El tiempo de espera es de 60 segundos."),
    ("Le délai est de 30 secondes.", "Le délai est de 45 secondes."),
    ("Die Frist beträgt 14 Tage.", "Die Frist beträgt 30 Tage."),
    ("超时时间是30秒。", "超时时间是60秒。"),
]
AGREEMENTS = [
    ("The gateway waits 30 seconds.", "The gateway waits 30000 ms."),
    ("Retention is 2 weeks.", "Retention is 14 days."),
    ("Quota: 2 GB", "Quota: 2000 MB"),
    ("The tower bell weighs 2.4 t.", "The tower bell weighs 2400 kg."),
    ("The job needs at least 16 GB of RAM.", "The job has 32 GB of RAM."),
    ("A crew holds at most four players.", "The crew holds three players."),
    ("The build takes about 30 s.", "The build takes 31 s."),
    ("Backups run every 24 hours.", "Backups run daily."),
    ("The fridge is at 4 °C.", "The fridge is at 277.15 kelvin."),
    ("The trial lasts three months.", "The trial lasts 90 days."),
]


@pytest.mark.parametrize(("old", "new"), CLASHES)
def test_values_that_exclude_each_other_clash(old: str, new: str) -> None:
    assert weight(old, new, "number") > 0.5
    assert weight(new, old, "number") == weight(old, new, "number")


@pytest.mark.parametrize(("old", "new"), AGREEMENTS)
def test_equal_and_compatible_values_do_not(old: str, new: str) -> None:
    assert weight(old, new, "number") == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The build takes 11 minutes.", "The office has 40 desks."),  # other dimension, other subject
        ("120 g protein a day", "Squat record 100 kg"),
        ("Ward 4 has 22 beds.", "Ward 6 has 22 beds."),  # the number names the subject
        ("Bus 14 leaves every 20 minutes.", "Bus 41 leaves every 20 minutes."),
        ("40 of the meters hung.", "560 of the meters did not hang."),
    ],
)
def test_numbers_of_other_things_do_not(old: str, new: str) -> None:
    assert weight(old, new, "number") <= 0


def test_the_sentence_and_the_spans_show_both_values() -> None:
    old, new = "The gateway waits 30 seconds.", "Our gateway waits 45 s."
    found = evidence(old, new, "number")
    assert found is not None
    assert (found.incumbent_words, found.challenger_words) == ("30 seconds", "45 s")
    assert [old[a:b] for a, b in found.incumbent_spans] == ["30 seconds"]
    assert [new[a:b] for a, b in found.challenger_spans] == ["45 s"]
    assert "30 seconds" in found.sentence
    assert "45 s" in found.sentence


@pytest.mark.parametrize(
    ("text", "bound", "base"),
    [
        ("at least 5 MB", AT_LEAST, 5e6),
        ("no more than 10 minutes", AT_MOST, 600.0),
        ("up to 2 kg", AT_MOST, 2.0),
        ("no fewer than 3 days", AT_LEAST, 259200.0),
        (">= 4 GiB", AT_LEAST, 4 * 1024.0**3),
        ("5 hours or more", AT_LEAST, 18000.0),
    ],
)
def test_bounds_are_read(text: str, bound: str, base: float) -> None:
    (quantity,) = measure(read(text)).quantities
    assert quantity.bound == bound
    assert quantity.base == pytest.approx(base)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10,000 rows", 10000.0),
        ("3.3k requests", 3300.0),
        ("thirty five sheep", 35.0),
        ("half a dozen eggs", 6.0),
        ("two and a half kilos", 2.5),
        ("1,5 kg", 1.5),
    ],
)
def test_numbers_are_read_as_written(text: str, value: float) -> None:
    (quantity,) = measure(read(text)).quantities
    assert quantity.value == pytest.approx(value)


@given(st.integers(1, 5000))
def test_seconds_and_milliseconds_are_one_value(seconds: int) -> None:
    old, new = f"The timeout is {seconds} s.", f"The timeout is {seconds * 1000} ms."
    assert weight(old, new, "number") == 0
    assert pair(old, new).measures.agreed


@given(st.integers(1, 900), st.sampled_from(["MB", "kB", "GB", "TB"]))
def test_binary_and_decimal_sizes_are_never_one_value(size: int, unit: str) -> None:
    binary = unit[0].upper() + "iB"
    assert weight(f"The cap is {size} {unit}.", f"The cap is {size} {binary}.", "number") > 0


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_two_plain_values_clash_exactly_when_they_differ(one: int, other: int) -> None:
    assert (weight(f"The limit is {one} rows.", f"The limit is {other} rows.", "number") > 0) is (one != other)
