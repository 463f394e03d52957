"""Slots: places of one value against places of many, read from alignment, `is`, frames and families of names."""

from __future__ import annotations

import pytest

from tests.detect.sides import evidence, memory, weight
from tur_engine.detect.detector import Detector
from tur_engine.detect.frames import frames
from tur_engine.detect.reading import read
from tur_engine.detect.rivalry import rival_names
from tur_engine.probe.candidate import Candidate
from tur_engine.records import Relationship

CLASHES = [
    ("The package manager is uv.", "The package manager is Poetry."),
    ("CI runs on Jenkins.", "CI runs on GitHub Actions."),
    ("The backend is written in Go.", "The backend is written in C#."),
    ("Elin lives in Bergen.", "Elin lives in Lund."),
    ("User is called Mira.", "User is called Tomas."),
    ("The release lead is Alma.", "The release lead is Bruno."),
    ("Sam works at Vega.", "Sam works at Lyra."),
    ("Office is in Turin.", "Office is in Porto."),
    ("My desk lamp is green.", "My desk lamp is amber."),
    ("My favourite cyclist is Dana.", "My favourite cyclist is now Ilya."),
    ("Odile maintains sextant.", "sextant's maintainer is Bram."),
    ("Leila owns the feature store.", "feature store → owner: Gustavo"),
    ("Rafael owns the Helm chart.", "Helm chart owner: Priyanka."),
    ("The billing worker belongs to Ravi.", "The billing worker is owned by Dmitri."),
    ("Orbit is based in Oslo.", "Orbit's head office is in Riga."),
    ("Der Paketmanager ist uv.", "Der Paketmanager ist Poetry."),
    ("El gestor de paquetes es uv.", "El gestor de paquetes es Poetry."),
    ("La base de données est PostgreSQL.", "La base de données est MySQL."),
    ("数据库是MySQL。", "数据库是PostgreSQL。"),
]
MANY_VALUED = [
    ("The app supports PostgreSQL.", "The app supports MySQL."),
    ("User likes tea.", "User likes coffee."),
    ("Elin knows Aki.", "Elin knows Sam."),
    ("Likes the ramen at Kumo.", "Likes the gyoza at Kumo."),
    ("Guides speak Spanish.", "Guides speak Portuguese."),
    ("Die App unterstützt MySQL.", "Die App unterstützt PostgreSQL."),
]
OTHERS = [
    ("Ana heads sales at Orbit.", "Bo heads legal at Orbit."),
    ("Noor works at Brightfield as an auditor.", "Noor administers Brightfield's Git hosting."),
    ("Frida maintains the CLI.", "The CLI is maintained by Frida."),
    ("We use Postgres.", "We use PostgreSQL."),
    ("The cat is called Biscuit.", "The cat is called Biscuit."),
]


ASKED = [
    ("Use npm.", "Use pnpm."),
    ("Always use yarn.", "Use npm."),
    ("Use Poetry for dependencies.", "Use uv for dependencies."),
]
NOT_ASKED = [
    ("Use npm for the frontend.", "Use yarn for the backend."),
    ("Use npm and pnpm.", "Use yarn."),
    ("Ana may use npm.", "Bo may use pnpm."),
]
ONE_JOB = [
    ("The mail host runs Postfix.", "The mail host runs Exim."),
    ("The proxy runs Nginx", "The proxy runs Caddy"),
    ("Use black for formatting.", "Use ruff for formatting."),
    ("Use Poetry for dependencies", "Use uv for dependencies"),
    ("Migrations run via Jenkins.", "Migrations run via Buildkite."),
]
OTHER_JOBS = [
    ("The mail host runs Postfix.", "The list host runs Exim."),
    ("The mail host runs Postfix.", "The mail host runs Exim too."),
    ("Some hosts runs Postfix.", "Some hosts runs Exim."),
    ("The host never runs Postfix.", "The host never runs Exim."),
    ("The importer reads CSV.", "The importer reads Parquet."),
]


@pytest.mark.parametrize(("old", "new"), ONE_JOB)
def test_one_job_is_done_by_one_tool_and_needs_no_nearness(old: str, new: str) -> None:
    assert weight(old, new, "slot") == weight(new, old, "slot") == 2.5
    (verdict,) = Detector(judge=None).weigh(memory(new, 2), [Candidate(memory(old, 1), 0.3, 0, 0.5)])
    assert verdict.relationship is Relationship.CLASH


@pytest.mark.parametrize(("old", "new"), OTHER_JOBS)
def test_other_subjects_some_and_both_leave_room_for_two_tools(old: str, new: str) -> None:
    assert weight(old, new, "slot") < 2.4
    assert weight(new, old, "slot") == weight(old, new, "slot")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The user lives in Leuven.", "The family moved to Graz over the autumn break."),
        ("The user lives in Leuven.", "They have settled in Graz."),
        ("I work at Vega.", "The user is employed by Lyra."),
    ],
)
def test_the_user_and_the_family_live_in_one_place(old: str, new: str) -> None:
    assert weight(old, new, "slot") == weight(new, old, "slot") > 0.5


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The user lives in Leuven.", "Ilse moved to Graz."),
        ("The user lives in Leuven.", "The family moved to Notion."),
        ("The user lives in Leuven.", "The family moved to a smaller flat."),
        ("The user lives in Leuven.", "The family moved to Leuven."),
    ],
)
def test_other_people_and_what_is_no_place_do_not_meet(old: str, new: str) -> None:
    assert weight(old, new, "slot") == weight(new, old, "slot") == 0


@pytest.mark.parametrize(("old", "new"), ASKED)
def test_a_rule_asks_for_one_of_two_rivals(old: str, new: str) -> None:
    assert weight(old, new, "slot") == weight(new, old, "slot") == 2.5
    assert weight(old, new, "additive") == 0


@pytest.mark.parametrize(("old", "new"), NOT_ASKED)
def test_rivals_that_are_asked_for_different_things_have_room(old: str, new: str) -> None:
    assert weight(old, new, "slot") < 1


@pytest.mark.parametrize(("old", "new"), CLASHES)
def test_a_place_of_one_value_holds_another(old: str, new: str) -> None:
    assert weight(old, new, "slot") > 0.5
    assert weight(new, old, "slot") == weight(old, new, "slot")


@pytest.mark.parametrize(("old", "new"), [*MANY_VALUED, *OTHERS])
def test_places_of_many_values_other_keys_and_the_past_do_not(old: str, new: str) -> None:
    assert weight(old, new, "slot") <= 0


def test_both_values_are_shown() -> None:
    found = evidence("The package manager is uv.", "The package manager is Poetry.", "slot")
    assert found is not None
    assert (found.incumbent_words, found.challenger_words) == ("uv", "Poetry")


@pytest.mark.parametrize(
    ("text", "relation", "key", "value"),
    [
        ("Priya owns the pricing service.", "owner", "pricing service", "priya"),
        ("The pricing service is owned by Priya.", "owner", "pricing service", "priya"),
        ("Pricing belongs to Olu.", "owner", "pricing", "olu"),
        ("Kofi is assigned to Project Heron.", "assigned", "kofi", "project heron"),
        ("The parser is Joon's.", "owner", "parser", "joon"),
        ("workers/billing has Dmitri as its owner.", "owner", "workers billing", "dmitri"),
    ],
)
def test_frames_are_read(text: str, relation: str, key: str, value: str) -> None:
    found = [
        (f.relation, " ".join(t.text for t in f.key), " ".join(t.text for t in f.value)) for f in frames(read(text))
    ]
    assert (relation, key, value) in found


def test_what_is_denied_or_over_is_no_frame() -> None:
    assert frames(read("Priya does not own the pricing service.")) == ()
    assert frames(read("Beatriz lived in Recife before.")) == ()


def test_two_letter_names_have_rivals() -> None:
    (found,) = rival_names(read("Packages come from uv"), read("Packages come from pip"))
    assert [t.text for side in found[:2] for t in side] == ["uv", "pip"]


def test_the_verb_go_is_no_language() -> None:
    assert rival_names(read("We go home"), read("We write Rust")) == []
