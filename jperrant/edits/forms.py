r"""Functions on the forms of words: foldings, kinds of characters, regular expressions.

Regular expressions are those of RE2, which matches in time linear in the text and therefore has neither
look-around nor back references. In RE2, ``\w``, ``\d`` and ``\s`` cover ASCII only; here they cover Unicode, as
in Python.
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

#: Diacritics written over, under or through a letter, by Unicode block: Latin, Greek and Cyrillic marks, Hebrew
#: points, Arabic signs. Vowel signs, which spell sounds of their own, and the marks of kana are not among them.
_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
)
#: Combining accents of Latin, Greek and Cyrillic letters, which ``is_word`` rejects, as ``str.isalpha`` does.
_ACCENTS = frozenset(map(chr, range(0x0300, 0x0370)))
#: The combining class of nuktas: dots that turn one consonant of an Indic script into another.
_NUKTA = 7
#: Letters with a stroke and similar, which Unicode does not decompose.
_LETTERS = str.maketrans("łŁøØđĐħĦŧŦıɨƀɉ", "lLoOdDhHtTiibj")

#: Modifier letters that serve as an apostrophe, as in Ukrainian.
_APOSTROPHES = frozenset("ʻʼʽˈʹ")


def without_diacritics(text: str) -> str:
    """Replace letters with diacritics by plain letters (``č`` → ``c``, ``ø`` → ``o``)."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    kept = [c for c in parts if not _MARKS.match(c) and unicodedata.combining(c) != _NUKTA]
    return unicodedata.normalize("NFC", "".join(kept)).translate(_LETTERS)


_JOINERS = {0x200C: None, 0x200D: None}
#: Arabic yeh and kaf to their Persian and Urdu forms; keyboards mix the two.
_ARABIC = str.maketrans("يىكڪ", "ییکک")


def without_marks(text: str) -> str:
    """Remove all combining marks, including vowel signs (``कि`` → ``क``)."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join([c for c in parts if not is_mark(c)]))


def is_mark(character: str) -> bool:
    """Whether a character is a combining mark (Unicode categories M)."""
    return unicodedata.category(character).startswith("M")


def without_punctuation(text: str) -> str:
    """Remove punctuation marks (Unicode categories P) and letters that serve as apostrophes."""
    if text.isalnum() and (text.isascii() or _APOSTROPHES.isdisjoint(text)):
        return text
    return "".join([c for c in text if not unicodedata.category(c).startswith("P") and c not in _APOSTROPHES])


def without_doubled(text: str) -> str:
    """Reduce repeated letters to one (``nonno`` → ``nono``)."""
    return "".join([c for c, _ in groupby(text)])


def is_word(text: str) -> bool:
    """Whether a text has only letters and the vowel signs and marks that belong to them.

    ERRANT uses ``str.isalpha``, which is false for scripts that write vowels as marks (``किताब``).
    """
    return text.isalpha() or (
        not text.isascii()
        and any(map(str.isalpha, text))
        and all([c.isalpha() or (is_mark(c) and c not in _ACCENTS) or ord(c) in _JOINERS for c in text])
    )


def is_punctuation(text: str) -> bool:
    """Whether a text has only punctuation marks (Unicode categories P)."""
    return not text.isalnum() and all([unicodedata.category(c).startswith("P") for c in text])


#: Foldings by name: the function, and what it ignores. They run in this order, because some depend on earlier
#: ones: ``Aa`` has repeated letters only after ``case``.
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
    """Return the function that applies several foldings, in the order of ``FOLDINGS``.

    Args:
        names: Keys of ``FOLDINGS``.
    """
    folds = [fold for name, (fold, _) in FOLDINGS.items() if name in names]

    def fold(text: str) -> str:
        for step in folds:
            text = step(text)
        return text

    return folds[0] if len(folds) == 1 else fold


#: The Unicode classes that replace RE2's ASCII classes, as written inside brackets.
_CLASSES = {
    r"\w": r"\p{L}\p{N}_",
    r"\d": r"\p{Nd}",
    r"\s": r"\t\n\v\f\r\x1c-\x1f\x{85}\p{Z}",
    r"\D": r"\P{Nd}",
}
#: One element of a pattern: an escape with its argument, a bracket that begins or ends a set, or one character.
_ELEMENT = re.compile(r"\\u[0-9A-Fa-f]{4}|\\Q.*?(?:\\E|\Z)|\\.|\[:\^?\w+:\]|\[\^?\]?|\]|.", re.DOTALL)
_HUGE_COUNT = re.compile(r"\{\d*,?\d{5,}")
#: The name of a script. RE2 takes general categories in the same place (L, Lu, Any), which are excluded here.
_SCRIPT = re.compile("Yi|(?!Any$)[A-Z][A-Za-z_]{2,}")


def compile_pattern(pattern: str) -> Callable[[str], bool]:
    r"""Return a function that tells whether a whole text matches a regular expression.

    >>> compile_pattern(r"\w+['’]\w+")("пам'ять")
    True

    Raises:
        PackError: The pattern is no regular expression of RE2, or would need too much memory.
    """
    import re2

    if _HUGE_COUNT.search(pattern):  # RE2 would read such a count as literal text
        raise PackError(
            f"matches: {shorten(pattern)} is not a regular expression of RE2: counts go up to 1000"
        )
    options: Any = re2.Options()
    options.log_errors = False  # else RE2 writes to standard error
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
        except UnicodeEncodeError:  # a lone surrogate cannot be encoded
            return fullmatch(text.encode("utf-8", "replace").decode("utf-8")) is not None

    return matches


def script_test(script: str) -> Callable[[str], bool]:
    """Return a function that tells whether a text has letters, all of them in one script.

    Args:
        script: The Unicode name of the script, such as ``Devanagari``.

    Raises:
        PackError: RE2 knows no such script.
    """
    unknown = PackError(
        f"script: unknown script {script!r}; expected a Unicode name, such as Latin, Cyrillic, Arabic or Han"
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
