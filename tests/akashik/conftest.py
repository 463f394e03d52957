"""Messages to a store, without the neural models: declared, structured and symbolic evidence is all they need."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.standins import plain_vector
from tur_engine.akashik import Reply, answer
from tur_engine.engine import Engine
from tur_engine.minds import Minds
from tur_engine.records import Author

OTTER = Author.parse("agent:otter")


def envelope(operation: str = "DETECT", agent: str = "otter", epoch: int = 0, **payload: Any) -> dict[str, Any]:
    """A sound message."""
    return {
        "protocol": "akashik",
        "version": "0.1.0",
        "id": "msg-1",
        "operation": operation,
        "agent_id": agent,
        "session_id": None,
        "epoch": epoch,
        "payload": payload,
    }


def unit(content: Any, **more: Any) -> dict[str, Any]:
    """The payload of a RECORD that lacks nothing."""
    return {
        "mode": "committed",
        "type": "finding",
        "content": content,
        "intent": {"purpose": "to know it"},
        "confidence": {"score": 0.9, "reasoning": "measured"},
    } | more


class Field:
    """One store that answers messages."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def send(self, message: dict[str, Any], **options: bool) -> Reply:
        """Send a message as bytes, the way it comes in."""
        return answer(json.dumps(message).encode(), lambda _: self.engine, **options)

    def detect(self, mode: str = "list", *, options: dict[str, bool] | None = None, **payload: Any) -> dict[str, Any]:
        """Ask; the answer must be ok."""
        reply = self.send(envelope(mode=mode, **payload), **(options or {}))
        assert reply.payload.get("status") == "ok", reply.payload
        return reply.payload

    def record(self, content: Any, **more: Any) -> dict[str, Any]:
        """Record; it must be accepted."""
        reply = self.send(envelope("RECORD", **unit(content, **more)))
        assert reply.payload.get("status") == "accepted", reply.payload
        return reply.payload

    def refused(self, message: dict[str, Any], **options: bool) -> dict[str, Any]:
        """Send what must be refused; nothing may have been written."""
        before = self.engine.head()
        reply = self.send(message, **options)
        assert "code" in reply.payload, reply.payload
        assert set(reply.payload) == {"code", "message", "operation", "recoverable", "suggested_action"}
        assert reply.exit_code == 2
        assert self.engine.head() == before
        return reply.payload

    def set_level(self, level: int) -> None:
        """Let the store answer at a level."""
        akashik = self.engine.settings.akashik.model_copy(update={"level": level})
        self.engine.settings = self.engine.settings.model_copy(update={"akashik": akashik})


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUR_NO_JUDGE", "1")
    monkeypatch.setattr(Minds, "_embed", lambda self, text: plain_vector(text))


@pytest.fixture
def field(workdir: Path, light: None) -> Iterator[Field]:
    with Engine.init(workdir, actor=OTTER) as engine:
        yield Field(engine)
