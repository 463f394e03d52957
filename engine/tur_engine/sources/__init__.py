"""Memory that lives in files: the rule files that agents read, cut into statements."""

from .statements import Statement, statements_of

__all__ = ["Statement", "statements_of"]
