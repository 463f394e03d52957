"""A verb given to one conflict, with what it needs."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from ..errors import BadInput
from ..ledger.bodies import Body, body
from ..records import Scope, Verb

Side = Literal["incumbent", "challenger"]


class Decision(NamedTuple):
    """What was decided on one pair. `text` for merge; `side` and `scope` for scope_branch."""

    verb: Verb
    reason: str = ""
    text: str | None = None
    side: Side | None = None
    scope: Scope | None = None

    def check(self) -> None:
        """Raises BadInput where the verb lacks what it needs."""
        if self.verb is Verb.MERGE and not (self.text or "").strip():
            raise BadInput("merge needs the merged text: give --text, or --edit to write it in an editor")
        if self.verb is Verb.BRANCH:
            if self.side is None or self.scope is None:
                raise BadInput(
                    "scope_branch needs --side incumbent|challenger and --scope, as in incarnation:services/api"
                )
            if not (self.scope.path or self.scope.branch):
                raise BadInput("scope_branch narrows to a path or a branch; give --scope level:path or level@branch")

    def pack(self) -> tuple[dict[str, Any], list[Body]]:
        """Return what an event keeps of it, texts as bodies."""
        data: dict[str, Any] = {"verb": str(self.verb)}
        packed = []
        for name, text in (("reason_ref", self.reason), ("text_ref", self.text)):
            if text:
                packed.append(body(text))
                data[name] = packed[-1].ref
        if self.side:
            data["side"] = self.side
        if self.scope:
            data["scope"] = str(self.scope)
        return data, packed
