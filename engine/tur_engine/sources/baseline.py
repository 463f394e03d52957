"""Findings that a repository had when it began to be scanned: they are not told again."""

from __future__ import annotations

import json
from pathlib import Path

from ..errors import BadInput
from ..replacing import replace
from .report import Report

_FORMAT = "tur-scan-baseline-1"


def fingerprints(report: Report) -> list[str]:
    """Return what names each finding, though lines move."""
    known = {each.fingerprint for each in report.clashes}
    known |= {each.fingerprint for each in report.duplicates}
    return sorted(known | {each.fingerprint for each in report.disproved})


def write(path: Path, report: Report) -> int:
    """Write what was found as known; return how many. The file is replaced whole, or left as is. Raises BadInput."""
    known = fingerprints(report)
    text = json.dumps({"format": _FORMAT, "known": known}, indent=1) + "\n"
    try:
        replace(path, text.encode("utf-8"))
    except OSError as error:
        raise BadInput(f"{path} cannot be written ({error.strerror or error}); name another file") from None
    return len(known)


def refuse_place(written: str) -> None:
    """Raise BadInput where no baseline can be written under a name."""
    if not written.strip():
        raise BadInput("--baseline names no file; name one")
    folder = Path(written).absolute().parent
    if not folder.is_dir():
        raise BadInput(f"{written} cannot be written: there is no folder {folder}; make it first, or name another file")


def read(path: Path) -> frozenset[str]:
    """Return what a baseline knows. Raises BadInput naming the file."""
    advice = "name another file (where there is none it is written), or remove this one"
    if not path.is_file():
        what = "a folder" if path.is_dir() else "a link that leads nowhere" if path.is_symlink() else "no plain file"
        raise BadInput(f"{path} is {what}; name another file, where there is none the baseline is written")
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror or error}); name another file") from None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("format") != _FORMAT or not isinstance(data.get("known"), list):
        raise BadInput(f"{path} is no baseline of `tur scan`; {advice}")
    return frozenset(each for each in data["known"] if isinstance(each, str))


def leave_out(report: Report, known: frozenset[str]) -> None:
    """Take what the baseline knows out of a report."""
    before = len(report.clashes) + len(report.duplicates) + len(report.disproved)
    report.clashes = [each for each in report.clashes if each.fingerprint not in known]
    report.duplicates = [each for each in report.duplicates if each.fingerprint not in known]
    report.disproved = [each for each in report.disproved if each.fingerprint not in known]
    report.baselined = before - len(report.clashes) - len(report.duplicates) - len(report.disproved)
