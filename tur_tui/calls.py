"""Engine calls off the UI thread: a worker makes the call and posts one message, whatever happens."""

from __future__ import annotations

from collections.abc import Callable

from textual.dom import DOMNode
from textual.message import Message
from textual.worker import get_current_worker

from tur_engine.errors import IntegrityFailure, TurError
from tur_engine.text import visible

from .crash import write_report
from .messages import Damaged, Failed


def ask(
    host: DOMNode,
    call: Callable[[], Message],
    *,
    group: str,
    newest_only: bool = True,
    failed: Callable[[str], Message] = Failed,
) -> None:
    """Run `call` in a thread and post its message to `host`.

    With `newest_only` a later call of the same group drops the answer of an earlier one. A call that fails is
    answered with `failed(sentence)`; where the store turned out damaged, `Damaged` comes first.
    """

    def work() -> None:
        worker = get_current_worker()
        try:
            answer = call()
        except Exception as error:
            why = sentence(error)
            answer = failed(why)
            if isinstance(error, IntegrityFailure):
                host.post_message(Damaged(why))
        if not worker.is_cancelled:
            host.post_message(answer)

    host.run_worker(work, group=group, thread=True, exclusive=newest_only, exit_on_error=False)


def sentence(error: Exception) -> str:
    """The error for people. What the engine raises on purpose is one already; a fault of ours leaves a report."""
    if isinstance(error, TurError):
        return one_line(str(error))
    report = write_report(error)
    where = f"; the report is in {report}" if report else ""
    return f"That did not work, through a fault of the program ({type(error).__name__}){where}."


def one_line(text: str) -> str:
    """Fit for a toast: visible marks for what could steer a terminal, no line breaks."""
    return visible(text, newlines=False)
