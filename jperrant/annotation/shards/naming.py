"""Which files belong to which shard, and what the M2 of each is called."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.paths import is_folder
from jperrant.io.compression import ENDINGS as COMPRESSED
from jperrant.io.files import STDIO, reason
from jperrant.io.rejected import rejected_path

#: Formats whose one file holds sources and corrections.
WHOLE = ("tsv", "jsonl", "cherrant")
#: Endings of names that say what is in a file, and so not in the name of its M2.
_KINDS = (".tsv", ".txt", ".jsonl", ".json", ".conllu", ".para")
#: ``--compress`` for the compression that each shard has itself.
SAME = "same"
#: Bytes that a file's name may have on common file systems.
_LONGEST = 255


@dataclass(frozen=True, slots=True)
class Shard:
    """Some sources with their corrections.

    Attributes:
        name: The name of its M2 file.
        files: The one file that holds everything, or the source and the corrected texts.
    """

    name: str
    files: tuple[str, ...]


def names_folder(out: str) -> bool:
    """Whether an output is a folder: its name ends like one, or it is one."""
    return out.endswith(("/", os.sep)) or (out != STDIO and is_folder(out))


def uncompressed(name: str) -> str:
    """Return the name of a file without the ending that says how it is compressed."""
    return name.removesuffix(_compression(name))


def find_shards(
    paths: Sequence[str], format: str, endings: Sequence[str] = (), compress: str = SAME
) -> list[Shard]:
    """Return shards by name.

    Args:
        paths: For formats of one file (``tsv``, ``jsonl``, ``cherrant``) the files; a folder stands for all its
            files. For the others a folder of sources and one for each annotator's corrections, whose files have
            equal names; or files that differ in their endings.
        format: The format of the files.
        endings: How the names of the source and of each annotator's correction end (``src``, ``cor``).
        compress: How the M2 files are compressed: ``none``, ``gz``, ``zst``, ``xz``, ``bz2``, or ``same``, as
            the shard is.

    Raises:
        UsageError: The files make no shards, or two make M2 files of the same name; names them.
        InputError: A folder cannot be read.
    """
    if STDIO in paths:
        raise UsageError(
            "found standard input (-) among the shards, expected files; give files, or one output file with -o"
        )
    if format in WHOLE:
        if endings:
            raise UsageError(
                f"--endings pairs files of sources and corrections, but a file of --format={format} holds both; "
                "remove it"
            )
        groups: list[tuple[str, tuple[str, ...]]] = [(_stem(path), (path,)) for path in _files(paths)]
    elif endings:
        groups = _by_ending(_files(paths), [uncompressed(ending.removeprefix(".")) for ending in endings])
    else:
        groups = _by_folder(paths, format)
    if not groups:
        raise UsageError(f"{', '.join(paths)}: found no files")
    return _named(groups, compress)


def _named(groups: Iterable[tuple[str, tuple[str, ...]]], compress: str) -> list[Shard]:
    shards: dict[str, Shard] = {}
    for stem, files in groups:
        name = f"{stem}.m2{_compression(files[0]) if compress == SAME else _ending_of(compress)}"
        if stem in shards:
            raise UsageError(
                f"{shards[stem].files[0]} and {files[0]} would both become {name}; rename one, or use two folders"
            )
        if len(rejected_path(name).encode()) > _LONGEST:
            raise UsageError(
                f"{files[0]}: its name is too long for an M2 file and one of rejected records beside it; rename it"
            )
        shards[stem] = Shard(name, files)
    return sorted(shards.values(), key=lambda shard: shard.name)


def _files(paths: Iterable[str]) -> list[str]:
    """Return files, with those of folders in their place."""
    return [file for path in paths for file in (_inside(path) if is_folder(path) else [path])]


def _inside(folder: str) -> list[str]:
    """Return the files of a folder; those with names that begin with a point are hidden from view.

    Raises:
        UsageError: It holds another folder.
        InputError: It cannot be read.
    """
    try:
        entries = sorted(Path(folder).iterdir())
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({reason(error)})") from None
    seen = [entry for entry in entries if not entry.name.startswith(".")]
    for entry in seen:
        if entry.is_dir():
            raise UsageError(
                f"{entry}: found a folder among the shards, expected files; give the files in it"
            )
    return [str(entry) for entry in seen]


def _by_folder(paths: Sequence[str], format: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the files of several folders, those of equal names together."""
    if len(paths) < 2 or not all(map(is_folder, paths)):
        raise UsageError(
            f"for M2 files in a folder --format={format} takes a folder of sources and one for each annotator, "
            "with files of equal names; or files and their endings (--endings=src,cor)"
        )
    sides = [{Path(file).name: file for file in _inside(path)} for path in paths]
    for path, side in zip(paths[1:], sides[1:], strict=True):
        for name in sorted(sides[0].keys() ^ side.keys()):
            has, lacks = (paths[0], path) if name in sides[0] else (path, paths[0])
            raise UsageError(f"{name} is in {has} but not in {lacks}; both need files of the same names")
    return [(_stem(name), tuple([side[name] for side in sides])) for name in sides[0]]


def _by_ending(files: Sequence[str], endings: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return files whose names are equal up to their endings together.

    Raises:
        UsageError: Endings do not tell the files apart, or a file has none of them, or lacks its counterpart.
    """
    if len(endings) < 2 or len({*endings}) < len(endings) or not all(endings):
        raise UsageError(
            f"--endings={','.join(endings)}: expected one for the sources and one for each annotator, as in src,cor"
        )
    groups: dict[str, dict[str, str]] = {}
    for file in files:
        bare = uncompressed(Path(file).name)
        fitting = [ending for ending in endings if bare.endswith(f".{ending}")]
        if not fitting:
            raise UsageError(f"{file}: its name does not end in {', '.join(f'.{e}' for e in endings)}")
        ending = max(fitting, key=len)
        group = groups.setdefault(bare.removesuffix(f".{ending}"), {})
        if ending in group:
            raise UsageError(f"{group[ending]} and {file} both belong to shard part .{ending}; rename one")
        group[ending] = file
    for stem, group in groups.items():
        for ending in endings:
            if ending not in group:
                having = plural(len(group), "file")
                raise UsageError(f"{stem}.{ending} is missing; shard {stem} has {having} of {len(endings)}")
    return [(stem, tuple([group[ending] for ending in endings])) for stem, group in groups.items()]


def _stem(file: str) -> str:
    """Return the name of a file without what says how it is written."""
    name = uncompressed(Path(file).name)
    kind = next((kind for kind in _KINDS if name.endswith(kind) and name != kind), "")
    return name.removesuffix(kind)


def _compression(file: str) -> str:
    return next((ending for ending in COMPRESSED if file.endswith(ending)), "")


def _ending_of(compress: str) -> str:
    if compress == "none":
        return ""
    if f".{compress}" not in COMPRESSED:
        known = ", ".join((SAME, "none", *(ending.removeprefix(".") for ending in COMPRESSED)))
        raise UsageError(f"unknown compression {compress!r}; expected one of {known}")
    return f".{compress}"
