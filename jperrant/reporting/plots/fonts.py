"""Labels that any text can become, and the fonts that have its characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rich.cells import cell_len, set_cell_size

from jperrant.core.display import labels
from jperrant.core.extras import import_extra

#: The extra that brings matplotlib.
EXTRA = "plots"
#: matplotlib's own font, which is always there.
MAIN_FONT = "DejaVu Sans"
#: Fonts that are tried first for what the main font lacks; then every other installed one.
PREFERRED_FONTS = (
    "Noto Sans CJK JP", "Noto Sans CJK KR", "Noto Sans CJK SC", "Noto Sans CJK TC", "Noto Sans JP", "Noto Sans KR",
    "Noto Sans SC", "Source Han Sans", "IPAexGothic", "Hiragino Sans", "Yu Gothic", "Malgun Gothic",
    "Apple SD Gothic Neo", "NanumGothic", "Microsoft YaHei", "PingFang SC", "SimHei", "WenQuanYi Zen Hei",
    "Arial Unicode MS", "Noto Sans",
)  # fmt: skip
#: Fonts of matplotlib that draw a box for every character.
_BOXES = "Last Resort"
#: Stands for a character that no installed font has.
NO_GLYPH = "\ufffd"
#: How wide a label is, in letters.
LONGEST_LABEL = 40
#: What XML cannot hold (XML 1.0, section 2.2), surrogates, and signs that turn the direction of other text.
_NOT_SHOWN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts of one picture.

    Attributes:
        families: Names of installed fonts; a character is drawn with the first that has it.
        missing: Characters that none of them has.
    """

    families: tuple[str, ...] = (MAIN_FONT,)
    missing: frozenset[str] = frozenset()

    @property
    def notes(self) -> tuple[str, ...]:
        """One line for people if characters are missing."""
        if not self.missing:
            return ()
        listed = " ".join(sorted(self.missing)[:10])
        return (
            f"no installed font contains {listed}, drawn as {NO_GLYPH}; install one that does, such as Noto "
            "Sans CJK",
        )


def label(text: str, fonts: Fonts | None = None, longest: int = LONGEST_LABEL) -> str:
    r"""Return any text as one that matplotlib draws as it stands: in one line, cut, and never as mathematics.

    Args:
        text: A name of a system, a type or a file: hostile input.
        fonts: The fonts it is drawn with; characters that they lack are replaced.
        longest: How wide the text may be, in letters.

    >>> label("cost\n $x^2$")
    'cost \\$x^2\\$'
    """
    shown = plain(text, longest)
    for character in fonts.missing if fonts else ():
        shown = shown.replace(character, NO_GLYPH)
    return shown.replace("$", r"\$")


def name_labels(names: Sequence[str], longest: int = LONGEST_LABEL) -> list[str]:
    """Return names, as of systems, as labels; names that differ get labels that differ.

    Args:
        names: Hostile input.
        longest: How wide a label may be, in letters.
    """
    return [label(name, longest=longest) for name in labels([plain(name) for name in names], longest)]


def plain(text: str, longest: int | None = None) -> str:
    """Return a text in one line without characters that a picture cannot hold.

    Args:
        text: Any text.
        longest: How wide it may be, in letters; all of it is kept if None.
    """
    shown = _SPACE.sub(" ", _NOT_SHOWN.sub(NO_GLYPH, text)).strip()
    if longest is None or cell_len(shown) <= longest:
        return shown
    return set_cell_size(shown, longest - 1).rstrip() + "…"


def fonts_for(texts: Iterable[str]) -> Fonts:
    """Return the fonts that have the characters of texts.

    Args:
        texts: What is to be drawn.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    wanted = {ord(character) for text in texts for character in plain(text) if not character.isspace()}
    if not (wanted := wanted - _characters(_main_font())):
        return Fonts()
    families, others = [MAIN_FONT], dict(_installed())
    for name in [*(n for n in PREFERRED_FONTS if n in others), *sorted(set(others) - set(PREFERRED_FONTS))]:
        if own := wanted & _characters(others[name]):
            families.append(name)
            wanted -= own
        if not wanted:
            break
    return Fonts(tuple(families), frozenset(map(chr, wanted)))


def _main_font() -> str:
    folder = import_extra("matplotlib", EXTRA).get_data_path()
    return str(Path(folder) / "fonts" / "ttf" / "DejaVuSans.ttf")


def _installed() -> Sequence[tuple[str, str]]:
    """Return name and file of every upright installed font."""
    manager = import_extra("matplotlib.font_manager", EXTRA).fontManager
    fonts = {entry.name: entry.fname for entry in manager.ttflist if entry.style == "normal"}
    return [(name, path) for name, path in fonts.items() if not name.startswith(_BOXES)]


@cache
def _characters(path: str) -> frozenset[int]:
    """Return the code points that a font file has; none if it cannot be read."""
    font = import_extra("matplotlib.ft2font", EXTRA).FT2Font
    try:
        return frozenset(font(path).get_charmap())
    except (OSError, RuntimeError):
        return frozenset()
