"""Rules that the repository itself disproves; and near misses that it does not."""

from __future__ import annotations

import pytest

from tests.sources.conftest import Writer
from tur_engine.sources.discovery import discover
from tur_engine.sources.repository import disproofs

REPOSITORY = {
    "package.json": '{"packageManager": "pnpm@9.0.0", "engines": {"node": ">=20"}, "scripts": {"test": "vitest"},'
    ' "dependencies": {"react": "^18.2.0", "@acme/ui": "1.0.0"}}',
    "pnpm-lock.yaml": "",
    "pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.11"\n',
    "Makefile": "build: deps\n\tcc\ndeps test:\n\ttrue\n",
    "go.mod": "module x\n\ngo 1.22\n",
    "src/api/app.ts": "",
    "packages/ui/src/index.ts": "",
}
WRONG = [
    ("Routes live in `src/api/routes.ts`.", "path"),
    ("Helpers live in `src/helpers/`.", "path"),
    ("Lint with `pnpm run lint`.", "command"),
    ("Ship with `make release`.", "command"),
    ("Install packages with `npm install`.", "tool"),
    ("Use npm to install packages.", "tool"),
    ("Use `yarn` for dependencies.", "tool"),
    ("Always use npm.", "tool"),
    ("Install packages with bun.", "tool"),
    ("Node 18 is required.", "version"),
    ("We are on React 17.", "version"),
    ("Python 3.9 is enough.", "version"),
    ("Needs Go 1.20 at least.", "version"),
]
RIGHT = [
    "Routes live in `src/api/app.ts`.",
    "UI code lives in `packages/ui/src/`.",
    "Create new routes in `src/api/new.ts`.",
    "Never edit `src/api/old.ts`.",
    "The build lands in `dist/main.js`.",
    "See `other/place.md` of the wiki.",
    "Use `feature/KES-1` as a branch name or `origin/main`.",
    "Test with `pnpm run test`.",
    "Build with `make build` and `make test`.",
    "Install packages with `pnpm install`.",
    "Do not use `npm install`.",
    "Use pnpm to install packages.",
    "Use uv for dependencies.",
    "Use npm if pnpm fails.",
    "Use npm to publish packages.",
    "Use npm for a quick look.",
    "Use npm scripts for small tasks.",
    "Publish to npm with care.",
    "Node 20 is required, Node 22 works.",
    "We are on React 18.",
    "Python 3.12 is used in production.",
    "Go 1.22 or newer.",
    "Port 18 of the node is open.",
    "Make sure the tests pass.",
]


@pytest.mark.parametrize(("text", "kind"), WRONG)
def test_what_the_files_contradict_is_told(repository: Writer, text: str, kind: str) -> None:
    found = discover(repository({**REPOSITORY, "AGENTS.md": f"# Rules\n\n- {text}\n"}))
    told = disproofs(found.root, found.files, found.rules["AGENTS.md"].statements)
    assert [(one.kind, one.side.line) for one in told] == [(kind, 3)]


def test_what_they_do_not_contradict_is_not(repository: Writer) -> None:
    rules = "".join(f"- {text}\n" for text in RIGHT)
    found = discover(repository({**REPOSITORY, "AGENTS.md": rules}))
    assert disproofs(found.root, found.files, found.rules["AGENTS.md"].statements) == []


def test_a_repository_of_rule_files_disproves_nothing(repository: Writer) -> None:
    found = discover(repository({"AGENTS.md": "- Routes live in `src/api/routes.ts`.\n", "src/README.md": ""}))
    assert disproofs(found.root, found.files, found.rules["AGENTS.md"].statements) == []


def test_a_damaged_manifest_says_nothing_and_is_named(repository: Writer) -> None:
    files = {"package.json": "{", "pyproject.toml": "[", "Cargo.toml": "=", "AGENTS.md": "- Node 18 is required.\n"}
    found = discover(repository({**files, "src/a.py": ""}))
    problems: list[str] = []
    assert disproofs(found.root, found.files, found.rules["AGENTS.md"].statements, problems) == []
    assert problems == [
        f"{name} cannot be read, so nothing is checked against it"
        for name in ("Cargo.toml", "package.json", "pyproject.toml")
    ]
