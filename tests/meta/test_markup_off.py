"""Nothing the workbench shows is read as markup: typed and learned words go through `Content`, or markup is off."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOMS = Path(__file__).parents[2] / "tur_tui"
TITLES = {"border_title", "border_subtitle", "tooltip"}
SHOWING = {"Static", "Label"}


def wrapped(value: ast.expr) -> bool:
    """Whether an expression is text of ours, written there, or Content."""
    if isinstance(value, ast.Constant):
        return not isinstance(value.value, str) or "[" not in value.value
    if isinstance(value, ast.IfExp):
        return wrapped(value.body) and wrapped(value.orelse)
    return isinstance(value, ast.Call) and ast.unparse(value.func).split(".")[0] == "Content"


def faults(tree: ast.AST) -> Iterator[int]:
    """The lines where text could be read as markup."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                one_each = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                pairs = zip(target.elts, node.value.elts, strict=True) if one_each else [(target, node.value)]  # type: ignore[attr-defined]
                for name, value in pairs:
                    if isinstance(name, ast.Attribute) and name.attr in TITLES and not wrapped(value):
                        yield node.lineno
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            off = any(each.arg == "markup" for each in node.keywords)
            if called in SHOWING and not off and not all(wrapped(each) for each in node.args):
                yield node.lineno
            if called.endswith(".notify") and not off:
                yield node.lineno
            if called.endswith("from_markup"):
                yield node.lineno


@pytest.mark.parametrize(
    "text",
    [
        "field.border_subtitle = problem or ''",
        "a.border_title, a.border_subtitle = f'{name}', ''",
        "yield Static(text)",
        "yield Label(text)",
        "self.notify(text)",
        "Content.from_markup(text)",
    ],
)
def test_each_kind_is_found(text: str) -> None:
    assert [*faults(ast.parse(text))] == [1]


def test_no_text_is_read_as_markup() -> None:
    files = sorted(ROOMS.rglob("*.py"))
    found = [
        f"{path.relative_to(ROOMS)}:{line}" for path in files for line in faults(ast.parse(path.read_text("utf-8")))
    ]
    assert len(files) > 100
    assert found == []
