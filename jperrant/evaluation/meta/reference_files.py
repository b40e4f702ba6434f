"""References of a data set from files: texts, M2, or a folder of them such as that of CoNLL-2014's references.

In a folder, files whose names differ in a last letter or number only are one set: ``NUCLEA`` and ``NUCLEB`` are
``NUCLE``, ``BN1`` to ``BN10`` are ``BN``. Each file is also a set of its own by its name. This is how
cnap/grammaticality-metrics distributes 18 references of CoNLL-2014 (Bryant and Ng 2015; Sakaguchi et al. 2016).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jperrant.core.errors import InputError, UsageError, nearest
from jperrant.core.paths import is_folder
from jperrant.evaluation.inputs import is_m2
from jperrant.evaluation.m2_input import read_blocks
from jperrant.evaluation.meta.dataset import Reference
from jperrant.evaluation.text_input import read_text

#: What the files given one by one are called together.
FILES = "references"
_MEMBER = re.compile(r"(.+?)([A-Z]|\d+)")
#: A folder in which the references stand in a folder of their own.
_INNER = "references"
_IGNORED = (".xml", ".md", ".py", ".html")
_SOURCE = "source"


@dataclass(frozen=True, slots=True)
class ReferenceSets:
    """Sets of references by name, and what users should know of their files, one line each."""

    sets: dict[str, tuple[Reference, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def read_references(paths: Sequence[str], names: Sequence[str] = ()) -> ReferenceSets:
    """Return the sets of references in files and folders.

    Args:
        paths: Texts and M2 files, which are one set ``references``, and folders.
        names: The sets that are wanted of the folders; only their files are read.

    Raises:
        UsageError: A folder has several sets and none is named, or a named set is nowhere.
        InputError, FormatError: A file cannot be read.
    """
    files = {FILES: [path for path in paths if not is_folder(path)]}
    folders = {name: found for path in paths if is_folder(path) for name, found in _sets(path).items()}
    wanted = [name for name in names if name in folders]
    if folders and not wanted:
        known = ", ".join(folders)
        if unknown := [name for name in names if name != FILES]:
            raise UsageError(
                f"unknown set of references {unknown[0]!r}{nearest(unknown[0], folders)}; expected one of {known}"
            )
        raise UsageError(f"found several sets of references ({known}); choose with --set")
    chosen = {**(files if files[FILES] else {}), **{name: folders[name] for name in wanted}}
    notes: list[str] = []
    return ReferenceSets(
        {name: tuple(_read(path, notes) for path in members) for name, members in chosen.items()},
        tuple(notes),
    )


def _sets(folder: str) -> dict[str, list[str]]:
    """Return the files of each set in a folder.

    Raises:
        InputError: There are none.
    """
    inner = Path(folder, _INNER)
    root = inner if inner.is_dir() else Path(folder)
    files = [
        path
        for path in sorted(root.iterdir(), key=lambda path: (len(path.name), path.name))
        if path.is_file() and path.suffix not in _IGNORED and not path.name.startswith((".", _SOURCE))
    ]
    families: dict[str, list[str]] = {}
    for path in files:
        if member := _MEMBER.fullmatch(path.name.removesuffix(".txt")):
            families.setdefault(member[1], []).append(str(path))
    sets = {name: members for name, members in families.items() if len(members) > 1}
    if not files:
        raise InputError(f"{folder}: found no references in the folder, expected texts or M2 files")
    return {**sets, **{path.name.removesuffix(".txt"): [str(path)] for path in files}}


def _read(path: str, notes: list[str]) -> Reference:
    if not is_m2(path):
        return read_text(path).lines
    file = read_blocks(path, path)
    notes.extend(file.notes)
    return tuple(file.blocks)
