"""YAML from people and from other programs: plain data only, and never more of it than the text is long."""

from __future__ import annotations

from typing import Any

from ..errors import BadInput

DEEPEST = 60
"""Levels of nesting; what people write has a handful."""


def read_yaml(text: str, where: str) -> Any:
    """Return the data of one YAML document. Raises BadInput with the line where it is not readable.

    An alias may repeat plain values only: aliases of aliases grow without end.
    """
    import yaml  # a tenth of a second, paid by who reads such a file

    class Plain(yaml.SafeLoader):  # type: ignore[misc]
        depth = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            alias = self.check_event(yaml.AliasEvent)
            mark = self.peek_event().start_mark
            if self.depth >= DEEPEST:
                raise yaml.composer.ComposerError(None, None, f"more than {DEEPEST} levels of nesting", mark)
            self.depth += 1
            node = super().compose_node(parent, index)
            self.depth -= 1
            if alias and not _flat(node):
                raise yaml.composer.ComposerError(None, None, "an alias of something nested", mark)
            return node

    def _flat(node: Any) -> bool:
        if isinstance(node, yaml.ScalarNode):
            return True
        inner = [part for pair in node.value for part in (pair if isinstance(pair, tuple) else (pair,))]
        return all(isinstance(part, yaml.ScalarNode) for part in inner)

    try:
        return yaml.load(text, Loader=Plain)
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        line = f" in line {mark.line + 1}" if mark is not None else ""
        raise BadInput(f"{where} is not readable YAML{line}: {e.problem or e.context}") from e
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError) as e:
        raise BadInput(f"{where} is not readable YAML: {str(e).splitlines()[0][:120] if str(e) else 'too deep'}") from e
