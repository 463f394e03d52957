"""SARIF 2.1.0, the form that code scanning services read (OASIS standard, section 3)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from ...version import __version__
from ..report import Report, Side
from .findings import RULES, Finding, findings

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(report: Report) -> dict[str, Any]:
    """Return a report as one SARIF log with one run."""
    order = list(RULES)
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "tur scan",
                        "semanticVersion": __version__,
                        "rules": [
                            {"id": rule, "shortDescription": {"text": f"{told}."}} for rule, told in RULES.items()
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, order.index(finding.rule)) for finding in findings(report)],
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": [
                            {"level": "note", "message": {"text": problem}} for problem in report.problems
                        ],
                    }
                ],
            }
        ],
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.level,
        "message": {"text": finding.message},
        "locations": [_location(finding.at)],
        "partialFingerprints": {"turScan/v1": finding.fingerprint},
    }
    related = [side for side in finding.others if side.file]
    if related:
        told["relatedLocations"] = [
            {"id": number, **_location(side), "message": {"text": side.text}}
            for number, side in enumerate(related, start=1)
        ]
    return told


def _location(side: Side) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(side.file, errors="surrogateescape"), "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": max(1, side.line)},
        }
    }
