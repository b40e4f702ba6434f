"""Fingerprints of annotations: checksums of the packs, word lists and models that they depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.errors import InputError
from jperrant.io.files import reason
from jperrant.packs.dictionary import find_dictionary
from jperrant.packs.keys import name_of
from jperrant.packs.read import PackData, Source, pack_data, pack_keys
from jperrant.parse.analyser import Language, find_analyser
from jperrant.parse.models import COMPACT, NONE

#: Packages whose versions may change what models compute.
_MODEL_PACKAGES = ("stanza", "torch")


def checksum(file: str | Path) -> str:
    """Return the SHA-256 of a file.

    Raises:
        InputError: It cannot be read.
    """
    try:
        with Path(file).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({reason(error)})") from None


def fingerprint(options: AnnotatorOptions) -> list[str]:
    """Return checksums of the packs, the word list and the models that options name.

    Raises:
        JperrantError: The pack or the models cannot be found, or a file cannot be read.
    """
    data = pack_data(options.language, options.pack)
    files = [*data.resources, *(Path(words) for words in (data.lexicon, options.lexicon) if words)]
    files += [file for source in data.sources for file in _pack_files(source)]
    if dictionary := find_dictionary(data, options.lexicon, options.dictionary):
        files += [dictionary, dictionary.with_suffix(".aff")]
    parts = [*files, *_analyser(options, data)]
    return sorted(part if isinstance(part, str) else checksum(part) for part in parts)


def packages(options: AnnotatorOptions) -> list[str]:
    """Return the names of the packages whose versions can change annotations.

    Packages of other analysers are left out, as :func:`fingerprint` includes their versions.
    """
    requires = pack_keys(options.language, options.pack).requires
    # Most packages that hooks need are called as their modules are.
    required = sorted({*requires, *map(name_of, requires.values())} - {"jperrant"})
    return required if options.models == NONE else [*_MODEL_PACKAGES, *required]


def _analyser(options: AnnotatorOptions, data: PackData) -> Iterator[Path | str]:
    """Yield the files and versions that the analyser of a language depends on."""
    keys, compact = data.keys, data.models
    if options.models != NONE and (options.models != COMPACT or compact is not None):
        language = Language(keys.code, keys.stanza, compact, bool(keys.deprels))
        yield from find_analyser(options.models, language).identity()


def _pack_files(source: Source) -> Iterator[Path]:
    """Yield the files of a pack that determine types: of an installed pack all but models and compiled Python.

    Of any other pack only YAML and Python files count, as its folder can hold corpora and outputs.
    """
    for path in source.folder.rglob("*") if source.installed else source.code():
        other = {"models", "__pycache__"}.intersection(path.relative_to(source.folder).parts)
        if path.is_file() and not other:
            yield path
