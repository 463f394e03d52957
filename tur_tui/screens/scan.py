"""The scan screen: what rule files say against each other, in the shape of the start screen; nothing is decided."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from tur_engine.records import Verb
from tur_engine.rulebook import Report, Rulebook
from tur_engine.text import visible

from ..actions import bindings
from ..calls import ask, one_line
from ..desk.finding_advice import notes, struck, told_verb
from ..desk.finding_sides import belief_of, conflict_of, side_facts
from ..desk.findings import Finding, Findings
from ..drawing.wording import counted
from ..messages import Failed
from ..widgets.diff_view import DiffView
from ..widgets.finding_list import FindingList
from ..widgets.key_bar import KeyBar
from ..widgets.scan_line import ScanLine
from ..widgets.verb_bar import VerbBar
from ..widgets.why import Why
from .editing import open_in_editor
from .fronting import put_in_front
from .lifting import LiftingScreen
from .scan_keys import FOOTER, INTRODUCTION, SCAN
from .scan_messages import Scanned, Unscanned, Weighing

if TYPE_CHECKING:
    from ..hosting import Host

PANES = ("list", "diff", "why", "verbs")
"""The order of tab."""
BEAT = 0.1
"""Seconds between two words on how far a scan is."""


class _Left(Exception):
    """The person left while a scan was under way."""


class ScanScreen(LiftingScreen):
    """Composes the panes and shows in them what the scan found."""

    AUTO_FOCUS = ""
    CSS_PATH = "scan.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(SCAN)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (160, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-high")]  # noqa: RUF012

    def __init__(self, book: Rulebook) -> None:
        super().__init__()
        self.book, self.desk = book, Findings()
        self.scanning = False

    @property
    def host(self) -> Host:
        """The program this screen runs in."""
        return cast("Host", self.app)

    def compose(self) -> ComposeResult:
        yield ScanLine()
        with Container(id="panes"):
            yield FindingList(id="list")
            with Vertical(id="conflict"):
                yield DiffView(id="diff", empty="The rule files are read and weighed against each other ...")
                yield Why(id="why")
        yield VerbBar(room="scan", id="verbs")
        yield KeyBar(FOOTER, id="keys")

    def on_mount(self) -> None:
        for name, title in (("list", "Findings"), ("diff", "Finding")):
            self.query_one(f"#{name}").border_title = Content(title)
        self.query_one(ScanLine).root = str(self.book.root)
        self.show_pane("list" if self.app.size.height >= 20 else "diff")  # where it is flat, the two texts come first
        self.action_again()

    # scanning --------------------------------------------------------------------------

    def action_again(self) -> None:
        """Read everything anew; the finding in front stays there while it is still one."""
        if self.scanning:
            self.host.say("A scan is under way.", timeout=2)
            return
        self.scanning = True
        self.query_one(ScanLine).progress = "scanning"
        book = self.book

        def scan() -> Message:
            worker, told = get_current_worker(), 0.0

            def progress(done: int, of: int) -> None:
                nonlocal told
                if worker.is_cancelled:
                    raise _Left
                if monotonic() - told >= BEAT:
                    told = monotonic()
                    self.post_message(Weighing(done, of))

            report = book.scan(progress)
            ids = {clash.a.memory for clash in report.clashes if clash.a.memory and not clash.a.store}
            engine = book.engine
            return Scanned(report, {ref: engine.memory(ref) for ref in ids} if engine is not None else {})

        ask(self, scan, group="scan", failed=Unscanned)

    def on_weighing(self, message: Weighing) -> None:
        if self.scanning:
            self.query_one(ScanLine).progress = f"weighed {message.done:,} of {message.of:,}"

    def on_scanned(self, message: Scanned) -> None:
        self.scanning = False
        before = {each.key for each in self.desk.rows} if self.desk.report is not None else None
        self.desk.load(message.report, message.beliefs)
        self.query_one(FindingList).show(
            self.desk.rows, self.desk.place, "Nothing contradicts itself here." if self._read else "No rule file."
        )
        self.show_finding()
        if before is not None:
            now = {each.key for each in self.desk.rows}
            gone, came = len(before - now), len(now - before)
            self.host.say(f"Scanned again: {counted(gone, 'finding')} gone, {came} new.", timeout=4)

    def on_unscanned(self, message: Unscanned) -> None:
        self.scanning = False
        self.query_one(ScanLine).progress = ""
        if self.desk.report is None:
            self.query_one(DiffView).clear(one_line(message.sentence))
        self.host.say(message.sentence, severity="error", timeout=10)

    def on_failed(self, message: Failed) -> None:
        self.host.say(message.sentence, severity="error", timeout=10)

    @property
    def _read(self) -> int:
        return len(self.desk.report.files) if self.desk.report else 0

    # the finding in front ----------------------------------------------------------------

    def show_finding(self) -> None:
        """Bring every pane in line with the desk."""
        desk, line, finding = self.desk, self.query_one(ScanLine), self.desk.current
        line.progress, line.counter, line.summary = "", desk.counter, desk.summary
        diff, why, bar = self.query_one(DiffView), self.query_one(Why), self.query_one(VerbBar)
        diff.border_title = Content(finding.kind.value.capitalize() if finding else "Finding")
        diff.border_subtitle = Content(desk.counter if finding else "")
        conflict = conflict_of(finding, desk.beliefs) if finding else None
        self.set_class(conflict is None, "-no-pair")
        if finding is None or desk.report is None:
            diff.clear(nothing(self._read, str(self.book.root)))
        elif len(finding.sides) < 2:
            diff.clear(_in_words(finding))
        else:
            self._show_pair(diff, finding, desk.report)
        if conflict is None or finding is None:
            why.clear()
            bar.clear()
        else:
            todo = f"To do: {finding.suggestion}."
            why.show(conflict, judged=True, notes=[*notes(finding, desk.report), todo])
            bar.show(conflict.suggested, {verb: struck(finding, verb) for verb in Verb})

    def _show_pair(self, diff: DiffView, finding: Finding, report: Report) -> None:
        left, right = finding.sides[:2]
        marks = ("▸ " if self.desk.side == 0 else "  ", "▸ " if self.desk.side == 1 else "  ")
        titles = [
            f"{mark}{'INVARIANT' if side.approved else 'MEMORY' if side.memory else 'RULE'}"
            for mark, side in zip(marks, (left, right), strict=True)
        ]
        diff.show(
            belief_of(left, self.desk.beliefs),
            belief_of(right, self.desk.beliefs),
            finding.clash.evidence if finding.clash else (),
            titles=(titles[0], titles[1]),
            ids=tuple(visible(side.short_id or side.place, newlines=False) for side in (left, right)),  # type: ignore[arg-type]
            facts=(side_facts(left, report), side_facts(right, report)),
        )

    @on(FindingList.Highlighted)
    def follow_cursor(self, message: FindingList.Highlighted) -> None:
        if message.by_person and message.index != self.desk.place:
            self.desk.select(message.index)
            self.show_finding()

    def action_step(self, step: int) -> None:
        self.desk.step(step)
        self.query_one(FindingList).move_to(self.desk.place)
        self.show_finding()

    def action_side(self, side: int) -> None:
        """Point at a side: `o` and `y` are for that one."""
        self.desk.choose(side)
        self.show_finding()

    # verbs, which are none here ------------------------------------------------------------

    @on(VerbBar.VerbHighlighted)
    def show_instead(self, message: VerbBar.VerbHighlighted) -> None:
        if self.desk.current is not None and self.desk.current.clash is not None:
            self.query_one(Why).show_preview(struck(self.desk.current, message.verb))

    def action_told(self, verb: str) -> None:
        if self.desk.current is not None and self.desk.current.clash is not None:
            self.query_one(VerbBar).verb = Verb(verb)
        self.host.say(told_verb(self.desk.current, Verb(verb)), severity="warning", timeout=8)

    # reaching outside ------------------------------------------------------------------------

    def action_open_source(self) -> None:
        found = self.desk.source()
        if isinstance(found, str):
            self.host.say(found, severity="warning")
        else:
            open_in_editor(self.host, *found, self.book.root)

    def action_copy_place(self) -> None:
        side = self.desk.pointed
        if side is None:
            self.host.say("There is no line to copy.")
            return
        self.app.copy_to_clipboard(side.place)
        self.host.say(f"Copied {one_line(side.place)}.", timeout=3)

    # panes ---------------------------------------------------------------------------------

    def show_pane(self, name: str) -> None:
        """Bring a pane into view and give it the keys."""
        self.query_one(f"#{name}").focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget.id in PANES:
            put_in_front(self, PANES, event.widget.id)

    def action_pane(self, by: int) -> None:
        panes = PANES if self.desk.current and self.desk.current.clash else PANES[:2]
        focused = self.focused.id if self.focused else None
        at = panes.index(focused) + by if focused in panes else 0
        self.show_pane(panes[at % len(panes)])

    def action_next_theme(self) -> None:
        self.host.next_theme()

    def action_palette(self) -> None:
        self.host.show_palette(SCAN)

    def action_help(self) -> None:
        from .help import HelpScreen

        self.app.push_screen(HelpScreen(SCAN, INTRODUCTION, _OWN_KEYS))

    def action_leave(self) -> None:
        self.workers.cancel_all()
        self.app.exit()


_OWN_KEYS = (("In the list", FindingList), ("In the texts", DiffView), ("On the verbs", VerbBar))


def nothing(files: int, root: str) -> str:
    """What an empty desk says."""
    if files:
        return f"Nothing in {counted(files, 'rule file')} contradicts itself, the ledger or the repository."
    return (
        f"No rule file was found in {one_line(root)}. A scan reads CLAUDE.md, AGENTS.md, GEMINI.md, and the rules of "
        "Cursor, Copilot and Windsurf."
    )


def _in_words(finding: Finding) -> str:
    if not finding.sides:
        return one_line(finding.sentence)
    side = finding.sides[0]
    parts = [one_line(side.place), visible(side.text), one_line(finding.sentence)]
    return "\n\n".join([*parts, f"To do: {one_line(finding.suggestion)}."])
