"""What stands where a secret would stand and is none: a slot to be filled, a masked value, a documented example.

A word like `example` somewhere in a value proves nothing: people put it into passwords. A value is a placeholder as a
whole, or it is a secret.
"""

from __future__ import annotations

import re

from ..patterns import later

_DOCUMENTED = frozenset(
    {
        "AKIAIOSFODNN7EXAMPLE",
        "AKIAI44QH8DHBEXAMPLE",
        "ASIAIOSFODNN7EXAMPLE",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY",
        "je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY",
    }
)
"""Keys that AWS prints in its own documentation and gives to nobody."""
_CUT = later(r"^(?:[<{]|\$\{|\$\()[\w{.-]*$")
"""The beginning of a slot with a blank in it: `<your token>`."""
_SLOT = later(
    r"<[^<>]*>|\$?\{+[^{}]*\}+|\$\(.*\)|\$[A-Z_][A-Z0-9_]*\b|%\(\w+\)s|%[A-Z_][A-Z0-9_]*%|%s"
    r"|[*•]{3,}|\.{3,}|…|(?<![A-Za-z])[xX]{6,}|[xX]{12,}"
)
_WORDS = later(
    r"[\[(]?(?:(?:a|my|the|your|some|any|example|sample|dummy|pass(?:word|wd|phrase|code)?|pwd|secret|token|key|api|access"
    r"|auth|client|user(?:name)?|change|me|here|placeholder|redacted|hidden|masked|removed|goes)[-_]?)+[\])]?",
    re.IGNORECASE,
)
_YOURS = later(r"your(?:[-_][a-z]+)+(?:[-_]\d{1,2})?", re.IGNORECASE)
_NOBODYS = later(r"(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid)$", re.IGNORECASE)
"""Hosts that RFC 2606 keeps for documentation: nobody can log in there."""


def is_placeholder(value: str) -> bool:
    """True for a value that as a whole only shows where a secret would stand."""
    if value in _DOCUMENTED or _CUT.match(value) or _WORDS.fullmatch(value) or _YOURS.fullmatch(value):
        return True
    rest = _SLOT.sub("", value)
    if rest == value:
        return False
    return len(rest) < 6 or not (any(map(str.isdigit, rest)) and any(map(str.isalpha, rest)))


def only_at_nobodys_host(password: str, line: str) -> bool:
    """True where a password in an address stands only before hosts that are kept for documentation."""
    hosts = re.findall(rf":{re.escape(password)}@([^\s/:?#\"'`<>)\],;]+)", line)
    return bool(hosts) and all(_NOBODYS.search(host.rstrip(".")) for host in hosts)
