"""To look is not to do: "Read the secrets policy" breaks no rule on secrets but one on who may look."""

from __future__ import annotations

import re

_LOOKING = re.compile(
    r"^(?:we |i )?(?:re-?)?(?:read|look (?:at|up|through|over|for|into)|view|list|inspect|search|grep|browse|skim|"
    r"study|examine)\b(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_MORE = re.compile(r"[,;:&|]|\.\s|\b(?:and|then|to|before|after|aloud|out|into|while|so)\b", re.IGNORECASE)
"""Something else may be done as well."""
_OF_LOOKING = re.compile(
    r"\b(?:re-?)?(?:read|look|view|list|inspect|search|grep|brows|skim|stud|examin|access|open|see|seen|sees|disclos|"
    r"confidential|private|touch|scan|quer)\w*",
    re.IGNORECASE,
)


def only_looks(statement: str) -> bool:
    """Tell whether an action looks at something and does nothing else."""
    hit = _LOOKING.match(statement)
    return hit is not None and not _MORE.search(hit["rest"].rstrip(". \n"))


def speaks_of_looking(rule: str) -> bool:
    """Tell whether a rule may be on who looks at what."""
    return _OF_LOOKING.search(rule) is not None
