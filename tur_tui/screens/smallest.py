"""The smallest window in which anything may be written."""

from typing import Final

SMALLEST: Final = (60, 15)
"""Columns and rows below which a person cannot see what a verb would act on: the verbs are off."""
