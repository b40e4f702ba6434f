"""Rankings in the XML of Appraise, in which SEEDA and GJG15 distribute their judgements.

An item ranks up to five outputs of one sentence; systems of equal text are one entry with several names. Which
number the first sentence has is not in the file: 1 in SEEDA, 0 in GJG15.
"""

from __future__ import annotations

from collections.abc import Collection
from xml.etree import ElementTree

from jperrant.core.errors import FormatError, nearest
from jperrant.core.messages import plural
from jperrant.evaluation.meta.dataset import Judgement
from jperrant.io.files import open_input
from jperrant.io.m2_lines import number_of

ITEM, ENTRY = "ranking-item", "translation"


def read_appraise(path: str, systems: Collection[str], sentences: int, first: int) -> tuple[Judgement, ...]:
    """Return the rankings of a file; items without entries are left out.

    Args:
        path: The file.
        systems: The names of the systems.
        sentences: How many sentences the text has.
        first: The number of its first sentence in this file.

    Raises:
        FormatError: It is not such a file, or an item names an unknown system or sentence or has no rank.
        InputError: The file cannot be read.
    """
    with open_input(path) as stream:
        try:
            root = ElementTree.parse(stream).getroot()
        except ElementTree.ParseError as error:
            raise FormatError(path, error.position[0], f"not XML ({error.msg}), expected rankings") from None
    items = [
        _judgement(path, number, item, systems, sentences, first)
        for number, item in enumerate(root.iter(ITEM), start=1)
        if len(item)
    ]
    if not items:
        raise FormatError(path, None, f"found no {ITEM!r}, expected the rankings of sentences")
    return tuple(items)


def _judgement(
    path: str,
    number: int,
    item: ElementTree.Element,
    systems: Collection[str],
    sentences: int,
    first: int,
) -> Judgement:
    sentence = _number(path, number, item, "src-id") - first
    if not 0 <= sentence < sentences:
        raise FormatError(
            path,
            None,
            f"item {number}: found a judgement of sentence {sentence + 1}, but the text has "
            f"{plural(sentences, 'sentence')}",
        )
    marks: dict[str, float] = {}
    for entry in item.iter(ENTRY):
        rank = _number(path, number, entry, "rank")
        for system in entry.get("system", "").split():
            if system not in systems:
                raise FormatError(
                    path, None, f"item {number}: unknown system {system!r}{nearest(system, systems)}"
                )
            if marks.get(system, rank) != rank:
                raise FormatError(path, None, f"item {number}: system {system!r} has two ranks; remove one")
            marks[system] = rank
    return Judgement(sentence, item.get("user", ""), marks)


def _number(path: str, number: int, element: ElementTree.Element, name: str) -> int:
    text = element.get(name, "")
    value = number_of(text) if text.isdecimal() else None
    if value is None:
        raise FormatError(path, None, f"item {number}: found {name}={text!r}, expected a whole number")
    return value
