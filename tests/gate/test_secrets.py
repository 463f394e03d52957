"""Passwords, tokens and keys are noticed before anything is stored, and never repeated."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.engine.scripted import AGENT, MARA, Store, draft_of
from tur_engine.errors import BadInput, NotAllowed, SecretFound
from tur_engine.gate.secrets import first_secret
from tur_engine.records import Confidence, Verb

# Cut in two, so that no scanner takes the tests for a leak.
GITHUB = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
SECRETS = {
    "GitHub": f"The deploy token is {GITHUB}",
    "AWS": "Use AKIA" + "IOSFODNN7ABCDEFG for the bucket",
    "address": "The database is postgres://app:Tr0ub4dor" + "@db.internal/app",
    "password": "password: hunter" + "2",
    "told": "The password for staging is Tr0ub4dor" + "&3",
    "assigned": "API_KEY=9aF3kL0pQ7rS2tU5" + "vW8xY1zB4dE6gH",
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq" + "WmD1\n-----END RSA PRIVATE KEY-----",
    "Slack": "xoxb-" + "123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx",
    "Stripe": "Payments use sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "JSON Web": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0"
    + ".SflKxwRJSMeKKF2QT4fwpMeJf36POk6y",
    "GitLab": "glpat-" + "AbCdEf1234567890ghij",
    "a word in it": "password: Example" + "2024!",
    "a word in its token": "The bot uses xoxb-" + "123456789012-1234567890123-AbCdEfGhIjexampleOpQrStUvWx",
    "a word in its address": "postgres://app:exampleTr0ub4dor" + "@db.internal/app",
    "a word beside it": f"For example.com, as an example, the placeholder is {GITHUB}",
    "a sign in it": "password: P4ss{w0rd" + "<3$",
    "behind a masked one": f"Tokens look like ghp_{'x' * 36}, ours is {GITHUB}",
    "at two hosts": "https://me:Tr0ub4dor" + "@example.com or https://me:Tr0ub4dor" + "@db.internal",
    "hidden": "gh\u200bp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
}
HARMLESS = [
    "Bearer tokens expire after 24h",
    "The API key rotates every 90 days",
    "password: at least 12 characters",
    "password_hash = argon2id",
    "PASSWORD_MIN_LENGTH=12abc",
    "token = HS256-signed JWT",
    "The secret lives in vault at secret/data/prod/db2",
    "SECRET_KEY_BASE is read from the environment",
    "password = os.environ['DB_PASSWORD1']",
    "password: <your-password-1>",
    "postgres://user:password@localhost/app is the shape of the address",
    "AWS writes AKIAIOSFODNN7EXAMPLE with the secret key wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "postgres://app:Tr0ub4dor@db.example.com/app is what the manual shows",
    f"token: ghp_{'x' * 36}",
    "password: ${STAGING_PASSWORD_1}",
    "API_KEY=<your api key 1>",
    "token = your-deploy-token-1",
    "password: {{ vault.staging.password1 }}",
    "password: ********1a",
    "commit 2e31a284bb0a3f5be1f2f6a8d4c7f8f6a1b2c3d4 mends the token refresh",
    "The session 550e8400-e29b-41d4-a716-446655440000 lost its auth token",
    "The access token is checked in services/api/src/TokenValidationFilter2.java",
    "Keys begin with -----BEGIN RSA PRIVATE KEY----- and a line break",
]


@pytest.mark.parametrize("kind", SECRETS)
def test_it_is_refused_before_anything_is_stored(store: Store, kind: str) -> None:
    head = store.engine.head()
    for road in (store.learn, store.engine.note):
        with pytest.raises(SecretFound) as refusal:
            road(SECRETS[kind])
        assert refusal.value.exit_code == 2
        assert "nothing was stored" in str(refusal.value)
        for word in SECRETS[kind].split():
            assert len(word) < 12 or word not in str(refusal.value)
    assert store.engine.head() == head
    assert all(SECRETS[kind].encode() not in file.read_bytes() for file in store.engine.path.parent.iterdir())


@pytest.mark.parametrize("text", HARMLESS)
def test_talk_about_secrets_is_none(text: str) -> None:
    assert first_secret([("content", text)]) is None


def test_no_alarm_on_real_work(repo_root: Path) -> None:
    streams = sorted((repo_root / "benchmarks" / "data" / "streams").glob("*.jsonl"))
    texts = [json.loads(line)["content"] for file in streams for line in file.read_text("utf-8").splitlines()]
    assert len(texts) > 300
    assert [text for text in texts if first_secret([("content", text)])] == []


def test_kind_and_place_are_named(store: Store) -> None:
    with pytest.raises(SecretFound, match=r"^content, line 2, character 11, looks like a GitHub Token"):
        store.learn(f"Deploys:\ntoken is: {GITHUB}")


@pytest.mark.parametrize(
    ("where", "draft"),
    [
        ("field password", {"fields": {"password": "hunter" + "2"}, "topic": "staging"}),
        ("field note", {"fields": {"note": GITHUB}}),
        ("topic", {"topic": GITHUB}),
        ("a tag", {"tags": (GITHUB,)}),
        ("session", {"session": GITHUB}),
        ("provenance repository", {"provenance": {"repository": "https://me:" + f"{GITHUB}@github.com/x"}}),
        ("reasoning", {"confidence": Confidence(reasoning=f"I used {GITHUB}")}),
        ("evidence or assumption", {"confidence": Confidence(evidence=(GITHUB,))}),
    ],
)
def test_every_text_of_a_memory_is_looked_at(store: Store, where: str, draft: dict[str, Any]) -> None:
    with pytest.raises(SecretFound, match=rf"^{where}, character"):
        store.learn("The staging server", **draft)


def test_a_batch_goes_on_after_it_and_a_merge_is_refused(store: Store) -> None:
    report = store.engine.learn_many([draft_of(SECRETS["GitHub"]), draft_of("The lift works")])
    assert (report.committed, report.refused[0].line) == (1, 1)
    assert GITHUB not in report.refused[0].reason
    store.script.clash("The cache is Redis", "The cache is a file")
    store.known("The cache is Redis")
    conflict = store.held("The cache is a file")
    with pytest.raises(SecretFound, match=r"^merged text, character"):
        store.settle(conflict, Verb.MERGE, text=SECRETS["GitHub"])
    assert isinstance(SecretFound("x"), BadInput)


def test_nor_does_it_stand_in_a_reason(store: Store) -> None:
    store.script.clash("The cache is Redis", "The cache is a file")
    store.known("The cache is Redis")
    conflict = store.held("The cache is a file")
    for act in (
        lambda: store.settle(conflict, Verb.SUPERSEDE, reason=SECRETS["GitHub"]),
        lambda: store.engine.undo(reason=SECRETS["GitHub"]),
        lambda: store.engine.undo_session(agent=AGENT, reason=SECRETS["GitHub"]),
    ):
        with pytest.raises(SecretFound, match=r"^reason, character"):
            act()


def test_a_person_may_insist_an_agent_may_not(store: Store) -> None:
    with pytest.raises(NotAllowed, match="only a person"):
        store.seen_by(AGENT).learn(draft_of(SECRETS["told"], AGENT), allow_secret=True)
    assert store.seen_by(MARA).learn(draft_of(SECRETS["told"]), allow_secret=True).outcome == "committed"


def test_the_rules_load_only_where_a_text_could_hold_one() -> None:
    program = (
        "import sys; from tur_engine.gate.secrets import first_secret as f; "
        "assert f([('content', 'Invoices are due in 30 days')]) is None; assert 'detect_secrets' not in sys.modules; "
        f"assert f([('content', {GITHUB!r})]); assert 'detect_secrets' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


LONG = ["word", "数据库迁移由", "token", "pass_", "="]


@pytest.mark.parametrize("piece", LONG)
def test_a_long_run_without_a_space_is_read_once(piece: str) -> None:
    """Looked at anew from every letter, it took minutes."""
    run = piece * (90_000 // len(piece))
    assert first_secret([("content", run)]) is None
    assert first_secret([("content", f"{run}password: hunter" + "2")]) is not None
