"""Languages: finding one by code, tag or name, and those written in the script of a text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from jperrant.core.errors import PackError, nearest
from jperrant.io.files import read_lines
from jperrant.packs import discovery
from jperrant.packs.discovery import GENERIC, said, unique

#: The generic pack's list of the languages that Stanza knows.
LANGUAGES = "languages.tsv"
#: What may follow the language in a tag.
_SCRIPT_OR_REGION = re.compile("[a-z]{2}|[a-z]{4}|[0-9]{3}")
#: The longest of codes that are too short to guess from.
_SHORT = 3
#: How alike a name is to that of a language that may have been meant; there are over a hundred of them.
_ALIKE = 0.7
#: Fewer letters tell nothing: a line may be ``Γ = 3``.
_FEWEST = 5
#: The least share of letters that must be of a language's scripts: names and terms may be in others.
_OWN = 0.2
#: Of fewer letters any will do: a sentence may have one word of the language, ``computer를``.
_FEW = 50
#: The least share that the scripts of a language must have for it to be likely.
_LIKELY = 0.8
_MOST_NAMED = 6


class Language(NamedTuple):
    """A language of Stanza's list.

    Attributes:
        name: Its English name.
        scripts: Unicode's names of the scripts that it is written in; none where that is not known.
        others: Other codes of it: those of ISO 639-2 and 639-3, and what a region says of a script (``zh-tw``).
    """

    name: str
    scripts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def table_of_languages() -> Mapping[str, Language]:
    """Return the languages of Stanza's list by code; Stanza need not be installed."""
    languages = {}
    for line in read_lines(str(discovery.known_packs()[GENERIC] / LANGUAGES)):
        code, name, scripts, others, *_ = *line.split("\t"), "", "", ""
        languages[code] = Language(name, tuple(scripts.split()), tuple(others.split()))
    return languages


def stanza_languages() -> Mapping[str, str]:
    """Return the names of the languages Stanza knows, by code."""
    return {code: language.name for code, language in table_of_languages().items()}


def names_of_languages(packs: Mapping[str, Path]) -> dict[str, str]:
    """Return the codes of languages by their English names: those of packs, then those of Stanza's table."""
    codes: dict[str, str] = {}
    for code, folder in packs.items():
        if code != GENERIC and (name := str(said(folder).get("name", ""))):
            codes.setdefault(name, code)
            codes.setdefault(name.partition(" (")[0], code)
    for code, name in sorted(stanza_languages().items(), key=lambda row: (len(row[0]), row[0])):
        codes.setdefault(name, code)
    return codes


def language_code(written: str, packs: Mapping[str, Path]) -> str:
    """Return the code of the pack, or of the language of Stanza, that a user means; empty if it is unknown.

    >>> packs = discovery.known_packs()
    >>> [language_code(written, packs) for written in ("en_US", "eng", "zh-Hans-CN", "french", "DE-at")]
    ['en', 'en', 'zh', 'fr', 'de']

    Args:
        written: The code of a pack, its alias, a language tag (BCP 47, also with underscores), a code of ISO 639,
            or the English name of a language. What a tag says of script and region counts as far as there is a
            pack or a language of Stanza for it.
        packs: The installed packs.

    Raises:
        PackError: Two packs have this code or alias; names both.
    """
    if unique(packs, written):
        return written
    tag = _tag(written)
    while tag:
        if code := _code_of_tag(tag, packs):
            return code
        tag, _, last = tag.rpartition("-")
        if not _SCRIPT_OR_REGION.fullmatch(last):
            break
    names = {name.casefold(): code for name, code in names_of_languages(packs).items()}
    return names.get(written.casefold(), "")


def nearest_language(written: str, packs: Mapping[str, Path]) -> str:
    """Return the nearest name of a language; codes of two or three letters are all alike, so none is guessed."""
    language = written.replace("_", "-").partition("-")[0]
    if language != written and (code := language_code(language, packs)):
        return f" (did you mean {code!r}?)"
    names = {*names_of_languages(packs), *(code for code in packs if len(code) > _SHORT)}
    return nearest(written, names, _ALIKE) if len(written) > _SHORT else ""


def _code_of_tag(tag: str, packs: Mapping[str, Path]) -> str:
    """Return the code of the pack or language that has a tag, which is in lower case, for code or alias."""
    codes = [code for code in packs if _tag(code) == tag]
    codes = codes or [code for code, folder in packs.items() if tag in map(_tag, _aliases(folder))]
    if len(codes) > 1:
        folders = [packs[code] for code in codes[:2]]
        raise PackError(f"two packs have the alias {tag!r}: {folders[0]} and {folders[1]}; use their codes")
    if codes:
        return codes[0]
    for code, language in table_of_languages().items():
        if tag in language.others:
            return _code_of_tag(code, packs)
    return tag if tag in table_of_languages() else ""


def _tag(written: str) -> str:
    return written.replace("_", "-").casefold()


def _aliases(folder: Path) -> list[str]:
    aliases = said(folder).get("aliases")
    return [alias for alias in aliases if isinstance(alias, str)] if isinstance(aliases, list) else []


def script_problem(code: str, name: str, characters: Mapping[str, int]) -> str:
    """Return what is wrong with a text in another script than those of a language; empty if nothing is.

    Args:
        code: The language, in Stanza's code where it has one; one that no table knows takes every text.
        name: What messages call it.
        characters: How often each character occurs in a sample of the text.
    """
    own = _scripts(code)
    known = {script for one in table_of_languages().values() for script in one.scripts}
    letters = Counter[str]()
    for character, count in characters.items():
        if character.isalpha() and (script := _script(character)) in known:
            letters[script] += count
    total = letters.total()
    if not own or total < _FEWEST or _share(letters, own) >= (_OWN if total >= _FEW else 1 / total):
        return ""
    codes_of_packs = {
        code: str(said(path).get("stanza", code)) for code, path in discovery.known_packs().items()
    }
    likely = _likely(letters, codes_of_packs) or _likely(
        letters, {code: code for code in table_of_languages()}
    )
    codes = [*likely[:_MOST_NAMED], *(["another"] if len(likely) > _MOST_NAMED else [])]
    script = max(letters, key=lambda name: letters[name])
    return (
        f"the text is in {script} letters, but {name} is written in {' and '.join(own)}; "
        f"choose --lang={', '.join([*codes, ''])}or --lang={GENERIC} for a text in any language"
    )


def _script(letter: str) -> str:
    """Return the script of a letter as its Unicode name begins."""
    name = unicodedata.name(letter, "").partition(" ")[0].capitalize()
    return "Han" if name == "Cjk" else name


def _share(letters: Mapping[str, int], scripts: Sequence[str]) -> float:
    return sum(letters.get(script, 0) for script in scripts) / sum(letters.values())


def _likely(letters: Mapping[str, int], codes: Mapping[str, str]) -> list[str]:
    """Return codes of languages that write such letters, those with the fewest scripts first.

    Args:
        letters: How many letters there are of each script.
        codes: Stanza's codes by the codes to choose from.
    """
    scripts = {code: _scripts(stanza) for code, stanza in codes.items()}
    fitting = [code for code, own in scripts.items() if own and _share(letters, own) >= _LIKELY]
    return sorted(fitting, key=lambda code: (len(scripts[code]), len(code), code))


def _scripts(code: str) -> tuple[str, ...]:
    table = table_of_languages()
    language = table.get(code) or next((one for one in table.values() if code in one.others), None)
    return language.scripts if language else ()
