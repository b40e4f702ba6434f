"""Searching the files of a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jperrant.annotation.find import Match, Part, find_in_blocks, find_in_pairs, make_query
from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.errors import InputError, UsageError, nearest
from jperrant.edits.syntax_tests import SYNTAX_TESTS
from jperrant.io.files import is_read_once, read_lines
from jperrant.io.m2 import read_m2
from jperrant.io.parallel import read_conllu_parallel
from jperrant.io.recognise import Kind, recognise
from jperrant.packs.discovery import GENERIC
from jperrant.packs.yaml_model import parse_yaml
from jperrant.parse.models import NONE

_ANALYSIS = frozenset(
    ["upos", "xpos", "lemma", "class", "feats", "deprel", "inflection", "feats_changed", *SYNTAX_TESTS]
)


def search(
    corpus: Sequence[str],
    when: str | Mapping[str, object],
    types: Sequence[str] = (),
    part: str = Part.EDITS,
    options: AnnotatorOptions | None = None,
) -> Iterator[Match]:
    """Yield what fits a query in the files of a corpus, in their order and in constant memory.

    Args:
        corpus: An M2 file; or the CoNLL-U files of the source and of its corrections.
        when: Conditions of the rule language, as a mapping or as YAML; ``@FILE`` reads them from a file.
        types: Selectors of types, as in ``core.selectors``; any type if empty.
        part: ``edits``; or ``source`` or ``target``, whose tokens are then tested one by one as a side of an edit.
        options: The pack whose words the conditions use, and models for M2; the generic pack and none if None.

    Raises:
        UsageError: A condition does not exist or has a wrong value, or asks for an analysis that M2 does not have;
            or no edit has one of the types, which is said at the end.
        InputError: A file cannot be read.
    """
    options = options or AnnotatorOptions("generic", NONE)
    if part not in tuple(Part):
        raise UsageError(
            f"unknown part {part!r}{nearest(part, tuple(Part))}; expected one of {', '.join(Part)}"
        )
    conditions = _conditions(when) if isinstance(when, str) else when
    is_m2 = len(corpus) == 1
    if is_m2 and not is_read_once(corpus[0]) and recognise(read_lines(corpus[0])) is Kind.CONLLU:
        raise UsageError("CoNLL-U holds sentences, not edits; also give the file of their corrections")
    annotator = options.load()
    query = make_query(annotator.pack, conditions, types, Part(part))
    if is_m2 and options.models == NONE and (key := _asks_for_analysis(conditions)):
        # The generic pack has no language, so no models can be found for it.
        such = "--lang=en --models=compact" if annotator.pack.code == GENERIC else "--models=compact"
        raise UsageError(
            f"--when tests {key}, but M2 holds no analysis; give the models to use, such as {such}"
        )
    if is_m2:
        return find_in_blocks(read_m2(corpus[0]), query, annotator, corpus[0])
    return find_in_pairs(read_conllu_parallel(corpus[0], corpus[1:]), query, annotator)


def _conditions(text: str) -> Mapping[str, object]:
    """Return the conditions in YAML.

    Raises:
        InputError: The file cannot be read, or it is not YAML.
        UsageError: It is not a mapping.
    """
    name = "--when"
    if text.startswith("@"):
        name = text[1:]
        text = "\n".join(read_lines(name))
    try:
        conditions: Any = parse_yaml(text, name)
    except InputError as error:
        raise UsageError(str(error)) from None
    if not isinstance(conditions, Mapping):
        raise UsageError(f"{name}: found {text!r}, expected a mapping of conditions such as {{operation: R}}")
    return conditions


def _asks_for_analysis(value: object) -> str:
    """Return the first key of conditions that asks for tags, lemmas or the tree; empty if none does."""
    if isinstance(value, Mapping):
        for key, held in value.items():
            name = str(key).partition(".")[0]
            if name in _ANALYSIS and not (
                name == "position" and held in ({"first": "sentence"}, {"last": "sentence"})
            ):
                return str(key)
            if inner := _asks_for_analysis(held):
                return inner
    if isinstance(value, list):
        return next((inner for held in value if (inner := _asks_for_analysis(held))), "")
    return ""
