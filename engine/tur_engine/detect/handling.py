"""A remark on how something is handled (`known, no action needed`) denies nothing of what happened.

Logs are full of such remarks. Their `no` reaches the reaction alone, so a report that the thing turned on, or went off,
does not contradict it; what should be done about it may.
"""

from __future__ import annotations

from functools import lru_cache

from ..records import Evidence
from .pair import Pair
from .polarity import negations
from .reading import Reading, Token

_REACTIONS = frozenset(
    """action actions fix fixes fixing reaction response follow-up followup work attention intervention measures ticket
    steps""".split()
)
_DONE = frozenset("do done doing".split())
_REMARKS = _REACTIONS | frozenset(
    """known expected harmless benign acknowledged accepted tolerated ignored ignore noted reported noise spurious
    intermittent issue problem no nothing further more needed required necessary planned taken wanted to be is are was
    were and for now yet so a an by us it that this our side here""".split()
)
"""A remark holds no other words."""
_COUPLES = frozenset("is are was were needs need has have".split())
_GOVERNS = frozenset(
    """if when whenever once unless until while must should shall may might can could will would needs need requires
    require always never every each any all whoever only""".split()
)
"""Words of a rule, a plan or a case: what holds so is no report."""
_NOW = frozenset("is are am be been being to gets get".split())
_PAST = frozenset("went came fell rose broke rang ran began shut lost became began froze sprang tripped".split())


def handled(pair: Pair) -> Evidence | None:
    """Return the guard where one side only says that nothing is done about a thing, and the other what it did."""
    for remark, report, first in ((pair.a, pair.b, True), (pair.b, pair.a, False)):
        left, happened = _remark(remark), _report(report)
        if left and happened:
            words = [left, happened] if first else [happened, left]
            return pair.evidence("different", -4.0, "One says how it is handled, the other what happened.", *words)
    return None


@lru_cache(maxsize=4096)
def _remark(side: Reading) -> list[Token]:
    """Return the words of a remark that follows on a subject and denies a reaction; none where it says more."""
    tokens = [t for t in side.tokens if t.kind != "sign"]
    if len(side.sentence_ends) > 1:
        return []
    cut = len(tokens)
    while cut and tokens[cut - 1].text in _REMARKS | _DONE:
        cut -= 1
    subject, said = tokens[:cut], tokens[cut:]
    if subject and subject[-1].text in _COUPLES:
        subject = subject[:-1]
    texts = [t.text for t in said]
    idle = "no" in texts and any(t in _REACTIONS for t in texts[texts.index("no") :])
    idle = idle or ("nothing" in texts and any(t in _DONE for t in texts[texts.index("nothing") :]))
    governed = any(t.text in _GOVERNS or t.text in ("no", "not", "never") for t in subject)
    return said if idle and not governed and any(t.content for t in subject) else []


@lru_cache(maxsize=4096)
def _report(side: Reading) -> list[Token]:
    """Return the verb of a text that tells one thing that happened, in the past; none for a rule, a plan, a denial."""
    tokens = [t for t in side.tokens if t.kind != "sign"]
    texts = {t.text for t in tokens}
    if len(side.sentence_ends) > 1 or texts & (_GOVERNS | _REACTIONS) or negations(side):
        return []
    for before, token in zip([None, *tokens], tokens, strict=False):
        past = token.text in _PAST or (token.text.endswith("ed") and len(token.text) > 4)
        if past and before is not None and before.text not in _NOW:
            return [token]
    return []
