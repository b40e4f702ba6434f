"""Finding packs: among the built-in ones, the entry points of installed packages, and beside one another."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jperrant.core.errors import InputError, PackError
from jperrant.core.paths import is_folder
from jperrant.core.plugins import entry_points
from jperrant.io.files import read_lines
from jperrant.packs.yaml_loader import FILE, read_pack

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "jperrant.langpacks"
#: The pack for every language that has none of its own, and its list of them.
GENERIC = "generic"
LANGUAGES = "languages.tsv"
#: What may follow the language in a tag.
_SCRIPT_OR_REGION = re.compile("[a-z]{2}|[a-z]{4}|[0-9]{3}")


class InstalledPacks(dict[str, Path]):
    """The folders of installed packs by code.

    Attributes:
        clashes: By code, the message for two packs that have it; an error of that code, and of no other.
        missing: By code, the message for a pack that a package declares and does not hold.
    """

    def __init__(self) -> None:
        super().__init__()
        self.clashes: dict[str, str] = {}
        self.missing: dict[str, str] = {}

    def add(self, code: str, folder: Path) -> None:
        """Add a pack; the first one of a code stays."""
        first = self.setdefault(code, folder)
        if first != folder:
            self.clashes[code] = (
                f"two packs have the code {code!r}: {first} and {folder}; uninstall or rename one"
            )


def known_packs() -> dict[str, Path]:
    """Return the folders of all installed packs by code, built-in ones and those of entry points.

    No Python of a pack is run. Of two packs with one code the first is returned; ``unique`` refuses both.
    """
    import jperrant.langpacks

    packs = InstalledPacks()
    for root in jperrant.langpacks.__path__:
        for path in sorted(Path(root).glob(f"*/{FILE}")):
            packs.add(path.parent.name, path.parent)
    for entry in entry_points(group=GROUP):
        folder = _folder_of(entry)
        if folder is not None:
            packs.add(_code(folder, entry.name), folder)
        else:
            package = f" of {entry.dist.name}" if entry.dist else ""
            packs.missing[entry.name] = (
                f"the entry point {entry.name} = {entry.value}{package} leads to no {FILE}; the author of the "
                "package has to add it to the package's data"
            )
    return packs


def folder_of(name: str) -> str | None:
    """Return a name if it is that of a folder with a pack, and not the code of an installed one, else None."""
    names_folder = is_folder(name) or "/" in name or "\\" in name
    return name if names_folder and name not in known_packs() else None


def unique(packs: Mapping[str, Path], code: str) -> Path | None:
    """Return the folder of the pack of a code, or None.

    Raises:
        PackError: Two packs have the code; names both. Or a package declares the pack and does not hold it.
    """
    if isinstance(packs, InstalledPacks):
        if code in packs.clashes:
            raise PackError(packs.clashes[code])
        if code in packs.missing and code not in packs:
            raise PackError(packs.missing[code])
    return packs.get(code)


def iter_packs() -> Iterator[tuple[str, str, Path]]:
    """Yield code, name and folder of every installed pack, sorted by code; no pack's Python is run."""
    packs = known_packs()
    for code, folder in sorted(packs.items()):
        try:
            name = str(read_pack(folder).get("name", code))
            unique(packs, code)
        except InputError as error:
            name = f"cannot be used: {error}"
        yield code, name, folder


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


def stanza_languages() -> Mapping[str, str]:
    """Return the names of the languages Stanza knows, by code."""
    return {code: language.name for code, language in table_of_languages().items()}


def names_of_languages(packs: Mapping[str, Path]) -> dict[str, str]:
    """Return the codes of languages by their English names: those of packs, then those of Stanza's table."""
    codes: dict[str, str] = {}
    for code, folder in packs.items():
        if code == GENERIC:
            continue
        try:
            name = str(read_pack(folder).get("name", code))
        except InputError:  # an error of that pack, and of no concern to the others
            continue
        codes.setdefault(name, code)
        codes.setdefault(name.partition(" (")[0], code)
    for code, name in sorted(stanza_languages().items(), key=lambda row: (len(row[0]), row[0])):
        codes.setdefault(name, code)
    return codes


def language_code(written: str, packs: Mapping[str, Path]) -> str:
    """Return the code of the pack, or of the language of Stanza, that a user means; empty if it is unknown.

    >>> [language_code(written, known_packs()) for written in ("en_US", "eng", "zh-Hans-CN", "french", "DE-at")]
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


def _folder_of(entry: EntryPoint) -> Path | None:
    """Return the folder an entry point names, without running the packages above it."""
    top, *rest = entry.module.split(".")
    try:
        spec = importlib.util.find_spec(top)
        for location in (spec.submodule_search_locations or []) if spec else []:
            folder = Path(location).joinpath(*rest)
            if (folder / FILE).is_file():
                return folder
    except Exception:  # finders of other packages may raise anything, which is of no concern to other packs
        return None
    return None


def _code(folder: Path, otherwise: str) -> str:
    try:
        return str(read_pack(folder).get("code", otherwise))
    except InputError:  # an error of that pack, and of no concern to the others
        return otherwise


def _aliases(folder: Path) -> list[str]:
    try:
        aliases = read_pack(folder).get("aliases")
    except InputError:
        return []
    return aliases if isinstance(aliases, list) else []
