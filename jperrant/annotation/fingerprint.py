"""Fingerprints of annotations: checksums of the packs, word lists and models that they depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from jperrant.annotation.options import AnnotatorOptions
from jperrant.packs import known_packs, pack_data, pack_keys
from jperrant.packs.discovery import FILE
from jperrant.packs.keys import name_of
from jperrant.packs.read import PackData
from jperrant.parse.analyser import Language, find_analyser
from jperrant.parse.models import COMPACT, NONE

#: Files up to this size are known by their bytes, larger ones by their size and time of change.
_HASHED = 32 << 20
#: Packages whose versions may change what models compute.
_MODEL_PACKAGES = ("stanza", "torch")


def fingerprint(options: AnnotatorOptions, portable: bool = False) -> list[str]:
    """Return what stands for the contents of the packs, the word list and the models that options name.

    Args:
        options: How to annotate.
        portable: Know large files by their bytes too, so that copies on another machine are the same.

    Raises:
        JperrantError: The pack or the models cannot be found.
    """
    data = pack_data(options.language, options.pack)
    # A pack inherits: from all built-in ones, and from those in the folders beside it.
    installed = set(known_packs().values())
    files = [file for folder in installed for file in _pack_files(folder)]
    files += _own_files(data, [folder for folder in data.chain if folder not in installed])
    if options.lexicon:
        files.append(Path(options.lexicon))
    if dictionary := data.dictionary(options.lexicon, options.dictionary):
        files += [dictionary, dictionary.with_suffix(".aff")]
    contents = [_content(file, portable) for file in files]
    return sorted([*contents, *_analyser(options, data, portable)])


def packages(options: AnnotatorOptions) -> list[str]:
    """Return the names of the packages whose versions may change annotations.

    Those of analysers of other libraries are not among them, as :func:`fingerprint` has their versions.
    """
    requires = pack_keys(options.language, options.pack).requires
    # Most packages that hooks need are called as their modules are.
    required = sorted({*requires, *map(name_of, requires.values())} - {"jperrant"})
    return required if options.models == NONE else [*_MODEL_PACKAGES, *required]


def _analyser(options: AnnotatorOptions, data: PackData, portable: bool) -> Iterator[str]:
    """Yield what stands for the analyser and its models, for the language of a pack."""
    if options.models == NONE:
        return
    keys, compact = data.keys, data.models
    if options.models != COMPACT or compact is not None:
        language = Language(keys.code, keys.stanza, compact, bool(keys.deprels))
        for part in find_analyser(options.models, language).identity():
            yield _content(part, portable) if isinstance(part, Path) else part


def _pack_files(folder: Path) -> list[Path]:
    """Return the files that say how a pack types edits: all but models and compiled Python."""
    skipped = {"models", "__pycache__"}
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and not skipped.intersection(path.relative_to(folder).parts)
    ]


def _own_files(data: PackData, folders: Iterable[Path]) -> set[Path]:
    """Return the same of packs that are not installed, as far as they name them.

    Their folders may hold anything else, as corpora, and what is written while they are annotated.
    """
    named = [*data.resources, *([data.lexicon] if data.lexicon else [])]
    return {file for folder in folders for file in (folder / FILE, *folder.glob("*.py"))} | set(named)


def _content(file: Path, portable: bool) -> str:
    status = file.stat()
    if status.st_size > _HASHED and not portable:
        return f"{file}:{status.st_size}:{status.st_mtime_ns}"
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
