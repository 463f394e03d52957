"""Workflow commands that GitHub Actions turns into annotations on the right lines.

Source: docs.github.com/en/actions/reference/workflow-commands-for-github-actions.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..report import Report
from .findings import RULES, findings

_LEVEL = {"error": "error", "warning": "warning", "note": "notice"}


def commands(report: Report) -> Iterator[str]:
    """Yield one command a finding, and one more on the other line of a clash."""
    for finding in findings(report):
        title = _property(f"tur scan: {RULES[finding.rule]}")
        yield _command(_LEVEL[finding.level], finding.at.file, finding.at.line, title, finding.message)
        if finding.rule == "clash":
            other = finding.others[0]
            message = f"The other side of a clash, see {finding.at.shown}."
            if other.file:
                yield _command("notice", other.file, other.line, title, message)


def _command(level: str, file: str, line: int, title: str, message: str) -> str:
    return f"::{level} file={_property(file)},line={line},title={title}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
