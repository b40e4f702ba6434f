"""The glossary of a page: every type that occurs, what it means, and an example of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Pair, annotations_of
from jperrant.packs import pack_keys
from jperrant.packs.keys import PackKeys
from jperrant.packs.labels import group_of

#: The pack whose labels files without a language most often have.
_USUAL = "en"
#: Source tokens that an example shows on either side.
_CONTEXT = 5
_OPERATIONS = {"M": "missing", "U": "unnecessary", "R": "replacement"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A type.

    Attributes:
        type: The type.
        description: What the pack says of its label; empty where no pack knows it.
        group: The group of all languages that it belongs to; empty where no pack knows it.
        references, systems: How many edits of the references and of the systems have it.
        before, edit, after: An example: source tokens around an edit of that type, of a reference if one has it.
        source: The tokens that the edit replaces.
    """

    type: str
    description: str
    group: str
    references: int
    systems: int
    before: tuple[str, ...]
    source: tuple[str, ...]
    edit: Edit
    after: tuple[str, ...]


def labels_of(lang: str | None, pack: str | None, types: Iterable[str]) -> PackKeys:
    """Return the keys of the pack that describes types: that of the language or folder, or the English one.

    One without labels where no language is given and the types are not all of the English pack.

    Raises:
        PackError: There is no such language or pack.
    """
    if lang is None and pack is None:
        keys = pack_keys(_USUAL)
        all_known = all(_label(type_) in keys.labels for type_ in types if _is_named(type_))
        return keys if all_known else PackKeys(code="und")
    return pack_keys(lang or _USUAL, pack)


def glossary(pairs: Sequence[Pair], keys: PackKeys) -> list[Entry]:
    """Return an entry for each type that occurs, sorted by type.

    Args:
        pairs: The systems with their references.
        keys: The pack, as :func:`labels_of` returns it.
    """
    counts: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    examples: dict[str, tuple[Block, Edit]] = {}
    sides = [pairs[0].references, *(pair.hypothesis for pair in pairs)]
    for number, blocks in enumerate(sides):
        for block, annotation in _annotations(blocks):
            for edit in annotation.edits:
                counts[min(number, 1)][edit.type] += 1
                examples.setdefault(edit.type, (block, edit))
    return [_entry(type_, counts, *examples[type_], keys) for type_ in sorted(examples)]


def _annotations(blocks: Sequence[Block]) -> Iterator[tuple[Block, Annotation]]:
    for block in blocks:
        for annotation in annotations_of(block):
            yield block, annotation


def _entry(
    type_: str, counts: tuple[Counter[str], Counter[str]], block: Block, edit: Edit, keys: PackKeys
) -> Entry:
    label = _label(type_)
    described = keys.labels.get(label, "")
    operation = _OPERATIONS.get(type_.partition(":")[0], "")
    group = group_of(label, keys.groups) if described else ""
    return Entry(
        type_,
        f"{operation}: {described}" if operation and described else described,
        group,
        counts[0][type_],
        counts[1][type_],
        block.source[max(0, edit.start - _CONTEXT) : edit.start],
        block.source[edit.start : edit.end],
        edit,
        block.source[edit.end : edit.end + _CONTEXT],
    )


def _is_named(type_: str) -> bool:
    return type_.partition(":")[0] in _OPERATIONS


def _label(type_: str) -> str:
    return type_.partition(":")[2] if _is_named(type_) else type_
