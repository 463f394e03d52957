"""Files that stand beside the packages in a checkout and inside them in a wheel, and the user's own."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from platformdirs import user_config_path

from tur_engine import at_home


def themes_dir() -> Path:
    """The shipped themes: in a wheel `tur_tui/themes`, in a checkout the top folder's `themes`."""
    bundled = Path(str(files("tur_tui"))) / "themes"
    return bundled if bundled.is_dir() else Path(__file__).resolve().parents[1] / "themes"


def user_themes_dir() -> Path:
    """Where a person puts themes of their own; it need not exist. Raises NoHome."""
    return at_home(lambda: user_config_path("tur-tui", appauthor=False)) / "themes"
