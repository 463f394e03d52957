"""What the reviewer's dialogs share: they keep the key unlocked while somebody types, and are dead where too small."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from textual import events
from textual.message import Message

from ..calls import ask
from ..desk.reviewing import KeyLock
from ..drawing.governing import spoken
from .admin_messages import Refused
from .drafting import DraftingScreen
from .smallest import SMALLEST

if TYPE_CHECKING:
    from tur_engine.governor import Governor, Signer

Answer = TypeVar("Answer")

LOCKED_MEANWHILE = "The key locked itself meanwhile; nothing was signed. Leave with Esc, then begin again."
TOO_SMALL = f"The window is too small to show what is signed: {SMALLEST[0]}x{SMALLEST[1]} at least."


class ReviewerModal(DraftingScreen[Answer]):
    """A dialog on the way to a signature."""

    CSS_PATH = "admin_dialogs.tcss"
    ROOM = TOO_SMALL

    def __init__(self, governor: Governor, key_lock: KeyLock[Signer]) -> None:
        super().__init__()
        self.governor, self.key_lock = governor, key_lock
        self.writing = False
        """True while a call is under way; the dialog cannot be left then, since its outcome would be lost."""

    def on_key(self, event: events.Key) -> None:
        self.key_lock.touch()

    @property
    def dead(self) -> str:
        """Why nothing can be signed here now; empty where it can."""
        if self.too_small:
            return TOO_SMALL
        return LOCKED_MEANWHILE if self.key_lock.signer is None else ""

    def sign(self, signing: Callable[[Signer], Message]) -> None:
        """Sign in a thread; the dialog stays until the outcome is known."""
        signer = self.key_lock.signer
        assert signer is not None
        self.writing = True
        self.tell("Signing...")
        ask(self, lambda: signing(signer), group="sign", failed=Refused)

    def on_refused(self, message: Refused) -> None:
        message.stop()
        self.writing = False
        self.tell(self.refusal(spoken(message.sentence)))

    def refusal(self, sentence: str) -> str:
        """What the dialog says where the call was refused."""
        return sentence

    def action_leave(self) -> None:
        if not self.writing:
            self.dismiss(None)
