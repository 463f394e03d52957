"""Every error the engine raises on purpose, each with the exit code a program ends with.

    TurError                     1
    ├── StoreError               1   the store cannot serve: missing, read-only, busy, full
    │   ├── NoStore
    │   ├── StoreExists
    │   ├── ReadOnlyStore
    │   ├── NewerStore               written by a newer version
    │   ├── OlderStore               written by an older version: to be migrated
    │   ├── StoreBusy
    │   └── DiskFull
    ├── StaleRevision            1   the conflict moved since it was looked at
    ├── NotAllowed               1   a rule of the store forbids it (state, policy)
    │   ├── NoKey                    no key that may sign for this store
    │   └── WrongPassphrase
    ├── Stopped                  1   whoever asked no longer wants to know; nothing was changed
    ├── BadInput                 2   a value the caller gave
    │   ├── NoHome                   the account has none, and what is asked for would be in it
    │   ├── UnknownId
    │   ├── AmbiguousId
    │   ├── SecretFound              a password, token or key that would be stored
    │   └── GraphRefused             an extracted graph with faults; all of them are told
    ├── ConflictHeld             3   the gate stopped it, `fail` asked for
    ├── InvariantViolation       4   it clashes with a human-approved axiom or core memory
    └── IntegrityFailure         5   chain, body or projection do not fit; corrupt file

A message is one sentence or two: what is wrong, where, what to do.
"""

from __future__ import annotations


class TurError(Exception):
    """Base of all deliberate failures. `str(error)` is fit for a person to read."""

    exit_code = 1
    code = "error"


class Stopped(TurError):
    """A long look at the store was ended by whoever asked for it."""

    code = "stopped"


class StoreError(TurError):
    """The store cannot serve this call."""

    code = "store_error"


class NoStore(StoreError):
    """There is no store where one was named or expected."""

    code = "no_store"


class StoreExists(StoreError):
    """A store is already there, or above."""

    code = "store_exists"


class ReadOnlyStore(StoreError):
    """The file, the medium or the caller's mode does not allow writing."""

    code = "read_only"


class NewerStore(StoreError):
    """The store was written by a newer version of this program."""

    code = "newer_store"


class OlderStore(StoreError):
    """The store was written by an older version of this program; opening it never changes it."""

    code = "older_store"


class StoreBusy(StoreError):
    """Another process kept the write lock for too long."""

    code = "busy"


class DiskFull(StoreError):
    """The medium is full; the transaction was rolled back."""

    code = "disk_full"


class StaleRevision(TurError):
    """The caller decided on a state that has moved since."""

    code = "stale_revision"

    def __init__(self, message: str, *, current: int) -> None:
        super().__init__(message)
        self.current = current


class NotAllowed(TurError):
    """The state of the record or the store's policy forbids the call."""

    code = "not_allowed"


class NoKey(NotAllowed):
    """There is no private key here that may sign for this store."""

    code = "no_key"


class WrongPassphrase(NotAllowed):
    """The passphrase does not open the key file."""

    code = "wrong_passphrase"


class BadInput(TurError):
    """A value the caller gave cannot be used. A sentence that quotes a very long one is cut in the middle."""

    exit_code = 2
    code = "bad_input"
    longest = 800
    """Characters of the sentence; what is wrong stands at its beginning, what to do at its end."""

    def __init__(self, message: str) -> None:
        if len(message) > self.longest:
            message = f"{message[: self.longest * 2 // 3]} … {message[-self.longest // 3 :]}"
        super().__init__(message)


class NoHome(BadInput):
    """The account has no home, where what is asked for would be."""


class UnknownId(BadInput):
    """No record has this id."""

    code = "unknown_id"


class AmbiguousId(BadInput):
    """More than one record starts with this prefix."""

    code = "ambiguous_id"

    def __init__(self, message: str, *, matches: tuple[str, ...]) -> None:
        super().__init__(message)
        self.matches = matches


class SecretFound(BadInput):
    """What was to be stored holds a password, a token or a key."""

    code = "secret_found"


class GraphRefused(BadInput):
    """A graph has faults; nothing of it was taken."""

    code = "graph_refused"
    longest = 100_000
    """Every fault is a line."""

    def __init__(self, message: str, *, faults: tuple[str, ...]) -> None:
        super().__init__(message)
        self.faults = faults

    @classmethod
    def of(cls, where: str, faults: list[str]) -> GraphRefused:
        """Return the error that tells every fault, one a line."""
        listed = "".join(f"\n- {fault}" for fault in faults)
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        return cls(f"{where} was refused whole, nothing was written; {count}:{listed}", faults=tuple(faults))


class ConflictHeld(TurError):
    """The newcomer clashes and the caller asked to fail rather than to store."""

    exit_code = 3
    code = "conflict_detected"


class InvariantViolation(TurError):
    """The newcomer clashes with an approved axiom or core memory (EP-0134, section 3)."""

    exit_code = 4
    code = "invariant_violation"

    @staticmethod
    def text(shown_id: str) -> str:
        """Return the seed's text, to the letter (EP-0134, section 3)."""
        return (
            f"[Invariant Memory Error]: Assertion contradicts Invariant Memory '{shown_id}'.\n"
            "Agent cannot supersede human-governed Invariant memories.\n"
            "To propose a change, submit via `tur-adm proposal`."
        )

    @classmethod
    def of(cls, shown_id: str, sentence: str) -> InvariantViolation:
        """Return the error in the seed's text, with a sentence on what was being done."""
        return cls(f"{cls.text(shown_id)}\n{sentence}")


class IntegrityFailure(TurError):
    """The ledger does not verify, or the file is not a readable store."""

    exit_code = 5
    code = "integrity_failure"
