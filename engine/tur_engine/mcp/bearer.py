"""The token that a caller over HTTP must show: from the environment, or kept in a file for this user alone."""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from pathlib import Path
from typing import NamedTuple

from mcp.server.auth.provider import AccessToken

from ..errors import BadInput, TurError
from ..home import state_folder

VARIABLE = "TUR_MCP_TOKEN"
SHORTEST = 16


class Token(NamedTuple):
    """The token, and where it is from."""

    text: str
    source: str
    fresh: bool = False
    """True where this start made it: it is to be printed once."""


class Bearer:
    """Verifies the one token (the SDK's `TokenVerifier`)."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return who the token is for; None where it is another."""
        if not hmac.compare_digest(token.encode(), self._token):
            return None
        return AccessToken(token=token, client_id="tur-mcp", scopes=[])


def place() -> Path:
    """Return the file that the token is kept in. Raises NoHome."""
    return state_folder() / "mcp-token"


def token() -> Token:
    """Return the token to ask for: of the environment, of the file, or a new one kept there.

    Raises BadInput for a token that is too short, NoHome, TurError for a file that others can read or that cannot be
    used.
    """
    if named := os.environ.get(VARIABLE):
        return Token(_fit(named, VARIABLE), VARIABLE)
    file = place()
    if (kept := _read(file)) is not None:
        return Token(_fit(kept, str(file)), str(file))
    made = secrets.token_urlsafe(32)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(made + "\n")
    except FileExistsError:  # another start was first
        if (kept := _read(file)) is None:
            raise _unusable(file, "is a link that leads nowhere") from None
        return Token(_fit(kept, str(file)), str(file))
    except OSError as error:
        raise TurError(f"the token cannot be kept in {file} ({error.strerror}); set {VARIABLE}") from error
    return Token(made, str(file), fresh=True)


def _read(file: Path) -> str | None:
    """Return what the file holds; None where there is none. Raises TurError."""
    try:
        if file.exists() and not file.is_file():
            raise _unusable(file, "is no plain file")
        with file.open(encoding="ascii") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise TurError(
                    f"the token file {file} can be read by others; chmod 600 it, or remove it for a new token"
                )
            return opened.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise _unusable(file, "holds no token, but other bytes than ASCII text") from None
    except OSError as error:
        raise _unusable(file, f"cannot be read ({error.strerror})") from error


def _unusable(file: Path, why: str) -> TurError:
    return TurError(f"the token file {file} {why}; remove it for a new token, or set {VARIABLE}")


def _fit(text: str, source: str) -> str:
    text = text.strip()
    if len(text) < SHORTEST or not text.isascii() or not text.isprintable() or " " in text:
        rest = "unset it" if source == VARIABLE else "remove the file"
        raise BadInput(
            f"the token in {source} is not {SHORTEST} or more ASCII characters without spaces; {rest} for a new one"
        )
    return text
