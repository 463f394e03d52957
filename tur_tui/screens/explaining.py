"""The part of the triage screen that tells all about a conflict or a memory."""

from __future__ import annotations

from textual import on
from textual.message import Message

from tur_engine.records import Verb

from ..calls import ask
from ..messages import Explained
from ..widgets.feed import Feed
from .batching import BatchingScreen


class ExplainingScreen(BatchingScreen):
    """`e` explains the conflict in front, Enter what the feed's cursor stands on."""

    def action_explain(self) -> None:
        if conflict := self.desk.current:
            self._explain(conflict.id)
        else:
            self.say("No conflict is open: there is nothing to explain.")

    @on(Feed.EntrySelected)
    def explain_entry(self, message: Feed.EntrySelected) -> None:
        if message.entry.conflict_id:
            self._explain(message.entry.conflict_id)
        elif message.entry.memory_ids:
            self._tell(message.entry.memory_ids[0])

    def _explain(self, conflict_id: str) -> None:
        engine = self.engine

        def explain() -> Message:
            conflict = engine.conflict(conflict_id)
            previews = {verb: engine.preview(conflict_id, verb) for verb in Verb} if conflict.state.open else {}
            exposure = engine.exposure(conflict_id)
            return Explained(engine.history(conflict_id), conflict=conflict, previews=previews, exposure=exposure)

        ask(self, explain, group="explain")

    def _tell(self, memory_id: str) -> None:
        engine = self.engine
        ask(
            self,
            lambda: Explained(engine.history(memory_id), memory=engine.memory(memory_id)),
            group="explain",
        )

    def on_explained(self, message: Explained) -> None:
        from .explain import ExplainScreen  # not needed for the first paint

        self.app.push_screen(ExplainScreen(message))
