"""The interruption on a terminal: seven letters, no default answer (EP-0134, motivation; CONTRACTS 4)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ..errors import BadInput, TurError
from ..records import Conflict, ConflictState, Level, ResolutionResult, Scope, Verb
from ..text import visible
from . import editor, verdicts

if TYPE_CHECKING:
    from ..engine import Engine
    from ..place import Place
    from .output import Output

_OPTIONS = (
    (
        (Verb.SUPERSEDE, "Supersede older memory"),
        (Verb.REFUTE, "Refute newer memory"),
        (Verb.MERGE, "Merge contexts"),
        (Verb.FORCE, "Force dual existence"),
    ),
    ((Verb.BRANCH, "Branch scope"), (Verb.DISMISS, "Not a conflict"), (Verb.ABORT, "Abort")),
)
_LETTERS = {verb.key: verb for verb in Verb}
_NAMES = {verb.value: verb for verb in Verb} | {"branch": Verb.BRANCH}


def narrowed_to(typed: str, wide: Scope) -> Scope:
    """Read a place: PATH, @BRANCH or PATH@BRANCH below `wide`, or a scope in full. Raises BadInput."""
    level = typed.partition(":")[0].partition("@")[0].strip().lower()
    if ":" in typed or level in set(Level):
        return Scope.parse(typed)
    place = typed if typed.startswith("@") else f":{typed}"
    scope = Scope.parse(f"{wide.level}{place}")
    return scope.model_copy(update={"path": scope.path or wide.path, "branch": scope.branch or wide.branch})


class EndOfAnswers(Exception):
    """The input ended before the conflict was settled; it stays held."""


class Prompt:
    """Asks about one conflict after the other until each is settled."""

    def __init__(self, out: Output, engine: Engine, here: Place) -> None:
        self.out = out
        self.engine = engine
        self.here = here
        self.settled: list[ResolutionResult] = []

    def settle(self, conflict_ids: Sequence[str]) -> None:
        """Ask about each conflict still open. Raises EndOfAnswers; KeyboardInterrupt passes through."""
        for conflict_id in conflict_ids:
            conflict = self.engine.conflict(conflict_id)
            if conflict.state in (ConflictState.DETECTED, ConflictState.ESCALATED):
                self._ask(conflict)

    def _ask(self, conflict: Conflict) -> None:
        self._show(conflict)
        while True:
            answer = self._read(f"{self.out.program}> ")
            letter, _, reason = answer.strip().partition(" ")
            verb = _LETTERS.get(letter.lower()) or _NAMES.get(letter.lower())
            if verb is None:
                letters = ", ".join(verb.key for line in _OPTIONS for verb, _ in line if self._allowed(conflict, verb))
                self.out.message(f"Type one of {letters}")
                self._options(conflict)
                continue
            try:
                result = self._settle_with(conflict, verb, reason.strip())
            except TurError as error:
                self.out.say(visible(str(error)))
                seen, conflict = conflict.revision, self.engine.conflict(conflict.id)
                if conflict.state is ConflictState.RESOLVED:
                    return
                if conflict.revision != seen:
                    self._show(conflict)
                else:
                    self._options(conflict)
                continue
            if result is None:
                self._options(conflict)
                continue
            self.settled.append(result)
            for effect in result.effects:
                self.out.told(f"  {visible(effect.sentence, newlines=False)}".split(" "))
            return

    def _show(self, conflict: Conflict) -> None:
        incumbent = conflict.incumbent
        shown = verdicts.known_id(self.engine, incumbent)
        self.out.message(verdicts.seed_line(self.out.sign(), shown, incumbent.memory.content))
        self._options(conflict)
        verdicts.why(self.out, conflict)

    def _options(self, conflict: Conflict) -> None:
        for line in _OPTIONS:
            options = [f"[{verb.key}] {words}" for verb, words in line if self._allowed(conflict, verb)]
            if options:
                self.out.message(", ".join(options))
        self.out.message("A reason may follow the letter, as in: r that was staging only")

    def _allowed(self, conflict: Conflict, verb: Verb) -> bool:
        return self.engine.preview(conflict.id, verb).allowed

    def _settle_with(self, conflict: Conflict, verb: Verb, reason: str) -> ResolutionResult | None:
        """Carry the answer out; None where a second question was left unanswered."""
        if verb is Verb.MERGE:
            return self._merge(conflict, reason)
        if verb is Verb.BRANCH:
            return self._branch(conflict, reason)
        return self.engine.resolve(conflict.id, verb, revision=conflict.revision, reason=reason)

    def _merge(self, conflict: Conflict, reason: str) -> ResolutionResult | None:
        text = editor.merge(conflict, self.out)
        if text is None:
            return None
        against = verdicts.warn_of_merge(self.out, self.engine, text, conflict.id)
        if against and not self._yes("Merge all the same? [y/n] "):
            return None
        return self.engine.resolve(conflict.id, Verb.MERGE, revision=conflict.revision, reason=reason, text=text)

    def _branch(self, conflict: Conflict, reason: str) -> ResolutionResult | None:
        side: Literal["incumbent", "challenger"]
        side = "challenger" if self._either("Narrow the [n]ew memory or the [o]lder one? ", "n", "o") else "incumbent"
        wide = (conflict.challenger if side == "challenger" else conflict.incumbent).memory.scope
        offered = self.here.narrowed(wide)
        hint = f" [{visible(str(offered), newlines=False)}]" if offered else ""
        where = "Where: a folder below the store's root, as in src/api; @main for a git branch; both: src/api@main"
        self.out.told(where.split(" "))
        typed = self._read(f"It holds in{hint}: ").strip()
        if typed:
            scope = narrowed_to(typed, wide)
        elif offered is not None:
            scope = offered
        else:
            raise BadInput("no place given, so nothing was narrowed")
        return self.engine.resolve(
            conflict.id, Verb.BRANCH, revision=conflict.revision, reason=reason, side=side, scope=scope
        )

    def _yes(self, question: str) -> bool:
        return self._either(question, "y", "n")

    def _either(self, question: str, first: str, second: str) -> bool:
        while True:
            letter = self._read(question).strip().lower()[:1]
            if letter in (first, second):
                return letter == first

    def _read(self, question: str) -> str:
        self.out.message(question, end="")
        line = sys.stdin.readline()
        if not line:
            self.out.message("")
            raise EndOfAnswers
        return line
