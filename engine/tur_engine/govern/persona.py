"""The persona file beside a store: what it declares, and whether people approved it as it is (CONTRACTS 7).

Declared names are accepted from the file as it lies there; a flag has force only while the last signed approval names
the digest of the file's bytes.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from .. import records
from ..errors import BadInput
from ..ledger import Reads
from ..ontology.persona import FILE, LARGEST, Persona, read_persona
from ..records import EventKind


def place(store: Path) -> Path:
    """Return where the persona file of a store lies: beside it."""
    return store.with_name(FILE)


def declared(store: Path) -> Persona:
    """Return what the persona file of a store declares; nothing without one. Raises BadInput for a bad file."""
    text = _read(place(store))
    return Persona() if text is None else read_persona(text[1], str(place(store)))


def approved_digest(reads: Reads) -> str:
    """Return the digest that people approved last; empty where they never did. What is not signed does not count."""
    from .verify import signers_of

    for seq in reversed(reads.kinds(str(EventKind.PERSONA))):
        data = reads.event(seq)[2]
        then = {k.key: k.public for k in reads.reviewer_keys() if k.since < seq and (k.until is None or k.until > seq)}
        signers = signers_of(data, then)
        if signers and all(signers.values()):
            return str(data["statement"].get("subject", ""))
    return ""


def approved_text(reads: Reads, store: Path) -> str:
    """Return the text of the persona file where the approval covers it as it is; else nothing: no flag has force."""
    wanted = approved_digest(reads)
    if not wanted:
        return ""
    found = _read(place(store))
    return found[1] if found is not None and found[0] == wanted else ""


def persona_file(reads: Reads, store: Path) -> records.PersonaFile:
    """Return the file and how it stands. Raises BadInput for a bad file."""
    path, approved = place(store), approved_digest(reads)
    found = _read(path)
    if found is None:
        return records.PersonaFile(path=str(path), approved_digest=approved)
    digest, text = found
    persona = read_persona(text, str(path))
    return records.PersonaFile(
        path=str(path),
        digest=digest,
        text=text,
        edge_types={name: (force.transitive, force.decay) for name, force in persona.edge_types.items()},
        node_types=persona.node_types,
        approved=digest == approved,
        approved_digest=approved,
    )


def standing(reads: Reads, store: Path) -> str:
    """Return in words how the file stands, a bad one too; empty where there is nothing to say."""
    try:
        return persona_file(reads, store).standing
    except BadInput as e:
        return f"not readable, no flag has force: {e}"


def _read(path: Path) -> tuple[str, str] | None:
    """Return digest and text of the file; None where there is none. Raises BadInput."""
    if path.exists() and not path.is_file():
        raise BadInput(f"{path} is no file; a persona file is a text")
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return None
    except OSError as e:
        raise BadInput(f"{path} cannot be read: {e.strerror or e}") from e
    if len(data) > LARGEST:
        raise BadInput(f"{path} is larger than {LARGEST // 1024} kB; a persona file has a few lines")
    try:
        return hashlib.sha256(data).hexdigest(), data.decode("utf-8")
    except UnicodeDecodeError as e:
        raise BadInput(f"{path} is not UTF-8 at byte {e.start + 1}; save it as UTF-8") from e
