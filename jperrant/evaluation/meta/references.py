"""Files beside a data set: references as texts, M2 or a folder of them, and edits of the systems as M2.

- In a folder of references such as CoNLL-2014's, files whose names differ in a last letter or number only are one
  set: ``NUCLEA`` and ``NUCLEB`` are ``NUCLE``, ``BN1`` to ``BN10`` are ``BN``. Each file is also a set of its own
  by its name. This is how cnap/grammaticality-metrics distributes 18 references of CoNLL-2014 (Bryant and Ng 2015;
  Sakaguchi et al. 2016).
- Of one set, some references may be chosen: which ones moves figures, so that several choices are tried (Bryant and
  Ng 2015 have ten references).
- Published figures come from edits of one program and its models (ERRANT's, say). With its M2 files of the systems
  they come out as published, whatever annotates texts here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path, PurePath

from jperrant.core.edits import apply_edits
from jperrant.core.errors import EditError, InputError, UsageError, nearest
from jperrant.core.paths import is_folder
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.inputs import is_m2
from jperrant.evaluation.meta.dataset import MetaDataset, Reference
from jperrant.evaluation.metrics.base import annotations_of
from jperrant.evaluation.metrics.texts import changing
from jperrant.evaluation.reading import read_blocks
from jperrant.evaluation.statistics.significance import SEED, subsets_of
from jperrant.evaluation.texts import read_text
from jperrant.io.m2 import read_m2

#: What the files given one by one are called together.
FILES = "references"
_MEMBER = re.compile(r"(.+?)([A-Z]|\d+)")
#: A folder in which the references stand in a folder of their own.
_INNER = "references"
_IGNORED = (".xml", ".md", ".py", ".html")
_SOURCE = "source"
#: How many random choices of a number of references are tried, where more are possible.
DRAWS = 5


def with_reference_files(
    dataset: MetaDataset, paths: Sequence[str], sets: Sequence[str]
) -> tuple[MetaDataset, list[str], list[str]]:
    """Return a data set with references of files, the names of the sets to use, and notes.

    Args:
        dataset: The data set.
        paths: Texts and M2 files, which are one set ``references``, and folders.
        sets: The sets that are wanted; of the folders only their files are read. If empty all files, or else the
            first set of the data set.

    Raises:
        UsageError: A folder has several sets and none is named, or a named set is nowhere.
        InputError, FormatError: A file cannot be read, or is of another text.
    """
    files = [path for path in paths if not is_folder(path)]
    folders = {name: found for path in paths if is_folder(path) for name, found in _sets(path).items()}
    chosen = {
        **({FILES: files} if files else {}),
        **{name: folders[name] for name in sets if name in folders},
    }
    if folders and not chosen.keys() & folders:
        known = ", ".join(folders)
        if unknown := [name for name in sets if name != FILES]:
            raise UsageError(
                f"unknown set of references {unknown[0]!r}{nearest(unknown[0], folders)}; expected one of {known}"
            )
        raise UsageError(f"found several sets of references ({known}); choose with --set")
    notes: list[str] = []
    read = {name: [read_reference(path, notes) for path in members] for name, members in chosen.items()}
    dataset = dataset.with_references(read)
    names = list(sets) or list(chosen) or list(dataset.references)[:1]
    for name in names:
        dataset.reference_set(name)
    return dataset, names, notes


def _sets(folder: str) -> dict[str, list[str]]:
    """Return the files of each set in a folder.

    Raises:
        InputError: There are none.
    """
    inner = Path(folder, _INNER)
    files = [
        path
        for path in sorted(
            (inner if inner.is_dir() else Path(folder)).iterdir(), key=lambda p: (len(p.name), p.name)
        )
        if path.is_file() and path.suffix not in _IGNORED and not path.name.startswith((".", _SOURCE))
    ]
    if not files:
        raise InputError(f"{folder}: found no references in the folder, expected texts or M2 files")
    alone = {path.name.removesuffix(".txt"): [str(path)] for path in files}
    families: dict[str, list[str]] = {}
    for name, [path] in alone.items():
        if member := _MEMBER.fullmatch(name):
            families.setdefault(member[1], []).append(path)
    return {**{name: members for name, members in families.items() if len(members) > 1}, **alone}


def read_reference(path: str, notes: list[str] | None = None) -> Reference:
    """Return the reference in a text or M2 file.

    Args:
        path: The file.
        notes: Gets what was read leniently.

    Raises:
        InputError, FormatError: It cannot be read.
    """
    if not is_m2(path):
        return read_text(path)
    file = read_blocks(path, path)
    if notes is not None:
        notes.extend(file.notes)
    return file.blocks


def reference_choices(
    name: str,
    references: Sequence[Reference],
    numbers: Sequence[int] = (),
    draws: int = DRAWS,
    seed: int = SEED,
) -> list[list[list[Reference]]]:
    """Return for each number of references some choices of so many.

    Args:
        name: What the set of references is called in messages.
        references: The references; those of an M2 file count for each annotator.
        numbers: The numbers; 1 to all if empty.
        draws: Choices tried for each number, all where there are not more.
        seed: Of the draws.

    Raises:
        UsageError: An impossible number of references or draws.
    """
    single = [one for reference in references for one in split_annotators(reference)]
    chosen = tuple(numbers) or tuple(range(1, len(single) + 1))
    if impossible := [number for number in chosen if not 1 <= number <= len(single)]:
        raise UsageError(
            f"found {impossible[0]} as a number of references, expected 1 to {len(single)} for set {name!r}"
        )
    if draws < 1:
        raise UsageError(f"found {draws} draws, expected 1 or more")
    return [
        [
            [single[n] for n in choice]
            for choice in subsets_of(range(len(single)), number, draws, f"{seed}-{number}")
        ]
        for number in chosen
    ]


def split_annotators(reference: Reference) -> list[Reference]:
    """Return a reference as one for each annotator; a text is one already.

    Where an annotator is missing in a block, the edits of the first one there stand in: files such as
    CoNLL-2014's leave the second annotator out where both agree.
    """
    blocks = [block for block in reference if isinstance(block, Block)]
    if not blocks:
        return [reference]
    annotators = sorted({a.annotator for block in blocks for a in annotations_of(block)})
    return [tuple([_by_one(block, annotator) for block in blocks]) for annotator in annotators]


def _by_one(block: Block, annotator: int) -> Block:
    own = block.annotation(annotator) or annotations_of(block)[0]
    return Block(block.source, (Annotation(0, own.edits),))


def with_system_edits(
    dataset: MetaDataset, files: Sequence[str], groups: Sequence[str]
) -> tuple[MetaDataset, dict[str, tuple[Block, ...]], list[str]]:
    """Return a data set in whose groups only systems with edits count, their edits, and notes; all if no files.

    Args:
        dataset: The texts that the edits must lead to.
        files: As in :func:`read_system_edits`.
        groups: The groups that are looked at; a note says which of their systems are left out.

    Raises:
        InputError, FormatError: As :func:`read_system_edits`.
        UsageError: There is no such group.
    """
    edits = read_system_edits(dataset, files)
    if not edits:
        return dataset, edits, []
    without = dict.fromkeys(s for group in groups for s in dataset.group(group) if s not in edits)
    notes = [f"left out, as no edits were given: {', '.join(without)}"] if without else []
    return dataset.with_groups_of(edits), edits, notes


def read_system_edits(dataset: MetaDataset, files: Sequence[str]) -> dict[str, tuple[Block, ...]]:
    """Return the edits of systems, over the sentences of a data set.

    Args:
        dataset: The texts that the edits must lead to.
        files: M2 files, or patterns of them (``conll14-*.m2``), named after the systems (``conll14-AMU.m2``), over
            the sentences of the data set or over the whole text that they were taken from.

    Raises:
        InputError: A pattern matches no file, a file fits no system or two fit one, has another number of
            sentences, or leads to another text.
        FormatError: A file is not M2.
    """
    found = {}
    for system, file in systems_of(matching_files(files), dataset.systems).items():
        blocks = tuple(read_m2(file))
        numbers = dataset.over_sentences(tuple(range(1, len(blocks) + 1)), file)
        for number, text in zip(numbers, dataset.systems[system], strict=True):
            corrected = corrected_text(file, number, blocks[number - 1])
            if corrected.split() != text.split():
                raise InputError(
                    f"{file}: sentence {number} (counted from 1) gives {corrected!r}, but the text of {system} is "
                    f"{text!r}"
                )
        found[system] = tuple([blocks[number - 1] for number in numbers])
    return found


def corrected_text(file: str, number: int, block: Block) -> str:
    """Return the sentence that the edits of a system make.

    Args:
        file, number: Where the block is, for errors.
        block: It has one annotator, the system.

    Raises:
        InputError: It has several.
        EditError: Its edits cannot be applied.
    """
    where = f"{file}: sentence {number} (counted from 1)"
    [annotation, *others] = annotations_of(block)
    if others:
        raise InputError(f"{where} has {len(others) + 1} annotators, expected one, the system")
    try:
        return " ".join(apply_edits(block.source, changing(annotation)))
    except EditError as error:
        raise EditError(f"{where}: {error}") from None


def matching_files(files: Sequence[str]) -> list[str]:
    """Return the files that patterns match, sorted by name; an existing file stands for itself.

    Raises:
        InputError: A pattern matches no file.
    """
    found: list[str] = []
    for file in files:
        if "*" not in file or Path(file).exists():
            found.append(file)
            continue
        folder, _, written = file.rpartition("/")
        matching = sorted(str(path) for path in Path(folder or ".").glob(written) if path.is_file())
        if not matching:
            raise InputError(f"{file}: no file matches the pattern")
        found += matching
    return found


def systems_of(files: Sequence[str], judged: Collection[str]) -> dict[str, str]:
    """Return the file of each system: named like it, or with its name as one word (``conll14-AMU.m2``).

    Raises:
        InputError: A file fits none or several of the judged systems, or two files fit one.
    """
    matched: dict[str, str] = {}
    for file in files:
        name = PurePath(file).name
        words = {name, PurePath(file).stem, *re.split(r"[^\w+-]|_", name), *re.split(r"[\W_]", name)}
        # The longest name wins: GECToR-BERT over BERT.
        fitting = sorted((system for system in judged if system in words), key=len, reverse=True)
        if not fitting:
            raise InputError(
                f"{file}: its name is none of the judged systems ({', '.join(judged)}); rename it after one of them"
            )
        if fitting[0] in matched:
            raise InputError(f"{file}: found a second file of the system {fitting[0]!r}; give one for each")
        matched[fitting[0]] = file
    return matched
