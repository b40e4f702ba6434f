"""Finds installed packs; resolves codes, tags and names of languages; checks the script of a text."""

from __future__ import annotations

import importlib.util
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jperrant.core.errors import InputError, PackError, nearest
from jperrant.core.packages import entry_points
from jperrant.core.paths import is_file, is_folder
from jperrant.edits.rule_parts import PositionedDict
from jperrant.io.files import read_lines

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: The files of a pack: its keys, and its Python code.
FILE, HOOKS = "pack.yaml", "hooks.py"
GROUP = "jperrant.langpacks"
#: The pack for languages without a pack of their own.
GENERIC = "generic"
#: Built-in packs that are not languages; each holds what the packs of a language family share.
FAMILIES = ("romance", "slavic")
#: The file in the generic pack that lists Stanza's languages.
LANGUAGES = "languages.tsv"
#: The subtags that may follow the language in a tag: region or script.
_SCRIPT_OR_REGION = re.compile("[a-z]{2}|[a-z]{4}|[0-9]{3}")
#: Codes of up to this length are too similar to each other to suggest one.
_SHORT = 3
#: The similarity from which another language's name is suggested; high, as there are over a hundred names.
_ALIKE = 0.7
#: The fewest letters that tell the script of a text: a line may be ``Γ = 3``.
_FEWEST = 5
#: The smallest share of letters in a language's scripts: names and terms may be in other scripts.
_OWN = 0.2
#: In a text of fewer letters, one letter in the language's scripts suffices: ``computer를``.
_FEW = 50
#: The smallest share of letters in a language's scripts for which messages suggest it.
_LIKELY = 0.8
_MOST_NAMED = 6


class InstalledPacks(dict[str, Path]):
    """The folders of installed packs by code.

    Args:
        folders: The folder of each pack, by code.

    Attributes:
        errors: Why a code cannot be used: two packs have it, or a package declares the pack but does not hold
            it.
    """

    def __init__(self, **folders: Path) -> None:
        super().__init__(folders)
        self.errors: dict[str, str] = {}


def known_packs() -> InstalledPacks:
    """Return the folders of built-in packs and of packs from entry points, by code, without families.

    No pack's Python is run. Of two packs with the same code the first is returned; ``installed`` rejects both.
    """
    import jperrant.langpacks

    packs = InstalledPacks()
    for root in jperrant.langpacks.__path__:
        folders = [path.parent for path in sorted(Path(root).glob(f"*/{FILE}"))]
        packs.update((folder.name, folder) for folder in folders if folder.name not in FAMILIES)
    for entry in entry_points(group=GROUP):
        if folder := _folder_of(entry):
            code = str(said(folder).get("code", entry.name))
            if (first := packs.setdefault(code, folder)) != folder:
                both = f"{first} and {folder}"
                packs.errors[code] = f"two packs have the code {code!r}: {both}; uninstall or rename one"
        elif entry.name not in packs:
            package = f" of {entry.dist.name}" if entry.dist else ""
            remedy = "the author of the package has to add it to the package's data"
            where = f"the entry point {entry.name} = {entry.value}{package}"
            packs.errors[entry.name] = f"{where} leads to no {FILE}; {remedy}"
    return packs


def families() -> dict[str, Path]:
    """Return the folders of the packs of language families, by name."""
    import jperrant.langpacks

    roots = [Path(root) for root in jperrant.langpacks.__path__]
    return {name: root / name for root in roots for name in FAMILIES}


def read_file(folder: Path) -> PositionedDict:
    """Read the pack.yaml of a folder without checking its keys.

    Raises:
        PackError: The folder has none, or it is not a mapping.
        FormatError: The text is not YAML, or has a duplicate key; the message names the line.
    """
    from jperrant.packs.yaml_file import read_yaml  # imports PyYAML, which shell completion avoids

    if not is_file(folder / FILE):
        raise PackError(f"{folder}: found no {FILE}, expected the folder of a language pack")
    content = read_yaml(folder / FILE)
    if not isinstance(content, PositionedDict):
        raise PackError(f"{folder / FILE}: expected a mapping of keys to values")
    return content


def said(folder: Path) -> Mapping[str, object]:
    """Read the pack.yaml of a folder; empty if it cannot be read, so that other packs still work."""
    try:
        return read_file(folder)
    except InputError:
        return {}


def folder_of(name: str) -> str | None:
    """Return the name if it is that of a folder and not the code of an installed pack, else None."""
    names_folder = is_folder(name) or "/" in name or "\\" in name
    return name if names_folder and name not in known_packs() else None


def installed(code: str) -> Path | None:
    """Return the folder of the installed pack with a code, or None.

    Raises:
        PackError: Two packs have the code (the message names both), or a package declares the pack but does not
            hold it.
    """
    packs = known_packs()
    if code in packs.errors:
        raise PackError(packs.errors[code])
    return packs.get(code)


def iter_packs() -> Iterator[tuple[str, str, Path]]:
    """Yield the code, name and folder of each installed pack, sorted by code; no pack's Python is run."""
    for code, folder in sorted(known_packs().items()):
        try:
            installed(code)
            name = str(read_file(folder).get("name", code))
        except InputError as error:
            name = f"cannot be used: {error}"
        yield code, name, folder


def _folder_of(entry: EntryPoint) -> Path | None:
    """Return the folder that an entry point names, without importing its package."""
    top, *rest = entry.module.split(".")
    with suppress(
        Exception
    ):  # the import finder of another package may raise anything; other packs must still work
        spec = importlib.util.find_spec(top)
        folders = [Path(place, *rest) for place in (spec and spec.submodule_search_locations) or ()]
        return next((folder for folder in folders if (folder / FILE).is_file()), None)
    return None


# Languages


class Language(NamedTuple):
    """A language that Stanza knows.

    Attributes:
        name: The English name.
        scripts: The Unicode names of its scripts; empty if unknown.
        others: Other codes: those of ISO 639-2 and 639-3, and tags whose region implies a script (``zh-tw``).
    """

    name: str
    scripts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def table_of_languages() -> Mapping[str, Language]:
    """Return the languages that Stanza knows, by code; Stanza need not be installed."""
    languages = {}
    for line in read_lines(str(known_packs()[GENERIC] / LANGUAGES)):
        code, name, scripts, others, *_ = *line.split("\t"), "", "", ""
        languages[code] = Language(name, tuple(scripts.split()), tuple(others.split()))
    return languages


def language_code(written: str) -> str:
    """Return the code of the pack or Stanza language that a user names, or an empty string.

    >>> [language_code(written) for written in ("en_US", "eng", "zh-Hans-CN", "french", "DE-at")]
    ['en', 'en', 'zh', 'fr', 'de']

    Args:
        written: The code or alias of a pack, a language tag (BCP 47, also with underscores), a code of ISO 639,
            or the English name of a language. The script and region of a tag count only if a pack or a Stanza
            language has them; else they are ignored.

    Raises:
        PackError: Two packs have this code or alias; the message names both.
    """
    if installed(written):
        return written
    meanings, tag = _meanings(), _tag(written)
    while tag not in meanings:
        tag, _, last = tag.rpartition("-")
        if not tag or not _SCRIPT_OR_REGION.fullmatch(last):
            return ""
    code, *others = meanings[tag]
    if others:
        packs = known_packs()
        folders = f"{packs[code]} and {packs[others[0]]}"
        raise PackError(f"two packs have the alias {tag!r}: {folders}; use their codes")
    return code


def nearest_language(written: str) -> str:
    """Return a suggestion for an unknown language, for messages.

    Codes of two or three letters are too similar to each other, so none is suggested for them.
    """
    language = written.replace("_", "-").partition("-")[0]
    if language != written and (code := language_code(language)):
        return f" (did you mean {code!r}?)"
    names = {*_names(), *(code for code in known_packs() if len(code) > _SHORT)}
    return nearest(written, names, _ALIKE) if len(written) > _SHORT else ""


def _names() -> dict[str, str]:
    """Return codes by the English names of languages; a pack's name takes precedence over Stanza's."""
    own = [(str(said(path).get("name", "")), code) for code, path in known_packs().items() if code != GENERIC]
    short = [(name.partition(" (")[0], code) for name, code in own]
    table = [(language.name, code) for code, language in table_of_languages().items()]
    table.sort(key=lambda row: (len(row[1]), row[1]))
    # Reversed, so that the first of equal names wins.
    return {name: code for name, code in reversed([*own, *short, *table]) if name}


def _meanings() -> Mapping[str, Sequence[str]]:
    """Return the codes that each way of naming a language can mean.

    The ways are codes and aliases of packs, codes of ISO 639 and English names.
    """
    codes: dict[str, list[str]] = {}
    aliases: dict[str, list[str]] = {}
    for code, folder in known_packs().items():
        codes.setdefault(_tag(code), []).append(code)
        listed = said(folder).get("aliases")
        tags = [_tag(one) for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
        for alias in {*tags}:
            aliases.setdefault(alias, []).append(code)
    meanings = aliases | codes
    table = table_of_languages()
    ways = [(other, code) for code, language in table.items() for other in language.others]
    for written, code in (*ways, *zip(table, table, strict=True), *_names().items()):
        meanings.setdefault(_tag(written), meanings.get(code, [code]))
    return meanings


def _tag(written: str) -> str:
    return written.replace("_", "-").casefold()


def script_problem(code: str, name: str, characters: Mapping[str, int]) -> str:
    """Return a message if a text is not in a script of its language, else an empty string.

    Args:
        code: Stanza's code of the language; an unknown code accepts every text.
        name: The name of the language in messages.
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
    of_packs = {code: str(said(path).get("stanza", code)) for code, path in known_packs().items()}
    likely = _likely(letters, of_packs) or _likely(letters, {code: code for code in table_of_languages()})
    codes = [f"--lang={code}" for code in likely[:_MOST_NAMED]] + ["another"] * (len(likely) > _MOST_NAMED)
    script = max(letters, key=lambda name: letters[name])
    return (
        f"the text is in {script} letters, but {name} is written in {' and '.join(own)}; "
        f"choose {', '.join([*codes, ''])}or --lang={GENERIC} for a text in any language"
    )


def _script(letter: str) -> str:
    """Return the script of a letter: the first word of its Unicode name."""
    name = unicodedata.name(letter, "").partition(" ")[0].capitalize()
    return "Han" if name == "Cjk" else name


def _scripts(code: str) -> tuple[str, ...]:
    table = table_of_languages()
    language = table.get(code) or next((one for one in table.values() if code in one.others), None)
    return language.scripts if language else ()


def _share(letters: Counter[str], scripts: Sequence[str]) -> float:
    return sum(letters[script] for script in scripts) / letters.total()


def _likely(letters: Counter[str], codes: Mapping[str, str]) -> list[str]:
    """Return the codes of languages written in these scripts, those with the fewest scripts first.

    Args:
        letters: The number of letters in each script.
        codes: The candidate codes, each with Stanza's code of the language.
    """
    scripts = {code: _scripts(stanza) for code, stanza in codes.items()}
    fitting = [code for code, own in scripts.items() if own and _share(letters, own) >= _LIKELY]
    return sorted(fitting, key=lambda code: (len(scripts[code]), len(code), code))
