"""Keys that decide something take turns: each waits until the one before is written and the next conflict shown.

Nothing typed ahead is lost, and nothing typed ahead acts on a conflict that a refusal or a question left in front.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

Step = Callable[[], None]


class Turns:
    """A queue of steps, held while something is being written or loaded."""

    def __init__(self, *, held: bool = False) -> None:
        self._steps: deque[tuple[Step, bool]] = deque()
        self._held = held

    @property
    def held(self) -> bool:
        """Whether a step is under way."""
        return self._held

    @property
    def opens(self) -> bool:
        """Whether a step that opens something waits: what is typed behind it is for that."""
        return any(opens for _, opens in self._steps)

    def take(self, step: Step, *, opens: bool = False) -> None:
        """Run the step now, or as soon as those before it are through."""
        self._steps.append((step, opens))
        self._go()

    def hold(self) -> None:
        """A step began something that ends later."""
        self._held = True

    def release(self) -> None:
        """What was begun has ended well: the next steps may go."""
        self._held = False
        self._go()

    def drop(self) -> None:
        """What was begun needs the person: forget what was typed ahead."""
        self._steps.clear()
        self._held = False

    def _go(self) -> None:
        while self._steps and not self._held:
            step, _ = self._steps.popleft()
            step()
