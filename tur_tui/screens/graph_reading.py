"""The part of the graph screen that reads: the drawing, the lists, a search, and what others record meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

from textual.message import Message

from tur_engine.engine import Engine
from tur_engine.records import Belief

from ..calls import ask
from ..desk import surveying
from ..desk.exploring import GraphDesk, Page, route_spots
from ..messages import Arrived, Failed
from .beside import BesideScreen
from .following import SILENT
from .graph_messages import Begun, EdgesTold, EdgesUntold, Found, Listed, PartRead, PartUnread, Routed, Unlisted
from .live import follow

READ: tuple[Page, ...] = (Page.CONTRADICTIONS, Page.CYCLES, Page.ISLANDS)
"""Pages that are read from the ledger when they are first looked at."""


class GraphReadingScreen(BesideScreen):
    """Keeps the desk true; every engine call runs in a thread worker and posts one message."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.desk = GraphDesk()
        self.problems: dict[Page, str] = {}
        """Why a page could not be read."""
        self.unread = ""
        """Why the graph around the centre could not be read."""
        self.typed = ""
        self._newest: list[Belief] | None = None
        self._stale: set[Page] = set()
        self._select = ""
        self._searching = False

    def show_desk(self) -> None:
        """Bring every pane in line with the desk."""
        raise NotImplementedError

    def show_list(self, *, keep: bool = False) -> None:
        """Bring the list in line with the desk."""
        raise NotImplementedError

    def show_edges(self, message: EdgesTold | EdgesUntold) -> None:
        """Show the edges of the memory under the cursor, or why they are not there."""
        raise NotImplementedError

    # the drawing -------------------------------------------------------------------

    def go(self, refs: Sequence[str]) -> None:
        """Draw around these memories."""
        if self.desk.go(refs):
            self._select = self.desk.centre[0]
            self.read()

    def read(self) -> None:
        """Read what is around the centre; without one, begin with the newest memory."""
        engine, centre, radius = self.engine, self.desk.centre, self.desk.radius
        if centre:
            ask(
                self,
                lambda: PartRead(centre, surveying.survey(engine, centre, radius)),
                group="graph",
                failed=lambda why: PartUnread(centre, why),
            )
            return

        def begin() -> Message:
            return Begun([surveying.spot(each) for each in surveying.newest(engine, surveying.MOST_FOUND)])

        ask(self, begin, group="graph", failed=lambda why: PartUnread((), why))

    def on_begun(self, message: Begun) -> None:
        message.stop()
        self.unread = ""
        if not self.typed:
            self.desk.lists[Page.FOUND] = message.spots
        if message.spots and not self.desk.centre:
            self.go(message.spots[0].refs)
        self.show_desk()

    def on_part_read(self, message: PartRead) -> None:
        message.stop()
        if message.centre == self.desk.centre:
            self.desk.part, self.desk.drawn, self.unread = message.part, message.centre, ""
            self.show_desk()

    def on_part_unread(self, message: PartUnread) -> None:
        message.stop()
        if message.centre == self.desk.centre:
            self.desk.part, self.unread = None, message.sentence
            self.show_desk()

    @property
    def selecting(self) -> str:
        """The memory that goes under the cursor once the new centre is drawn; "" at any other drawing."""
        if self.desk.drawn != self.desk.centre:
            return ""
        wanted, self._select = self._select, ""
        return wanted

    def tell_edges(self, digest: str) -> None:
        """Read the edges of the memory under the cursor."""
        engine = self.engine
        ask(
            self,
            lambda: EdgesTold(digest, surveying.told(engine, digest)),
            group="edges",
            failed=lambda why: EdgesUntold(digest, why),
        )

    def on_edges_told(self, message: EdgesTold) -> None:
        message.stop()
        self.show_edges(message)

    def on_edges_untold(self, message: EdgesUntold) -> None:
        message.stop()
        self.show_edges(message)

    # lists -------------------------------------------------------------------------

    def search(self, typed: str) -> None:
        """List what is like the typed words; one search at a time, and one more for what was typed meanwhile."""
        self.typed = typed
        if self._searching:
            return
        self._searching = True
        engine, newest = self.engine, self._newest

        def look() -> Message:
            among = surveying.newest(engine) if newest is None else newest
            return Found(typed, among, [surveying.spot(each) for each in surveying.find(engine, typed, among)])

        ask(self, look, group="find", failed=lambda why: Unlisted(Page.FOUND, why))

    def on_found(self, message: Found) -> None:
        message.stop()
        self._newest, self._searching = message.newest, False
        self.problems.pop(Page.FOUND, None)
        self.desk.lists[Page.FOUND] = message.spots
        self.show_list()
        if message.typed != self.typed:
            self.search(self.typed)

    def read_page(self) -> None:
        """Read the page in front where it was not read yet."""
        page, engine = self.desk.page, self.engine
        if page is Page.FOUND and page not in self.desk.lists:
            self.search(self.typed)
        elif page in READ and (page not in self.desk.lists or page in self._stale):
            ask(
                self,
                lambda: Listed(page, surveying.rows(engine, page)),
                group=f"list {page}",
                failed=lambda why: Unlisted(page, why),
            )

    def on_listed(self, message: Listed) -> None:
        message.stop()
        self.problems.pop(message.page, None)
        self._stale.discard(message.page)
        self.desk.lists[message.page] = message.spots
        self.show_list(keep=True)

    def on_unlisted(self, message: Unlisted) -> None:
        message.stop()
        self.problems[message.page] = message.sentence
        if message.page is Page.FOUND:
            self._searching = False
            self.desk.lists.pop(Page.FOUND, None)
        self.show_list()

    # paths -------------------------------------------------------------------------

    def find_route(self, start: str, end: str) -> None:
        """Look how two memories are joined."""
        engine = self.engine
        ask(self, lambda: Routed((start, end), surveying.route(engine, start, end)), group="route")

    def on_routed(self, message: Routed) -> None:
        message.stop()
        if message.route is None:
            self.tell("No path joins the two: they lie on different islands.", problem=False)
            return
        self.desk.route = message.route
        self.desk.lists[Page.PATH] = route_spots(message.route)
        self.desk.page = Page.PATH
        self.go(message.route.refs)
        self.show_desk()

    def on_failed(self, message: Failed) -> None:
        message.stop()
        self.tell(message.sentence)

    # live --------------------------------------------------------------------------

    def follow(self) -> None:
        """Read again when anything is recorded."""
        follow(self, self.engine)

    def on_arrived(self, message: Arrived) -> None:
        message.stop()
        if any(each.kind not in SILENT for each in message.entries):
            self.forget()
            if self.is_current:
                self.read()
                self.read_page()

    def forget(self) -> None:
        """What was read may no longer hold; the rows on the screen stay until they are read again."""
        self._newest = None
        self._stale.update(READ)
