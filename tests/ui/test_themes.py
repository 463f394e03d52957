"""The shipped themes load, read well and stay apart; files that are no themes each give one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme
from textual.widgets import Footer, Input, OptionList, Static

from tools.contrast import contrast, floor, linear
from tur_engine.engine import Engine
from tur_engine.records import Author, AuthorKind
from tur_tui.app import Workbench
from tur_tui.resources import themes_dir, user_themes_dir
from tur_tui.themes import (
    OWN_VARIABLES,
    ThemeFileError,
    load_theme,
    load_themes,
    starting_theme,
    variable_defaults,
)

SHIPPED = ["tur-amber", "tur-ansi", "tur-contrast", "tur-dark", "tur-light", "tur-mono", "tur-okabe", "tur-paper"]
OF_THE_TERMINAL = {"tur-ansi", "tur-mono"}

INKS = [
    *("foreground", "text", "text-muted", "text-primary", "text-secondary", "text-accent"),
    *("text-warning", "text-error", "text-success", "conflict", "settled", "suspect", "invariant"),
    *("feed-dim", "graph-edge", "diff-added", "diff-removed", "diff-word"),
]
PAPERS = ["background", "surface", "panel", "block-cursor-background", "block-cursor-blurred-background"]
PAIRS = [
    *((ink, paper) for ink in INKS for paper in PAPERS),
    ("diff-added", "diff-added-background"),
    ("diff-removed", "diff-removed-background"),
    ("diff-word", "diff-added-background"),
    ("diff-word", "diff-removed-background"),
    ("foreground", "diff-added-background"),
    ("foreground", "diff-removed-background"),
    ("block-cursor-foreground", "block-cursor-background"),
    ("block-cursor-blurred-foreground", "block-cursor-blurred-background"),
    ("footer-key-foreground", "footer-background"),
    ("footer-description-foreground", "footer-background"),
    ("foreground", "input-selection-background"),
    ("input-cursor-foreground", "input-cursor-background"),
    *(("button-color-foreground", paper) for paper in ("primary", "error", "success", "warning")),
]

# Severity 1.0 matrices of Machado, Oliveira and Fernandes (2009), for linear RGB.
BLINDNESS = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def shipped() -> dict[str, Theme]:
    themes, problems = load_themes([themes_dir()])
    assert problems == []
    return {theme.name: theme for theme in themes}


def variables(theme: Theme) -> dict[str, str]:
    """What the workbench's CSS sees under the theme."""
    return {**variable_defaults(theme), **theme.to_color_system().generate(), **theme.variables}


def lab(rgb: tuple[float, ...]) -> tuple[float, float, float]:
    """CIE L*a*b* (D65) of linear RGB."""
    red, green, blue = (min(max(channel, 0.0), 1.0) for channel in rgb)
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: Color, other: Color, matrix: tuple[tuple[float, ...], ...]) -> float:
    """Distance in L*a*b* of two colours as someone with that colour blindness sees them."""
    seen = [
        lab(tuple(sum(weight * channel for weight, channel in zip(row, linear(colour), strict=True)) for row in matrix))
        for colour in (one, other)
    ]
    return float(sum((a - b) ** 2 for a, b in zip(*seen, strict=True)) ** 0.5)


class Specimen(App[None]):
    """Every variable of ours in CSS, among the widgets that use the most of Textual's."""

    CSS = "\n".join(
        f"#v{i} {{ {'background' if 'background' in name else 'color'}: ${name}; }}"
        for i, name in enumerate(OWN_VARIABLES)
    )

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.register_theme(theme)
        self.theme = theme.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def compose(self) -> ComposeResult:
        for i, name in enumerate(OWN_VARIABLES):
            yield Static(name, id=f"v{i}", markup=False)
        yield Input("text")
        yield OptionList("one", "two")
        yield Footer()


def test_the_themes_are_shipped() -> None:
    assert sorted(shipped()) == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_theme_sets_every_variable_of_ours(name: str) -> None:
    assert set(OWN_VARIABLES) <= shipped()[name].variables.keys()


@pytest.mark.parametrize("name", [name for name in SHIPPED if name not in OF_THE_TERMINAL])
def test_every_text_can_be_read(name: str) -> None:
    seen = variables(shipped()[name])
    ratios = {(ink, paper): contrast(Color.parse(seen[ink]), Color.parse(seen[paper])) for ink, paper in PAIRS}
    assert {pair: round(ratio, 2) for pair, ratio in ratios.items() if ratio < floor(name)} == {}


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("diff-added", "diff-removed"),
        ("diff-added-background", "diff-removed-background"),
        ("conflict", "settled"),
        ("conflict", "suspect"),
        ("settled", "suspect"),
    ],
)
def test_okabe_stays_apart_under_colour_blindness(blindness: str, one: str, other: str) -> None:
    seen = variables(shipped()["tur-okabe"])
    assert apart(Color.parse(seen[one]), Color.parse(seen[other]), BLINDNESS[blindness]) > 20


def test_mono_has_no_colour_of_its_own() -> None:
    coloured = {
        name: value
        for name, value in shipped()["tur-mono"].variables.items()
        if "style" not in name and value != "ansi_default"
    }
    assert coloured == {}


@pytest.mark.parametrize("name", [*SHIPPED, "textual-light", "nord", "ansi-dark"])
async def test_the_workbench_css_parses_under(name: str) -> None:
    theme = shipped().get(name) or BUILTIN_THEMES[name]
    app = Specimen(theme)
    async with app.run_test(size=(40, 24)) as pilot:
        await pilot.pause()
        assert app.current_theme.name == name
        conflict = app.query_one("#v0").styles.color
    assert conflict == Color.parse(variables(theme)["conflict"])


@pytest.mark.parametrize("theme", [None, "tur-dark", "tur-contrast", "ansi-dark"])
async def test_no_colour_is_sent_under_no_color(
    monkeypatch: pytest.MonkeyPatch, workdir: Path, theme: str | None
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with Engine.init(workdir, actor=Author(kind=AuthorKind.HUMAN, name="ann")) as engine:
        app = Workbench(engine, theme=theme)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert app.current_theme.name == (theme or "tur-mono")
            strips = app.screen._compositor.render_strips()
            styles = [segment.style for strip in strips for segment in strip if segment.style]
    assert any(style.bold for style in styles)
    painted = {
        str(colour)
        for style in styles
        for colour in (style.color, style.bgcolor)
        if colour is not None and not colour.is_default
    }
    assert painted == set()


async def test_a_user_theme_with_each_kind_of_value_runs(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'primary = "hsl(200,50%,50%)"\nboost = "#ffffff0a"\nluminosity_spread = 0.2\n[variables]\n'
        'text-muted = "auto 70%"\nlink-background = "transparent"\nlink-style = "not underline"\n'
        'block-cursor-text-style = "bold reverse"\ninput-selection-background = "red 35%"\n'
        'link-color = "initial"\n'
    )
    async with Specimen(load_theme(path)).run_test(size=(40, 24)) as pilot:
        await pilot.press("tab", "a", "tab", "down")


def test_one_line_is_a_theme_named_after_its_file(tmp_path: Path) -> None:
    (tmp_path / "plum.toml").write_text('primary = "#c678dd"\n')
    themes, problems = load_themes([tmp_path])
    assert ([theme.name for theme in themes], problems) == (["plum"], [])
    assert themes[0].dark


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('primery = "red"', "unknown key 'primery' (did you mean \"primary\"?)."),
        (
            'secondary = "red"',
            "the key 'primary' is missing; it is the one colour that every theme must set.",
        ),
        ('primary = "notacolour"', "primary is 'notacolour', which is not a colour."),
        ('primary = "bleu"', "primary is 'bleu', which is not a colour (did you mean \"blue\"?)."),
        ("primary = 7", 'primary is 7; it must be a colour in quotes, such as "#4ebf71".'),
        ('primary = "ansi_red"', "primary is 'ansi_red'; the terminal's own colours need ansi = true."),
        ('primary = "red"\ndark = "yes"', "dark is 'yes'; it must be true or false."),
        ('primary = "red"\ntext_alpha = 2', "text_alpha is 2; it must be a number from 0 to 1."),
        ('primary = "red"\ntext_alpha = nan', "text_alpha is nan; it must be a number from 0 to 1."),
        ('primary = "red"\ntext_alpha = true', "text_alpha is True; it must be a number from 0 to 1."),
        (
            'primary = "red"\nname = "a,b"',
            "name is 'a,b'; use up to 40 of a-z, 0-9, - and _, a letter or digit first.",
        ),
        ('primary = "red"\nvariables = 3', "variables is 3; it must be a table, [variables]."),
        (
            'primary = "red"\n[variables]\ndiff-aded = "red"',
            "unknown variable 'diff-aded' (did you mean \"diff-added\"?).",
        ),
        ('primary = "red"\n[variables]\nconflict = 3', "variables.conflict is 3; it must be text in quotes."),
        (
            'primary = "red"\n[variables]\nconflict = "auto 200%"',
            "variables.conflict is 'auto 200%', which is not a colour.",
        ),
        (
            'primary = "red"\n[variables]\nfooter-background = "auto 87%"',
            "variables.footer-background is 'auto', which is not a colour.",
        ),
        (
            'primary = "red"\n[variables]\nlink-style = "underlined"',
            "variables.link-style: 'underlined' is not a text style (did you mean \"underline\"?).",
        ),
        (
            'primary = "red"\n[variables]\nlink-style = ""',
            'variables.link-style is empty; write "none" for no style.',
        ),
        ("primary = ", "is not valid TOML: Invalid value (at end of document)."),
        ("a = " + "[" * 20_000, "is nested too deeply for a theme."),
        ("# " + "x" * 70_000, "is larger than 64 kB, so it is hardly a theme."),
    ],
)
def test_a_bad_file_gives_one_sentence_and_the_others_load(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "bad.toml").write_text(text)
    (tmp_path / "good.toml").write_text('primary = "red"')
    themes, problems = load_themes([tmp_path])
    assert [theme.name for theme in themes] == ["good"]
    assert problems == [f"{tmp_path / 'bad.toml'}: {sentence}"]


def test_a_sentence_stays_short_and_shows_control_characters(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(f'primary = "\\u001b]0;x\\u0007{"y" * 9000}"')
    _, [problem] = load_themes([tmp_path])
    assert len(problem) < 200 + len(str(tmp_path))
    assert "\x1b" not in problem
    assert "\\x1b" in problem


def test_what_is_no_text_file_gives_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    (tmp_path / "folder.toml").mkdir()
    os.mkfifo(tmp_path / "pipe.toml")
    _, problems = load_themes([tmp_path])
    assert [problem.rpartition("toml: ")[2] for problem in problems] == [
        "is not a file.",
        "is not UTF-8 text.",
        "is not a file.",
    ]
    with pytest.raises(ThemeFileError, match=r"gone\.toml: is not a file\."):
        load_theme(tmp_path / "gone.toml")


def test_folders_that_are_missing_or_no_folders(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert load_themes([tmp_path / "missing"]) == ([], [])
    assert load_themes([tmp_path / "file"]) == (
        [],
        [f"{tmp_path / 'file'}: cannot be listed (Not a directory)."],
    )


def test_a_theme_of_ones_own_takes_the_place_of_a_shipped_one(home: Path) -> None:
    mine = user_themes_dir()
    assert home in mine.parents
    mine.mkdir(parents=True)
    (mine / "tur-dark.toml").write_text('primary = "#123456"')
    themes, problems = load_themes([themes_dir(), mine])
    assert problems == []
    assert [theme.primary for theme in themes if theme.name == "tur-dark"] == ["#123456"]
    assert len(themes) == len(SHIPPED)


@pytest.mark.parametrize(
    ("asked", "no_color", "wishes", "name"),
    [
        (None, False, "", "tur-dark"),
        (None, True, "", "tur-mono"),
        (None, False, "nope, nord", "nord"),
        (None, True, "nord", "nord"),
        ("tur-light", True, "nord", "tur-light"),
    ],
)
def test_the_starting_theme(asked: str | None, no_color: bool, wishes: str, name: str) -> None:
    available = [*SHIPPED, "nord"]
    assert starting_theme(asked, available, no_color=no_color, wishes=wishes) == (name, None)


def test_an_unknown_starting_theme_names_the_nearest() -> None:
    assert starting_theme("tur-ligth", SHIPPED) == (
        "tur-dark",
        "There is no theme 'tur-ligth' (did you mean \"tur-light\"?); tur-dark is used.",
    )
