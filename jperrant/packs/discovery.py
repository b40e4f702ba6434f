"""Which packs and languages there are: installed packs, languages by code, tag or name, and by their scripts."""

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
from jperrant.edits.values import PositionedDict
from jperrant.io.files import read_lines

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: The files of a pack: what it says, and its Python.
FILE, HOOKS = "pack.yaml", "hooks.py"
GROUP = "jperrant.langpacks"
#: The pack for every language that has none of its own.
GENERIC = "generic"
#: Built-in packs that are no languages: each holds what packs of one family share, which extend it.
FAMILIES = ("romance", "slavic")
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


class InstalledPacks(dict[str, Path]):
    """The folders of installed packs by code.

    Args:
        folders: The folder of each code.

    Attributes:
        errors: By code, why it cannot be used: two packs have it, or a package declares it and does not hold it.
    """

    def __init__(self, **folders: Path) -> None:
        super().__init__(folders)
        self.errors: dict[str, str] = {}


def known_packs() -> InstalledPacks:
    """Return the folders of all installed packs by code, built-in ones and those of entry points; no families.

    No Python of a pack is run. Of two packs with one code the first is returned; ``installed`` refuses both.
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
    """Return the folders of the packs that are no languages, by the name that packs extend them by."""
    import jperrant.langpacks

    roots = [Path(root) for root in jperrant.langpacks.__path__]
    return {name: root / name for root in roots for name in FAMILIES}


def read_file(folder: Path) -> PositionedDict:
    """Return the content of a folder's pack.yaml, whatever its keys are.

    Raises:
        PackError: There is none, or it is not a mapping.
        FormatError: It is not YAML, or has a key twice; names the line.
    """
    from jperrant.packs.yaml_file import read_yaml  # with YAML, which shell completion does without

    if not is_file(folder / FILE):
        raise PackError(f"{folder}: found no {FILE}, expected the folder of a language pack")
    content = read_yaml(folder / FILE)
    if not isinstance(content, PositionedDict):
        raise PackError(f"{folder / FILE}: expected a mapping of keys to values")
    return content


def said(folder: Path) -> Mapping[str, object]:
    """Return the content of a pack.yaml; nothing where it cannot be read, which is of no concern to other packs."""
    try:
        return read_file(folder)
    except InputError:
        return {}


def folder_of(name: str) -> str | None:
    """Return a name if it is that of a folder with a pack, and not the code of an installed one, else None."""
    names_folder = is_folder(name) or "/" in name or "\\" in name
    return name if names_folder and name not in known_packs() else None


def installed(code: str) -> Path | None:
    """Return the folder of the installed pack of a code, or None.

    Raises:
        PackError: Two packs have the code; names both. Or a package declares the pack and does not hold it.
    """
    packs = known_packs()
    if code in packs.errors:
        raise PackError(packs.errors[code])
    return packs.get(code)


def iter_packs() -> Iterator[tuple[str, str, Path]]:
    """Yield code, name and folder of every installed pack, sorted by code; no pack's Python is run."""
    for code, folder in sorted(known_packs().items()):
        try:
            installed(code)
            name = str(read_file(folder).get("name", code))
        except InputError as error:
            name = f"cannot be used: {error}"
        yield code, name, folder


def _folder_of(entry: EntryPoint) -> Path | None:
    """Return the folder an entry point names, without running the packages above it."""
    top, *rest = entry.module.split(".")
    with suppress(
        Exception
    ):  # finders of other packages may raise anything, which is of no concern to other packs
        spec = importlib.util.find_spec(top)
        folders = [Path(place, *rest) for place in (spec and spec.submodule_search_locations) or ()]
        return next((folder for folder in folders if (folder / FILE).is_file()), None)
    return None


# Languages


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
    for line in read_lines(str(known_packs()[GENERIC] / LANGUAGES)):
        code, name, scripts, others, *_ = *line.split("\t"), "", "", ""
        languages[code] = Language(name, tuple(scripts.split()), tuple(others.split()))
    return languages


def language_code(written: str) -> str:
    """Return the code of the pack, or of the language of Stanza, that a user means; empty if it is unknown.

    >>> [language_code(written) for written in ("en_US", "eng", "zh-Hans-CN", "french", "DE-at")]
    ['en', 'en', 'zh', 'fr', 'de']

    Args:
        written: The code of a pack, its alias, a language tag (BCP 47, also with underscores), a code of ISO 639,
            or the English name of a language. What a tag says of script and region counts as far as there is a
            pack or a language of Stanza for it.

    Raises:
        PackError: Two packs have this code or alias; names both.
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
    """Return the nearest name of a language; codes of two or three letters are all alike, so none is guessed."""
    language = written.replace("_", "-").partition("-")[0]
    if language != written and (code := language_code(language)):
        return f" (did you mean {code!r}?)"
    names = {*_names(), *(code for code in known_packs() if len(code) > _SHORT)}
    return nearest(written, names, _ALIKE) if len(written) > _SHORT else ""


def _names() -> dict[str, str]:
    """Return the codes of languages by their English names: those of packs, then those of Stanza's table."""
    own = [(str(said(path).get("name", "")), code) for code, path in known_packs().items() if code != GENERIC]
    short = [(name.partition(" (")[0], code) for name, code in own]
    table = [(language.name, code) for code, language in table_of_languages().items()]
    table.sort(key=lambda row: (len(row[1]), row[1]))
    # The first of equal names counts.
    return {name: code for name, code in reversed([*own, *short, *table]) if name}


def _meanings() -> Mapping[str, Sequence[str]]:
    """Return the codes that all that stands for a language may mean: codes and aliases of packs, ISO 639, names."""
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
    of_packs = {code: str(said(path).get("stanza", code)) for code, path in known_packs().items()}
    likely = _likely(letters, of_packs) or _likely(letters, {code: code for code in table_of_languages()})
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


def _scripts(code: str) -> tuple[str, ...]:
    table = table_of_languages()
    language = table.get(code) or next((one for one in table.values() if code in one.others), None)
    return language.scripts if language else ()


def _share(letters: Counter[str], scripts: Sequence[str]) -> float:
    return sum(letters[script] for script in scripts) / letters.total()


def _likely(letters: Counter[str], codes: Mapping[str, str]) -> list[str]:
    """Return codes of languages that write such letters, those with the fewest scripts first.

    Args:
        letters: How many letters there are of each script.
        codes: Stanza's codes by the codes to choose from.
    """
    scripts = {code: _scripts(stanza) for code, stanza in codes.items()}
    fitting = [code for code, own in scripts.items() if own and _share(letters, own) >= _LIKELY]
    return sorted(fitting, key=lambda code: (len(scripts[code]), len(code), code))
