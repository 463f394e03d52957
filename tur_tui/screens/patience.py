"""What is said while another writer holds the store."""

from typing import Final

PATIENCE: Final = 0.5
"""Seconds of writing after which it is said."""
STILL: Final = "Not written yet: waiting for another writer of the store. It goes on by itself."
