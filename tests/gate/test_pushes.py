"""Which branches a push reaches, named or not."""

from __future__ import annotations

import pytest

from tur_engine.gate.guardrail import read
from tur_engine.gate.guardrail.pushing import Around, branches_named

AROUND = Around(branch="main", branches=("main", "release/2.1"))
EVERY = ["main", "release/2.1", "every branch"]


def pushed(text: str, around: Around = AROUND, **options: object) -> list[str]:
    """The branches that a text force-pushes to."""
    actions = read(text, around, **options)  # type: ignore[arg-type]
    return [each.statement[len("We force-push to ") : -1] for each in actions if "force-push" in each.statement]


@pytest.mark.parametrize(
    ("line", "branches"),
    [
        ("git push -f", ["main"]),
        ("git push --force", ["main"]),
        ("git push -f origin", ["origin", "main"]),
        ("git push -f origin HEAD", ["main"]),
        ("git push -f origin @", ["main"]),
        ("git push origin +HEAD", ["main"]),
        ('git push -f origin "$(git branch --show-current)"', ["main"]),
        ("git push origin +`git rev-parse --abbrev-ref HEAD`", ["main"]),
        ("git push -f origin $(git symbolic-ref --short HEAD)", ["main"]),
        ("git push -o ci.skip --force", ["main"]),
        ("git -C web push -f", ["main"]),
        ("git push -f origin HEAD:dev", ["dev"]),
        ("git push --force --all", EVERY),
        ("git push --force --branches", EVERY),
        ("git push --mirror", EVERY),
        ("git push -f origin :", EVERY),
        ("git push origin '+refs/heads/*:refs/heads/*'", EVERY),
        ("git push -f origin topic '*'", ["topic", *EVERY]),
        ("git push -f --tags", ["the current branch or target"]),
        ("git push", []),
    ],
)
def test_a_push_that_names_no_branch_is_one_of_the_current_or_of_all(line: str, branches: list[str]) -> None:
    assert pushed(line, is_command=True) == branches
    assert pushed(line) == branches


@pytest.mark.parametrize(
    ("line", "branch"),
    [
        ("git checkout dev && git push -f", "dev"),
        ("git push -f; git checkout dev; git push -f", "main dev"),
        ("git switch -c fix/one origin/main && git push -f -u origin HEAD", "fix/one"),
        ("git checkout -b release/1.2; git push -f", "release/1.2"),
        ("git checkout release/1.2; git push -f", "release/1.2"),
        ("git checkout README.md; git push -f", "main"),
        ("git checkout -- dev; git push -f", "main"),
        ("git checkout dev -- a.py; git push -f", "main"),
        ("git log checkout; git push -f", "main"),
        ("git switch -; git push -f", "the current branch or target"),
        ("git -C . checkout dev; git push -f", "dev"),
    ],
)
def test_the_current_branch_is_followed_through_a_line_and_a_plan(line: str, branch: str) -> None:
    assert " ".join(pushed(line, is_command=True)) == branch
    assert " ".join(pushed(line.replace("; ", "\n").replace(" && ", "\n"))) == branch


def test_without_a_checkout_the_current_branch_is_not_known() -> None:
    assert pushed("git push -f", Around(), is_command=True) == ["the current branch or target"]
    assert pushed("git push -f origin HEAD", Around(), is_command=True) == ["HEAD"]


def test_rules_on_pushes_name_branches() -> None:
    rules = [
        "Never force-push to main.",
        "Nobody pushes to `release/2.1` or the trial branch.",
        "Production is only deployed from tags, and never pushed by hand.",
        "JavaScript goes into web.",
        "We push to every branch.",
    ]
    assert branches_named(rules) == ("main", "release/2.1", "trial", "Production")
    assert len(branches_named([f"Never push to b{at}." for at in range(50)])) == 20
