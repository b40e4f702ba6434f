"""How shards are annotated, and the signature that says whether two runs annotate alike."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from jperrant.annotation.annotator import BATCH
from jperrant.annotation.fingerprint import fingerprint, packages
from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.installed import checksum_of_code, versions_of
from jperrant.core.paths import exists
from jperrant.packs.dictionary import AUTO
from jperrant.parse.models import COMPACT, DEFAULT, NONE

#: Rooms whose code makes annotations.
_ROOMS = ("alignment", "annotation", "core", "edits", "io", "packs", "parse")
#: Options that name files, which count by their contents and not by their place.
_FILES = ("pack", "lexicon", "models", "dictionary")
#: What stands there instead of a file, whatever lies in the folder at hand.
_NAMES = (COMPACT, DEFAULT, NONE, AUTO)
#: Letters of a checksum that are shown.
_SHOWN = 16


@dataclass(frozen=True, slots=True)
class ShardSettings:
    """How shards are annotated; a value that pickles.

    Attributes:
        options: How to annotate.
        format, raw: As in ``annotate_files``.
        batch: Records annotated together; changes no result.
        stop: Whether a record that cannot be annotated ends its shard; else it is set aside.
    """

    options: AnnotatorOptions
    format: str = "tsv"
    raw: bool = False
    batch: int = BATCH
    stop: bool = False


def signature_of(settings: ShardSettings) -> dict[str, str]:
    """Return everything besides the files that the bytes of M2 files depend on, by name.

    Raises:
        JperrantError: The pack or the models cannot be found.
    """
    options = {name: _shown(name, value) for name, value in asdict(settings.options).items()}
    options["lang"] = settings.options.language
    contents = "".join(fingerprint(settings.options, portable=True))
    return {
        **versions_of(["jperrant", *packages(settings.options)]),
        "code": checksum_of_code(_ROOMS)[:_SHOWN],
        "packs and models": hashlib.sha256(contents.encode()).hexdigest()[:_SHOWN],
        "format": settings.format,
        "raw": str(settings.raw).lower(),
        **options,
    }


def with_whole_paths(settings: ShardSettings) -> ShardSettings:
    """Return settings whose options name files from the root on, for processes that run in another folder."""
    files: dict[str, Any] = {
        name: str(Path(value).resolve())
        for name, value in asdict(settings.options).items()
        if _is_file(name, value)
    }
    return replace(settings, options=replace(settings.options, **files))


def _shown(name: str, value: object) -> str:
    """Return an option as text; files are told from names, and their contents count elsewhere."""
    if _is_file(name, value):
        return "given"
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _is_file(name: str, value: object) -> bool:
    """Whether an option names a file or folder that is there."""
    return name in _FILES and isinstance(value, str) and value not in ("", *_NAMES) and exists(value)
