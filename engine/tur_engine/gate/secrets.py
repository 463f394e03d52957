"""Passwords, tokens and keys are noticed before anything is stored: a ledger forgets nothing by itself.

The formats are detect-secrets' rules (Yelp). Its entropy rules ring on every hash and path, so a random-looking word
counts only where the text calls it a secret. The library loads when a text looks as if it could hold one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from ..errors import SecretFound
from ..govern.proposing import check_reason
from ..patterns import later
from ..records import Draft
from .placeholders import is_placeholder, only_at_nobodys_host

_COULD = later(r"[\w\-+/=.~:]{16,}|://[^/\s]*:[^/\s]*@")
"""Every format above has such a run; few sentences do, and theirs are hashes and paths."""
_PRIVATE_KEY = later(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----\s*(?P<value>\S{16,})")
_PASSWORD = r"pass(?:word|phrase|wd|code)|pwd|\bpin"
_KEY = r"secret|credential|bearer|(?:api|access|auth|private|secret|account|client|service)[ _-]?(?:key|token)|token"
_ASSIGNED = later(
    rf"(?P<what>(?:{_PASSWORD}|{_KEY})\d*)[\"'`]?\s*(?::=|=>|={{1,3}}|:)\s*[\"'`]?(?P<value>[^\s\"'`,;]{{6,}})",
    re.IGNORECASE,
)
_TOLD = later(
    rf"\b(?P<what>{_PASSWORD})(?:\s+(?:for|of|to|on)(?:\s+\S+){{1,4}}?)?\s+(?:is|was|=)\s+[\"'`]?(?P<value>[^\s\"'`,;]{{6,}})",
    re.IGNORECASE,
)
_CALLED_SECRET = later(rf"{_PASSWORD}|{_KEY}", re.IGNORECASE)
_RUN = later(r"[A-Za-z0-9_\-+/]{20,}")
_ADDRESS = "password in an address"
_ENTROPY = 4.2
"""Bits a character from which mixed letters and digits are no word, name or path."""


class Found(NamedTuple):
    """A secret: its kind and where it stands. The secret itself goes nowhere."""

    kind: str
    where: str


def refuse_secrets(draft: Draft, what: str = "content") -> None:
    """Raise SecretFound, which names kind and place, where a draft holds a secret."""
    if (found := first_secret(_texts(draft, what))) is not None:
        raise SecretFound(
            f"{_said(found)}; nothing was stored. Say where the secret is kept, not what it is"
            + (
                ": what is proposed stays in the history for good"
                if draft.type.invariant_tier
                else "; if it is none, a person on a terminal may store it with tur learn --allow-secret"
            )
        )


def kept_reason(reason: str) -> str:
    """Return a reason as it will be kept, empty where none is given. Raises BadInput, SecretFound."""
    reason = check_reason(reason)
    if (found := first_secret([("reason", reason)])) is not None:
        raise SecretFound(
            f"{_said(found)}; nothing was stored. Say where the secret is kept, not what it is: "
            "a reason stays in the history for good"
        )
    return reason


def _said(found: Found) -> str:
    return f"{found.where} looks like {'an' if found.kind[0] in 'aeiouAEIOU' else 'a'} {found.kind}"


def _texts(draft: Draft, what: str) -> Iterator[tuple[str, str]]:
    yield what, draft.content
    yield "topic", draft.topic or ""
    for name, value in draft.fields.items():
        if isinstance(value, str):
            yield f"field {_shown(name)}", f"{name}: {value}"
        yield "a field's name", name
    for tag in draft.tags:
        yield "a tag", tag
    yield "session", draft.session or ""
    for name, value in draft.provenance.items():
        yield f"provenance {_shown(name)}", value
    yield "reasoning", draft.confidence.reasoning
    for text in (*draft.confidence.evidence, *draft.confidence.assumptions):
        yield "evidence or assumption", text


def _shown(name: str) -> str:
    return name if len(name) <= 24 and name.isidentifier() else "with a long name"


def first_secret(texts: Iterable[tuple[str, str]]) -> Found | None:
    """Return the first secret in (place, text) pairs, None where there is none."""
    for place, text in texts:
        if not text:
            continue
        plain = _plain(text)
        for kind, value in _secrets(plain):
            return Found(kind, f"{place}, {_spot(text, plain, value)},")
    return None


def _plain(text: str) -> str:
    """Without the invisible characters that could cut a token in two."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")


def _spot(text: str, plain: str, value: str) -> str:
    at = text.find(value)
    shown = text if at >= 0 else plain
    at = max(0, shown.find(value))
    line = shown.count("\n", 0, at) + 1
    column = at - (shown.rfind("\n", 0, at) + 1) + 1
    return f"line {line}, character {column}" if "\n" in shown else f"character {column}"


def _secrets(text: str) -> Iterator[tuple[str, str]]:
    if match := _PRIVATE_KEY.search(text):
        yield "private key", match["value"]
    if _COULD.search(text):
        for kind, rule in _rules():
            for line in text.splitlines():
                for value in rule.analyze_string(line):
                    if not value or all(map(is_placeholder, _runs(value, line))):
                        continue
                    if kind != _ADDRESS or not only_at_nobodys_host(value, line):
                        yield kind, value
    for pattern in (_ASSIGNED, _TOLD):
        for match in pattern.finditer(text):
            what = _whole(text, *match.span("what"))
            if _chosen(what, match["value"].rstrip(".)]}")):
                password = re.search(_PASSWORD, what, re.IGNORECASE)
                yield "password" if password else "key or token", match["value"]
    if _CALLED_SECRET.search(text):
        for match in _RUN.finditer(text):
            if _random(match.group()) and not is_placeholder(match.group()):
                yield "key or token", match.group()


def _runs(value: str, line: str) -> list[str]:
    """Return a value as it stands in the line, wherever it does: some rules give the beginning of a token only."""
    runs: list[str] = re.findall(rf"{re.escape(value)}[\w-]*", line)
    return [run for run in runs if run != value] or [value]


def _whole(text: str, start: int, end: int) -> str:
    """Return the name that ends here: `db_password` for `password`. `\\w*` before the pattern would try every start."""
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return text[start:end]


@cache
def _rules() -> list[tuple[str, Any]]:
    from detect_secrets.plugins import (
        artifactory,
        aws,
        azure_storage_key,
        basic_auth,
        cloudant,
        discord,
        github_token,
        gitlab_token,
        ibm_cloud_iam,
        jwt,
        mailchimp,
        npm,
        openai,
        pypi_token,
        sendgrid,
        slack,
        square_oauth,
        stripe,
        telegram_token,
        twilio,
    )

    rules: list[Any] = [
        artifactory.ArtifactoryDetector(),
        aws.AWSKeyDetector(),
        azure_storage_key.AzureStorageKeyDetector(),
        basic_auth.BasicAuthDetector(),
        cloudant.CloudantDetector(),
        discord.DiscordBotTokenDetector(),
        github_token.GitHubTokenDetector(),
        gitlab_token.GitLabTokenDetector(),
        ibm_cloud_iam.IbmCloudIamDetector(),
        jwt.JwtTokenDetector(),
        mailchimp.MailchimpDetector(),
        npm.NpmDetector(),
        openai.OpenAIDetector(),
        pypi_token.PypiTokenDetector(),
        sendgrid.SendGridDetector(),
        slack.SlackDetector(),
        square_oauth.SquareOAuthDetector(),
        stripe.StripeDetector(),
        telegram_token.TelegramBotTokenDetector(),
        twilio.TwilioKeyDetector(),
    ]
    return [(_kind(rule.secret_type), rule) for rule in rules]


def _kind(name: str) -> str:
    return _ADDRESS if name == "Basic Auth Credentials" else str(name)


def _chosen(what: str, value: str) -> bool:
    """True for a value that somebody made up to be a password, or a machine to be a key."""
    if len(value) < 6 or is_placeholder(value) or not (_has(value, str.isdigit) and _has(value, str.isalpha)):
        return False
    if re.search(_PASSWORD, what, re.IGNORECASE):
        return (
            "/" not in value and "(" not in value and not re.search(r"\.(?:py|js|ts|md|toml|ya?ml|json|env)\b", value)
        )
    return len(value) >= 16 and _random(value)


def _random(value: str) -> bool:
    """True where small and capital letters and digits are mixed without an order: no hash, no path, no name."""
    mixed = all(_has(value, of) for of in (str.isdigit, str.islower, str.isupper))
    return mixed and _entropy(value) >= min(_ENTROPY, 0.2 * len(value)) and not _reads(value)


def _reads(value: str) -> bool:
    """True for words strung together: a path, a class with a version."""
    words = re.findall(r"[A-Z]?[a-z]{3,}", value)
    return sum(map(len, words)) * 2 >= len(value)


def _has(value: str, of: Any) -> bool:
    return any(map(of, value))


def _entropy(value: str) -> float:
    from math import log2

    return -sum(n * log2(n) for n in (value.count(c) / len(value) for c in set(value)))
