"""Ship `themes/` inside the package, in real wheels only: an editable install reads the checkout's own."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BundleThemes(BuildHookInterface[Any]):
    """Maps `themes/` to `tur_tui/themes` when the wheel is a standard one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            build_data["force_include"]["themes"] = "tur_tui/themes"
