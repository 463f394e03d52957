"""The messages of docs/akashik.md are answered as they stand there."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.akashik.conftest import Field
from tur_engine.akashik import answer
from tur_engine.akashik.record import KEYS, TYPES


def test_each_message_on_the_page_is_answered(field: Field, repo_root: Path) -> None:
    page = (repo_root / "docs" / "akashik.md").read_text("utf-8")
    messages = re.findall(r"<<'END'\n(.*?)\nEND$", page, re.DOTALL | re.MULTILINE)
    told = {}
    for message in messages:
        reply = answer(message.encode(), lambda _: field.engine)
        assert reply.exit_code == 0, reply.payload
        told[json.loads(message)["operation"]] = reply.payload["status"]
    assert told == {"DETECT": "ok", "RECORD": "accepted"}
    assert set(json.loads(messages[-1])["payload"]) == set(KEYS)
    assert ", ".join(TYPES) in " ".join(page.split())
