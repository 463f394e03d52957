"""`tur context`: the same for people and scripts."""

from __future__ import annotations

from tests.cli.conftest import Programs


def test_what_holds_is_printed(tur: Programs) -> None:
    tur("init")
    assert tur("context").err == "tur: nothing holds here yet\n"
    tur("learn", "The logo is blue")
    assert tur("context").out.startswith("Believed:\n- The logo is blue [fact-")
    found = tur("context", "--budget", "100", "--json").json
    assert [item["content"] for item in found["memories"]] == ["The logo is blue"]
    assert (found["budget"], found["more"], found["invariants"]) == (100, False, [])
    assert tur("context", "--budget", "3").code == 2
    assert tur("context", "--path", "../up").code == 2
