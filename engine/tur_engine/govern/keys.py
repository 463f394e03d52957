"""Key files: private keys on this machine, encrypted by a passphrase, outside of any store (CONTRACTS 6)."""

from __future__ import annotations

import os
import re
from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

import platformdirs
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from ..errors import BadInput, NoHome, NoKey, NotAllowed, WrongPassphrase
from ..home import at_home
from ..records import KeyFile
from ..text import accept, visible
from .signer import Signer
from .statement import hexes_of, key_id

SHORTEST = 8
"""Characters of a passphrase at the least."""
NAME_LIMIT = 64
_PUBLIC = re.compile(rb"-----BEGIN PUBLIC KEY-----.*?-----END PUBLIC KEY-----\n?", re.DOTALL)
_PRIVATE = re.compile(rb"-----BEGIN ENCRYPTED PRIVATE KEY-----.*?-----END ENCRYPTED PRIVATE KEY-----\n?", re.DOTALL)
_CALLED = re.compile(r"[0-9a-f]{8}-")
"""How a key file that was made here begins: with the start of its key's id."""
_NAME = re.compile(rb"^reviewer: (.*)$", re.MULTILINE)


def folder() -> Path:
    """Return where key files lie: $TUR_KEYS, else `keys` in the user's configuration folder. Raises NoHome."""
    named = os.environ.get("TUR_KEYS")
    return Path(named) if named else at_home(lambda: platformdirs.user_config_path("tur-tui")) / "keys"


def check_passphrase(passphrase: str) -> str:
    """Return a passphrase that may lock a new key. Raises BadInput where it is too short."""
    if len(passphrase) < SHORTEST:
        raise BadInput(f"a passphrase has at least {SHORTEST} characters; nothing was made")
    return passphrase


def check_name(name: str) -> str:
    """Return a reviewer's name. Raises BadInput."""
    name = accept(name, "reviewer's name", limit=NAME_LIMIT).strip()
    if "\n" in name or "\t" in name:
        raise BadInput("a reviewer's name is one line")
    return name


def create(name: str, passphrase: str) -> tuple[Signer, KeyFile]:
    """Make a key and its file. Raises BadInput, NotAllowed where the folder cannot be written."""
    name, passphrase = check_name(name), check_passphrase(passphrase)
    private = Ed25519PrivateKey.generate()
    signer = Signer(private, name)
    encryption = BestAvailableEncryption(passphrase.encode())
    text = b"reviewer: " + name.encode() + b"\n"
    text += private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    text += private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
    place = folder()
    path = place / f"{signer.key_hex[:8]}-{re.sub(r'[^A-Za-z0-9._-]+', '_', name)}.pem"
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.chmod(0o700)
        _write(path, text)
    except OSError as e:
        raise NotAllowed(f"the key file {visible(str(path))} cannot be written: {e.strerror}; no key was made") from e
    return signer, KeyFile(id=signer.key_id, public=signer.public, name=name, path=str(path))


def _write(path: Path, text: bytes) -> None:
    """Whole or not at all, readable by its owner alone from the first byte."""
    fresh = path.with_name(f".{path.name}.{uuid4().hex}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.rename(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def discard(key: KeyFile) -> None:
    """Take a key file away that was made a moment ago and enrolled nowhere."""
    Path(key.path).unlink(missing_ok=True)


def listed() -> list[KeyFile]:
    """Return the keys here, each once, by name; `unfit` tells of the files that hold none."""
    found: dict[str, KeyFile] = {}
    for path in _paths():
        key = _described(path)
        if isinstance(key, KeyFile) and (key.id not in found or _own(path, key)):
            found[key.id] = key
    return sorted(found.values(), key=lambda key: (key.name, key.id))


def unfit() -> list[tuple[Path, str]]:
    """Return the key files here that cannot be used for the key they are called by, and what is wrong with each."""
    found = []
    for path in _paths():
        key = _described(path)
        if isinstance(key, str):
            found.append((path, key))
        elif not _own(path, key) and _CALLED.match(path.name):
            found.append((path, f"holds another key: that of {key.name} ({key.id[:12]})"))
    return found


def whereabouts_of(id: str, name: str) -> str:
    """Return in words why a key that is enrolled is not to be had here: its file is not there, or unfit."""
    called = f"{id.removeprefix('key-')[:8]}-"
    for path, why in unfit():
        if path.name.startswith(called):
            return f"{path}, the key file of {name}, {why}"
    return f"the key file of {name} is not there: {folder() / called}*.pem"


def _paths() -> list[Path]:
    try:
        return sorted(folder().glob("*.pem"))
    except (OSError, NoHome):
        return []


def _own(path: Path, key: KeyFile) -> bool:
    return path.name.startswith(f"{key.id.removeprefix('key-')[:8]}-")


def _described(path: Path) -> KeyFile | str:
    """Return the key in a file, or what is wrong with the file."""
    try:
        text = path.read_bytes()
    except IsADirectoryError:
        return "is a folder"
    except OSError as e:
        return f"cannot be read: {e.strerror}"
    block, private, name = _PUBLIC.search(text), _PRIVATE.search(text), _NAME.search(text)
    if not text:
        return "is empty"
    if block is None or private is None or not _whole(private.group()):
        return "is no whole key file"
    try:
        public = load_pem_public_key(block.group())
        if not isinstance(public, Ed25519PublicKey):
            return "holds another sort of key"
        raw = public.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
        shown = name.group(1).decode() if name else path.stem.partition("-")[2]
    except (ValueError, UnsupportedAlgorithm):
        return "is no whole key file"
    return KeyFile(id=f"key-{key_id(raw)}", public=raw, name=shown, path=str(path))


def _whole(block: bytes) -> bool:
    """True where what stands between the lines is base64 of one DER sequence with nothing behind it."""
    try:
        der = b64decode(b"".join(block.split(b"\n")[1:]).partition(b"-")[0], validate=True)
    except ValueError:
        return False
    head = 2 + (der[1] & 0x7F if der[1:2] and der[1] & 0x80 else 0)
    length = int.from_bytes(der[2:head]) if head > 2 else int.from_bytes(der[1:2])
    return der[:1] == b"\x30" and len(der) == head + length


def unlock(key: KeyFile, passphrase: str) -> Signer:
    """Open a key file. Raises WrongPassphrase, NoKey where the file is gone or damaged."""
    path = Path(key.path)
    try:
        block = _PRIVATE.search(path.read_bytes())
    except OSError as e:
        raise NoKey(f"the key file {visible(key.path)} cannot be read: {e.strerror}") from e
    if block is None:
        raise NoKey(f"the key file {visible(key.path)} is damaged; bring it back from a copy")
    try:
        private = load_pem_private_key(block.group(), passphrase.encode())
    except (ValueError, TypeError, UnsupportedAlgorithm) as e:
        raise WrongPassphrase(
            f"the passphrase does not open the key of {visible(key.name)}; nothing was changed"
        ) from e
    if not isinstance(private, Ed25519PrivateKey):
        raise NoKey(f"the key file {visible(key.path)} holds another sort of key")
    signer = Signer(private, key.name)
    if signer.public != key.public:
        raise NoKey(f"the key file {visible(key.path)} was altered: its two halves do not fit; use a copy of it")
    return signer


def named(keys: Sequence[KeyFile], ref: str) -> list[KeyFile]:
    """Return the keys that a name, an id or the start of one means."""
    hexes = hexes_of(ref)
    by_id = [key for key in keys if hexes and key.id.removeprefix("key-").startswith(hexes)]
    return by_id or [key for key in keys if key.name == ref.strip()]
