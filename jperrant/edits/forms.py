r"""The forms of words: foldings, kinds of characters, regular expressions.

Regular expressions are matched in time linear in the text, whatever the pattern: RE2 has no backtracking, and so
neither look-around nor back references. Its ``\w``, ``\d`` and ``\s`` know ASCII only; packs are for all
languages, so here they are Unicode's, as in Python.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from jperrant.core.display import shorten
from jperrant.core.errors import PackError

Fold = Callable[[str], str]

#: Marks that are written over, under or through a letter, by block: Latin, Greek and Cyrillic ones, Hebrew points,
#: Arabic signs; not vowel signs, which spell sounds of their own, and not the marks of the Japanese syllabaries.
_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
)
#: Accents that stand for themselves beside Latin, Greek and Cyrillic letters.
_ACCENTS = frozenset(map(chr, range(0x0300, 0x0370)))
#: Unicode's combining class of nuktas, the dots of Indic scripts that make another consonant of one.
_NUKTA = 7
#: Letters with a stroke and the like, which Unicode does not take apart.
_LETTERS = str.maketrans("łŁøØđĐħĦŧŦıɨƀɉ", "lLoOdDhHtTiibj")

#: Modifier letters that stand for an apostrophe, or are it (Ukrainian).
_APOSTROPHES = frozenset("ʻʼʽˈʹ")


def without_diacritics(text: str) -> str:
    """Return a text with the plain letters for those with marks (``č`` → ``c``, ``ø`` → ``o``)."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    kept = [c for c in parts if not _MARKS.match(c) and unicodedata.combining(c) != _NUKTA]
    return unicodedata.normalize("NFC", "".join(kept)).translate(_LETTERS)


_JOINERS = {0x200C: None, 0x200D: None}
#: Yeh and kaf as Arabic and as Persian and Urdu write them, which keyboards mix up.
_ARABIC = str.maketrans("يىكڪ", "ییکک")


def without_marks(text: str) -> str:
    """Return a text without its combining marks, vowel signs included (``कि`` → ``क``)."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join([c for c in parts if not is_mark(c)]))


def is_mark(character: str) -> bool:
    """Whether a character is a combining mark (Unicode's categories M)."""
    return unicodedata.category(character).startswith("M")


def without_punctuation(text: str) -> str:
    """Return a text without its punctuation marks (Unicode's categories P, and apostrophes that are letters)."""
    if text.isalnum() and (text.isascii() or _APOSTROPHES.isdisjoint(text)):
        return text
    return "".join([c for c in text if not unicodedata.category(c).startswith("P") and c not in _APOSTROPHES])


def without_doubled(text: str) -> str:
    """Return a text with one letter for two or more of the same in a row (``nonno`` → ``nono``)."""
    return "".join([c for c, _ in groupby(text)])


def is_word(text: str) -> bool:
    """Whether a text is nothing but letters and the vowel signs and marks that belong to them.

    As ``str.isalpha``, which ERRANT asks, but for the signs of scripts that write vowels as marks (``किताब``).
    """
    return text.isalpha() or (
        not text.isascii()
        and any(map(str.isalpha, text))
        and all([c.isalpha() or (is_mark(c) and c not in _ACCENTS) or ord(c) in _JOINERS for c in text])
    )


def is_punctuation(text: str) -> bool:
    """Whether a text is nothing but punctuation marks (Unicode's categories P)."""
    return not text.isalnum() and all([unicodedata.category(c).startswith("P") for c in text])


#: Foldings by name and what they leave out of a comparison, in the order in which they are done, as one makes work
#: for the next: the letters of ``Aa`` are the same without their case.
FOLDINGS: dict[str, tuple[Fold, str]] = {
    "spaces": (lambda text: text.replace(" ", ""), "token boundaries"),
    "width": (
        lambda text: text if text.isascii() else unicodedata.normalize("NFKC", text),
        "full-width and half-width forms and other compatibility characters (NFKC)",
    ),
    "joiners": (
        lambda text: text.translate(_JOINERS), "joiners of no width: the half-space of Persian (ZWNJ), and ZWJ"
    ),
    "letters": (
        lambda text: text.translate(_ARABIC),
        "letters that Unicode has twice: Arabic and Persian `ي` = `ی`, `ك` = `ک`",
    ),
    "case": (str.lower, "upper and lower case"),
    "diacritics": (without_diacritics, "accents, dots, strokes and nuktas: `č` = `c`, `ø` = `o`, `ё` = `е`"),
    "marks": (without_marks, "all combining marks (Unicode categories M), including vowel signs and points"),
    "punctuation": (
        without_punctuation, "punctuation marks (Unicode categories P), and the letter apostrophe `ʼ`"
    ),
    "doubled": (without_doubled, "repeated letters: `nn` = `n`"),
}  # fmt: skip


def folding(names: Sequence[str]) -> Fold:
    """Return the function that does all of some foldings, in whichever order they are given.

    Args:
        names: Keys of ``FOLDINGS``.
    """
    folds = [fold for name, (fold, _) in FOLDINGS.items() if name in names]

    def fold(text: str) -> str:
        for step in folds:
            text = step(text)
        return text

    return folds[0] if len(folds) == 1 else fold


#: Unicode's classes in the place of RE2's ASCII ones, inside brackets.
_CLASSES = {
    r"\w": r"\p{L}\p{N}_",
    r"\d": r"\p{Nd}",
    r"\s": r"\t\n\v\f\r\x1c-\x1f\x{85}\p{Z}",
    r"\D": r"\P{Nd}",
}
#: One element of a pattern: an escape with its argument, the bracket that begins or ends a set, anything else.
_ELEMENT = re.compile(r"\\u[0-9A-Fa-f]{4}|\\Q.*?(?:\\E|\Z)|\\.|\[:\^?\w+:\]|\[\^?\]?|\]|.", re.DOTALL)
_HUGE_COUNT = re.compile(r"\{\d*,?\d{5,}")
#: A name of a script. RE2 takes those of classes of characters in the same place: L, Lu, Any.
_SCRIPT = re.compile("Yi|(?!Any$)[A-Z][A-Za-z_]{2,}")


def compile_pattern(pattern: str) -> Callable[[str], bool]:
    r"""Return whether a text as a whole matches a regular expression.

    >>> compile_pattern(r"\w+['’]\w+")("пам'ять")
    True

    Raises:
        PackError: It is not one, or would need backtracking or too much memory.
    """
    import re2

    if _HUGE_COUNT.search(pattern):  # which RE2 would take for text
        raise PackError(
            f"matches: {shorten(pattern)} is not a regular expression of RE2: counts go up to 1000"
        )
    options: Any = re2.Options()
    options.log_errors = False  # RE2 would otherwise write to standard error
    try:
        fullmatch = re2.compile(_with_unicode_classes(pattern), options).fullmatch
    except (re2.error, UnicodeEncodeError) as error:
        raise PackError(
            f"matches: {shorten(pattern)} is not a regular expression of RE2 (no look-around, no back references): "
            f"{_reason(error)}"
        ) from None

    def matches(text: str) -> bool:
        try:
            return fullmatch(text) is not None
        except UnicodeEncodeError:  # half a surrogate pair, which is not a character
            return fullmatch(text.encode("utf-8", "replace").decode("utf-8")) is not None

    return matches


def script_test(script: str) -> Callable[[str], bool]:
    """Return whether the letters of a text are all of one script, and at least one is.

    Args:
        script: Its name in Unicode, such as ``Devanagari``.

    Raises:
        PackError: Unicode has no such script, as far as RE2 knows.
    """
    unknown = PackError(
        f"script: unknown script {script!r}; expected a name of Unicode's, such as Latin, Cyrillic, Arabic or Han"
    )
    if not _SCRIPT.fullmatch(script):
        raise unknown
    shared = r"[^\p{L}\p{M}]|\p{Common}|\p{Inherited}"
    try:
        return compile_pattern(rf"(?:{shared})*\p{{{script}}}(?:\p{{{script}}}|{shared})*")
    except PackError:
        raise unknown from None


def _with_unicode_classes(pattern: str) -> str:
    parts, in_set = [], False
    for element in _ELEMENT.findall(pattern):
        lower = element.lower()
        if element[0] == "[" and not in_set and not element.startswith("[:"):
            in_set = True
        elif element == "]":
            in_set = False
        elif lower == r"\b":
            raise PackError(
                f"matches: {element} is not supported, as the pattern is matched against the whole text; remove it"
            )
        elif element.startswith(r"\u") and len(element) == 6:
            element = rf"\x{{{element[2:]}}}"
        elif element in _CLASSES:
            element = _CLASSES[element] if in_set else f"[{_CLASSES[element]}]"
        elif lower in _CLASSES and in_set:
            raise PackError(
                f"matches: {element} is not available inside [ ]; begin the set with ^ and use {lower}"
            )
        elif lower in _CLASSES:
            element = f"[^{_CLASSES[lower]}]"
        parts.append(element)
    return "".join(parts)


def _reason(error: Exception) -> str:
    reason = error.args[0] if error.args else error
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(error)
