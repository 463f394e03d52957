"""Which pairs of rules are told: by their form, their labels, their headings, and what the detector says."""

from __future__ import annotations

import pytest

from tur_engine.detect.verdict import Profile
from tur_engine.records import Evidence, Relationship, Verdict
from tur_engine.sources.apart import apart
from tur_engine.sources.choices import chosen
from tur_engine.sources.directives import elaborates, opposed
from tur_engine.sources.statements import Statement
from tur_engine.sources.telling import same_frame, told


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Fetch data with SWR in every component.", "Fetch data with TanStack Query."),
        ("Use Dapper for data access.", "Use Entity Framework Core for all data access."),
        ("Interfaces over type aliases for object shapes.", "Use type aliases instead of interfaces for props."),
        ("Database access goes through Prisma; do not write raw SQL.", "Use raw SQL for all reporting queries."),
        ("Prefer named exports; default exports are not allowed.", "Use default exports for every component."),
    ],
)
def test_opposed_directives(one: str, other: str) -> None:
    for a, b in ((one, other), (other, one)):
        found = opposed(a, b)
        assert found is not None
        assert found.incumbent_words
        assert found.incumbent_words.lower() in a.lower()
        assert found.challenger_words.lower() in b.lower()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Fetch data with SWR.", "Cache data with Redis."),
        ("Fetch data with SWR.", "Fetch data with SWR hooks."),
        ("Use Vitest for unit tests.", "Use Playwright for end-to-end tests."),
        ("Prefer composition over inheritance.", "Prefer interfaces over classes."),
        ("Do not write raw SQL unless it is a report.", "Use raw SQL for reports."),
        ("Never use default exports.", "Do not use default exports for components."),
        ("Do not use any.", "Use any of the helpers."),
        ("The tool is not a notebook dependency.", "A notebook should not import the tool."),
    ],
)
def test_directives_that_go_together(one: str, other: str) -> None:
    assert opposed(one, other) is None
    assert opposed(other, one) is None


@pytest.mark.parametrize(
    ("one", "other", "topic"),
    [
        ("Indentation: tabs", "Indent with two spaces.", "Indentation"),
        ("Indent by 2 spaces.", "Use two-space indentation, 2 spaces.", None),
        ("Use single quotes.", "Strings take double quotes.", "Quotes"),
        ("Use single quotes for strings.", 'Double quotes are used for strings, as in "a".', "Quotes"),
        ("Run `npm test` before committing.", "Execute `pnpm test` prior to each commit.", "Package manager to test"),
        ("Run `npm test`.", "Run `pnpm build`.", None),
        ("Use npm.", "Use pnpm.", "Package manager"),
        ("Use npm.", "Use pnpm.io daily.", None),
        ("Run `npm test`.", "Never run `pnpm test`.", None),
        ("Keep line width at 80 characters.", "Lines may be up to 120 characters long.", "Limit in character"),
        ("Keep components under 200 lines.", "Keep functions under 50 lines.", None),
        ("The minimum Node version is 18.", "Requires Node 22 or later.", "Version of node"),
        ("Node 22 is used.", "Requires Node 22.4 or later.", None),
        ("Runs on Node 18 and Node 20.", "Requires Node 22.", None),
        ("Tests are written with Jest.", "Write tests with Vitest.", "One place"),
        ("Component tests use Vitest.", "End-to-end tests use Playwright.", None),
        ("In production we store data in PostgreSQL.", "In staging we store data in SQLite.", None),
    ],
)
def test_choices_by_topic(one: str, other: str, topic: str | None) -> None:
    for a, b in ((one, other), (other, one)):
        found = chosen(a, b)
        assert (None if found is None else found.sentence.partition(":")[0]) == topic


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Errors are logged as JSON.", "Errors are logged as JSON, with the request id.", True),
        (
            "Stored verbatim — no re-serialization.",
            "It is stored verbatim — no re-serialization, accept raw YAML.",
            True,
        ),
        ("Mock the database in unit tests.", "Do not mock the database.", False),
        ("Format with Prettier.", "Format with Biome instead of Prettier.", False),
        ("Retries stop after 3 attempts.", "Retries stop after 5 attempts, with a delay.", False),
        ("Commit notebooks with their output.", "Notebook output is cleared before commit.", False),
    ],
)
def test_the_same_rule_with_more_words(one: str, other: str, same: bool) -> None:
    assert elaborates(one, other) is elaborates(other, one) is same


@pytest.mark.parametrize(
    ("one", "other", "different"),
    [
        ("Style > Python", "Style > Go", True),
        ("Style > Python", "Style", False),
        ("Code style", "Formatting", False),
        ("Staging", "Production deploys", True),
        ("Service A", "Service B", True),
        ("`packages/ui`", "`packages/api`", True),
        ("`packages/ui`", "`packages/ui/forms`", False),
        ("Python and Go", "Go", False),
    ],
)
def test_headings_keep_rules_apart(one: str, other: str, different: bool) -> None:
    assert apart(one, other) is apart(other, one) is different


def verdict(probability: float, *pieces: tuple[str, float]) -> Verdict:
    evidence = tuple(Evidence(kind=kind, weight=weight, sentence=kind) for kind, weight in pieces)
    return Verdict(relationship=Relationship.COMPATIBLE, probability=probability, evidence=evidence)


def rule(text: str, file: str = "AGENTS.md", kind: str = "rule", key: str = "") -> Statement:
    return Statement(file, 1, text, kind=kind, key=key)


A, B = rule("Retries stop after three tries."), rule("Give up when the second call fails.", "CLAUDE.md")


@pytest.mark.parametrize(
    ("found", "profiles"),
    [
        (verdict(0.3, ("number", 2.0)), {"balanced", "strict"}),
        (verdict(0.3, ("judge", 1.0)), {"strict"}),
        (verdict(0.6, ("judge", 1.0)), {"strict"}),
        (verdict(0.6, ("judge", 2.0)), {"balanced", "strict"}),
        (verdict(0.95, ("judge", 2.5)), {"quiet", "balanced", "strict"}),
        (verdict(0.95), {"strict"}),
        (verdict(0.1, ("number", 2.0)), set()),
    ],
)
def test_a_sign_that_speaks_or_a_judge_who_is_sure(found: Verdict, profiles: set[str]) -> None:
    assert {profile for profile in Profile if told(profile, A, B, 0.5, found)} == profiles


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Python 3.11 is required.", "Python 3.12 is required.", True),
        ("Use black for formatting.", "Use ruff format for formatting.", True),
        ("Branch from develop.", "Branch from main.", True),
        ("Use Poetry for dependencies.", "Use uv for dependencies.", True),
        ("Staging runs on one node.", "Production runs on two nodes.", False),
        ("Redis holds the sessions.", "Kafka holds the sessions.", False),
        ("Use npm.", "Use npm.", False),
        ("Use npm.", "Use npm for the frontend.", False),
        ("Use one tool for all of the code.", "Use many small tools that differ for all of the code.", False),
    ],
)
def test_one_sentence_with_another_value_is_no_list(one: str, other: str, alike: bool) -> None:
    assert same_frame(one, other) is same_frame(other, one) is alike
    speaks = verdict(0.4, ("version", 2.0))
    assert (told(Profile.BALANCED, rule(one), rule(other), 0.9, speaks) is not None) == alike or one == other


def test_near_texts_with_a_sign_are_told_whatever_the_judge_says() -> None:
    one, other = rule("Runs are tracked in MLflow."), rule("Runs are tracked in Neptune.", "CLAUDE.md")
    found = verdict(0.02, ("slot", 1.7), ("judge", -3.0))
    clash = told(Profile.BALANCED, one, other, 0.7, found)
    assert clash is not None
    assert clash.relationship is Relationship.CLASH
    assert told(Profile.BALANCED, one, other, 0.5, found) is None
    assert told(Profile.BALANCED, A, B, 0.7, found) is None


def test_other_labels_and_other_commands_are_other_matters() -> None:
    sure = verdict(0.6, ("port", 2.0), ("judge", 3.0))
    assert told(Profile.BALANCED, rule("Redis: one instance only"), rule("Kafka: three instances"), 0.9, sure) is None
    row = rule("search port: 8082", kind="cell", key="search")
    assert told(Profile.BALANCED, row, rule("The gateway listens on port 9090.", "b.md"), 0.9, sure) is None
    assert told(Profile.BALANCED, row, rule("The search service has port 9090.", "b.md"), 0.9, sure) is not None
    test = rule("Run the tests: `pytest`", kind="command", key="Run the tests")
    assert told(Profile.BALANCED, test, rule("Tests use fixtures.", "b.md"), 0.9, verdict(0.6, ("judge", 3.0))) is None
