"""Keys typed while something opens go into it.

Textual hands a key to what has the focus when it comes and does what it is bound to once it has passed every widget
around that: letters typed right behind a key that opens a dialog are on their way to the screen below by then. Here
they turn round; and while a screen is being made keys wait for it, in the order in which they were typed.
"""

from __future__ import annotations

from bisect import insort
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from textual import on
from textual.app import App
from textual.events import Event, Key, Paste
from textual.screen import Screen
from textual.widget import Widget

from .screens.framing import FramingScreen

AT_ONCE: Final = frozenset({"ctrl+c", "ctrl+q"})
"""Keys that leave, or tell how to, whatever is waited for."""
TURN: Final = 0.005
"""Seconds between two looks whether a key that was typed before is back."""
TURNS: Final = 20
"""Looks after which it is not waited for: what took it is gone."""


class Front(NamedTuple):
    """What a key is for."""

    screen: Screen[Any]
    focused: Widget | None


class Sent(NamedTuple):
    """Where a key was sent, and its place among all that were typed."""

    number: int
    front: Front


class TypedAhead(App[None]):
    """Every program of ours: what is typed behind a key that opens something is for what that opens."""

    def __init__(self, *, ansi_color: bool | None = None) -> None:
        super().__init__(ansi_color=ansi_color)
        self._typed_so_far = self._forgotten = 0
        self._held_back: list[tuple[int, Event]] = []
        self._handed: WeakKeyDictionary[Event, Sent] = WeakKeyDictionary()
        self._looks = 0

    async def on_event(self, event: Event) -> None:
        if (
            not isinstance(event, Key | Paste)
            or (isinstance(event, Key) and event.key in AT_ONCE)
            or not self._screen_stack  # it is over
        ):
            await super().on_event(event)
        elif not event.is_forwarded:
            self._typed_so_far += 1
            await self._hold_back(self._typed_so_far, event)
        else:
            sent = self._handed.pop(event, None)
            if sent is not None and sent.number <= self._forgotten:
                event.stop()
            elif sent is None or (sent.front == self._in_front and _takes_keys(sent.front)):
                await super().on_event(event)
                await self._hand_over()
            else:
                await self._hold_back(sent.number, _anew(event))

    def forget_typed(self) -> None:
        """What was to open did not: nothing that was typed for it so far is a key of what is in front."""
        self._held_back.clear()
        self._forgotten = self._typed_so_far

    @on(FramingScreen.Opened)
    async def _have_opened(self, message: FramingScreen.Opened) -> None:
        message.screen.opened = True
        await self._hand_over()

    @property
    def _in_front(self) -> Front:
        return Front(self.screen, self.focused)

    async def _hold_back(self, number: int, event: Event) -> None:
        insort(self._held_back, (number, event), key=lambda each: each[0])
        self._looks = 0
        await self._hand_over()

    async def _hand_over(self) -> None:
        """Send what waits to what is in front, one after the other, as long as that can take it."""
        while self._held_back and self._screen_stack:
            front = self._in_front
            if not _takes_keys(front):
                return
            number, event = self._held_back[0]
            if self._overtakes(number, event, front):
                if self._looks < TURNS:
                    self._looks += 1
                    self.set_timer(TURN, self._hand_over)
                    return
                self._handed.clear()
            del self._held_back[0]
            self._looks = 0
            self._handed[event] = Sent(number, front)
            await super().on_event(event)

    def _overtakes(self, number: int, event: Event, front: Front) -> bool:
        """Whether it must wait for a key that was typed earlier and is on its way.

        That one may open or close what is in front, where it is no letter; or it comes back to be handed over again;
        or this one is done at once, as F2 is, and would save a text without its last letters.
        """
        at_once = isinstance(event, Key) and any(
            each.priority for _, keys in front.screen._binding_chain for each in keys.key_to_bindings.get(event.key, ())
        )
        return any(
            sent.number < number
            and not earlier._stop_propagation
            and (at_once or sent.front != front or _leads(earlier))
            for earlier, sent in self._handed.items()
        )


def _takes_keys(front: Front) -> bool:
    return not isinstance(front.screen, FramingScreen) or front.screen.takes_keys


def _leads(event: Event) -> bool:
    return isinstance(event, Key) and not event.is_printable


def _anew(event: Key | Paste) -> Event:
    """The same as if it had just come: Textual forwards no event twice."""
    return Paste(event.text) if isinstance(event, Paste) else Key(event.key, event.character)
