"""The part of the triage screen that shows what is no event in the place of the conflict: drift, a guard's warning."""

from __future__ import annotations

from pathlib import Path

from textual import on
from textual.content import Content

from tur_engine.records import Verb
from tur_engine.text import visible

from ..calls import one_line
from ..desk.asides import Aside
from ..desk.filters import families
from ..drawing.wording import now
from ..messages import Looked
from ..widgets.belief_facts import belief_facts
from ..widgets.diff_view import DiffView
from ..widgets.feed import Feed
from ..widgets.neighbourhood import NeighbourhoodPane
from ..widgets.verb_bar import VerbBar
from ..widgets.why import Why
from ..widgets.woven_feed import WovenFeed
from .editing import open_in_editor
from .forwarding import ForwardingScreen


class AsideScreen(ForwardingScreen):
    """The cursor on an aside shows it against its memory, and the first key comes back to the conflict."""

    aside: Aside | None = None
    """What is shown in the place of the conflict."""
    files = Path()
    """The folder that files of asides are named from."""

    @property
    def woven(self) -> WovenFeed:
        """The feed, with asides in it."""
        return self.query_one("#feed", WovenFeed)

    def show_feed(self, seqs: list[int]) -> None:
        wanted, only = self.filter, families(self.typed)
        self.woven.lets_through = lambda aside: (not only or aside.family in only) and aside.lets_through(wanted)
        super().show_feed(seqs)

    # in front ----------------------------------------------------------------------------

    @on(Feed.EntryHighlighted)
    def leave_for_event(self, message: Feed.EntryHighlighted) -> None:
        if message.by_person:
            self._back()

    def on_woven_feed_aside_highlighted(self, message: WovenFeed.AsideHighlighted) -> None:
        if message.by_person:
            self.show_aside(message.aside)

    def on_woven_feed_aside_selected(self, message: WovenFeed.AsideSelected) -> None:
        self.show_aside(message.aside)

    def show_aside(self, aside: Aside) -> None:
        """Show it where the conflict was; the verbs are off until the conflict is back."""
        self.aside = aside
        diff, why, graph = self.query_one(DiffView), self.query_one(Why), self.query_one(NeighbourhoodPane)
        diff.border_title, diff.border_subtitle = Content(aside.word.capitalize()), "Esc: back to the conflict"
        self.query_one(VerbBar).clear()
        sides = aside.sides()
        self.set_class(sides is None, "-nothing-open")
        self.set_class(sides is None or sides.why is None, "-no-reasons")
        if aside.memory is not None:
            self.look_around_memory(aside.memory.memory.digest)
        else:
            graph.clear()
        why.clear()
        if sides is None:
            diff.clear(aside.in_words())
            return
        facts = [(fact.label, fact.value) for fact in belief_facts(sides.memory, None, now())]
        both = facts, sides.facts
        diff.show(sides.memory, sides.other, sides.evidence, titles=sides.titles, ids=sides.ids, facts=both)
        if sides.why is not None:
            why.show(sides.why, judged=True, notes=sides.notes)

    def look_around_memory(self, digest: str) -> None:
        """Draw the neighbourhood of a memory."""
        raise NotImplementedError

    def show_again(self) -> None:
        """Show the conflict in front, after something else was in its place."""
        raise NotImplementedError

    def _back(self) -> bool:
        """Come back to the conflict; True where something was in its place, and the key has done its work."""
        was, self.aside = self.aside is not None, None
        if was:
            self.remove_class("-no-reasons")
            self.show_again()
        return was

    def action_clear_filter(self) -> None:
        if not self._back():
            super().action_clear_filter()

    def on_looked(self, message: Looked) -> None:
        if self.aside is not None:  # what the repository says of the conflict is asked again when it is back
            message.prevent_default()

    # what acts on the conflict in front finds something else there ------------------------------------

    def _decide(self, verb: Verb) -> None:
        if self.aside is None or self.lost:
            super()._decide(verb)
        else:
            self.refuse(self.aside.refusal)

    def _propose(self) -> None:
        if not self._back():
            super()._propose()

    def action_next(self) -> None:
        if not self._back():
            super().action_next()

    def action_previous(self) -> None:
        if not self._back():
            super().action_previous()

    def action_defer(self) -> None:
        if not self._back():
            super().action_defer()

    def action_mark(self) -> None:
        if not self._back():
            super().action_mark()

    def action_mark_group(self) -> None:
        if not self._back():
            super().action_mark_group()

    def action_explain(self) -> None:
        if self.aside is None:
            super().action_explain()
        elif self.aside.memory is not None:
            self._tell(self.aside.memory.id)
        else:
            self.say("There is no memory here to explain.")

    def action_copy_id(self) -> None:
        if self.aside is None:
            super().action_copy_id()
        elif self.aside.place:
            self.app.copy_to_clipboard(self.aside.place)
            self.say(f"Copied {one_line(self.aside.place)}.", timeout=3)

    def action_copy_sides(self) -> None:
        if self.aside is None:
            super().action_copy_sides()
        elif self.aside.text:
            self.app.copy_to_clipboard(visible(self.aside.text))
            self.say("Copied the words.", timeout=3)

    def action_export(self) -> None:
        if not self._back():
            super().action_export()

    def action_open_source(self) -> None:
        if self.aside is None:
            super().action_open_source()
        elif found := self.aside.source(self.files):
            open_in_editor(self.host, *found, self.files)
        else:
            self.say("There is no line of a file to open, or the file is gone.")
