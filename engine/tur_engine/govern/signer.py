"""An unlocked key: the only thing that can sign."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ..errors import NotAllowed
from .statement import key_id


class Signer:
    """A reviewer's private key while it is unlocked."""

    def __init__(self, private: Ed25519PrivateKey, name: str) -> None:
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
        self.key_hex = key_id(self.public)
        self.name = name
        self._private: Ed25519PrivateKey | None = private

    @property
    def key_id(self) -> str:
        """`key-<64 hex>`."""
        return f"key-{self.key_hex}"

    @property
    def locked(self) -> bool:
        """True once the private half was dropped."""
        return self._private is None

    def sign(self, data: bytes) -> str:
        """Return the Ed25519 signature in hex. Raises NotAllowed where the key is locked."""
        if self._private is None:
            raise NotAllowed(f"the key of {self.name} is locked; unlock it with its passphrase")
        return self._private.sign(data).hex()

    def lock(self) -> None:
        """Drop the private half; only the passphrase brings it back."""
        self._private = None
