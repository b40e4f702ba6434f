"""Rows of the GEC data sets on Hugging Face's hub, as plain dicts; the ``datasets`` library is not needed.

A row is one correction of one sentence::

    {"id": "7", "src_tokens": ["This", "are", "bad"], "tgt_tokens": ["This", "is", "bad"],
     "corrections": [{"idx_src": [1], "idx_tgt": [1], "corr_type": "R:VERB:SVA"}]}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from operator import index
from typing import Any

from jperrant.core.display import shorten
from jperrant.core.edits import apply_edits
from jperrant.core.errors import InputError
from jperrant.core.m2_format import DETECTION_TYPES
from jperrant.core.values import UNKNOWN, Annotation, Block, Edit


def block_to_rows(block: Block, id: str = "") -> list[dict[str, Any]]:
    """Return one row for each annotator of a block; one row without corrections if it has none.

    Args:
        block: The block.
        id: Name of the sentence; its rows have it, with the annotator's number after a dash if there are several.

    Raises:
        InputError: An edit has alternatives, or no token on either side; a row cannot hold these.
        EditError: Edits overlap or reach outside the sentence.
    """
    annotations = block.annotations or (Annotation(0),)
    several = len(annotations) > 1
    return [_row(block.source, a, f"{id}-{a.annotator}" if several and id else id) for a in annotations]


def row_to_block(row: Mapping[str, Any], annotator: int = 0) -> Block:
    """Return the block of a row.

    Args:
        row: ``src_tokens`` and ``tgt_tokens``, lists or arrays of tokens (or ``source`` and ``target``, texts with
            tokens separated by white space), and ``corrections``, whose indices count from 0. Other keys are not
            read. An insertion has no ``idx_src`` and stands after the source tokens whose targets come before it. A
            correction without ``corr_type`` is ``OTHER``; one that changes nothing only marks an error, ``UNK``.
        annotator: The number that the annotator gets.

    Raises:
        InputError: A key is missing or a value is of another kind, indices reach outside the sentence or have gaps,
            or the texts differ where there is no correction.
    """
    source, target = _tokens(row, "src_tokens", "source"), _tokens(row, "tgt_tokens", "target")
    corrections = row.get("corrections")
    if isinstance(corrections, str | Mapping) or not isinstance(corrections, Iterable):
        raise InputError(f"row: found keys {', '.join(map(str, row))}, expected a list of corrections")
    spans = [(_span(c, "idx_src", source), _span(c, "idx_tgt", target), c) for c in corrections]
    _check_rest(source, target, spans)
    placed = [(_source_span(ours, theirs, spans, len(source)), theirs, c) for ours, theirs, c in spans]
    edits = []
    for (start, end), theirs, correction in placed:
        tokens = target[theirs[0] : theirs[1]] if theirs else ()
        type_ = str(correction.get("corr_type") or _untyped(source[start:end], tokens))
        detection = type_ in DETECTION_TYPES and tokens == source[start:end]
        edits.append(Edit(start, end, None if detection else tokens, type_))
    edits.sort(key=lambda edit: (edit.start, edit.end))
    return Block(source, (Annotation(annotator, tuple(edits)),))


def _untyped(original: tuple[str, ...], tokens: tuple[str, ...]) -> str:
    """Return the type of a correction that says none."""
    if original == tokens:
        return UNKNOWN
    return f"{'M' if not original else 'R' if tokens else 'U'}:OTHER"


def _row(source: tuple[str, ...], annotation: Annotation, id: str) -> dict[str, Any]:
    corrections = []
    shift = 0
    for edit in sorted(annotation.edits, key=lambda e: (e.start, e.end)):
        if edit.alternatives:
            raise InputError(f"edit {edit.start} {edit.end} has alternatives, which a row cannot hold")
        replaced = edit.end - edit.start
        length = replaced if edit.is_detection or edit.correction is None else len(edit.correction)
        if not (replaced or length):
            raise InputError(
                f"edit {edit.start} {edit.end} covers no token on either side, which a row cannot hold"
            )
        begin = edit.start + shift
        corrections.append(
            {
                "idx_src": list(range(edit.start, edit.end)),
                "idx_tgt": list(range(begin, begin + length)),
                "corr_type": edit.type,
            }
        )
        shift += length - replaced
    target = apply_edits(source, annotation.edits)
    row = {"src_tokens": list(source), "tgt_tokens": list(target), "corrections": corrections}
    return {"id": id, **row} if id else row


def _tokens(row: Mapping[str, Any], key: str, text: str) -> tuple[str, ...]:
    if key in row:
        tokens = _listed(row[key], key)
        if not all([isinstance(token, str) for token in tokens]):
            raise InputError(f"row: {key} is {shorten(str(tokens))}, expected a list of strings")
        return tokens
    if isinstance(row.get(text), str):
        return tuple(row[text].split())
    raise InputError(f"row: found keys {', '.join(map(str, row))}, expected {key} or {text}")


def _listed(value: Any, key: str) -> tuple[Any, ...]:
    """Return what a list or an array holds, as data frames have them."""
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise InputError(f"row: {key} is {shorten(str(value))}, expected a list")
    return tuple(value)


def _span(correction: Mapping[str, Any], key: str, tokens: Sequence[str]) -> tuple[int, int] | None:
    """Return the half-open range of some indices; None where there are none."""
    if not isinstance(correction, Mapping):
        raise InputError(
            f"row: a correction is {shorten(str(correction))}, expected a mapping with idx_src and idx_tgt"
        )
    given = correction.get(key)
    found = () if given is None else _listed(given, key)
    if not found:
        return None
    try:
        indices = sorted([index(one) for one in found])
    except TypeError:
        indices = [-1]
    start, end = indices[0], indices[-1] + 1
    if indices != list(range(start, end)) or start < 0 or end > len(tokens):
        raise InputError(
            f"{key} {shorten(str(list(found)))}: expected consecutive indices from 0 to {len(tokens) - 1}"
        )
    return start, end


def _check_rest(
    source: tuple[str, ...],
    target: tuple[str, ...],
    spans: Sequence[tuple[tuple[int, int] | None, tuple[int, int] | None, Any]],
) -> None:
    """Refuse texts that differ where no correction says so: the block would keep the source there.

    Raises:
        InputError: They do.
    """
    kept = [
        _outside(source, [ours for ours, _, _ in spans]),
        _outside(target, [theirs for _, theirs, _ in spans]),
    ]
    if kept[0] != kept[1]:
        ours, theirs = next((a, b) for a, b in zip_longest(*kept, fillvalue="nothing") if a != b)
        raise InputError(
            f"row: source and target differ outside the corrections ({shorten(ours)} and {shorten(theirs)}); check "
            "idx_src and idx_tgt"
        )


def _outside(tokens: tuple[str, ...], spans: Sequence[tuple[int, int] | None]) -> list[str]:
    covered = {n for span in spans if span for n in range(*span)}
    return [token for n, token in enumerate(tokens) if n not in covered]


def _source_span(
    ours: tuple[int, int] | None,
    theirs: tuple[int, int] | None,
    spans: Sequence[tuple[tuple[int, int] | None, tuple[int, int] | None, Any]],
    source: int,
) -> tuple[int, int]:
    """Return the source range of a correction; that of an insertion follows from what the target keeps."""
    if ours is not None:
        return ours
    if theirs is None:
        raise InputError("a correction has neither idx_src nor idx_tgt")
    changed = {n for span, _, _ in spans if span for n in range(*span)}
    written = {n for _, span, _ in spans if span for n in range(*span)}
    kept_before = sum(n not in written for n in range(theirs[0]))
    unchanged = [n for n in range(source) if n not in changed]
    place = unchanged[kept_before - 1] + 1 if kept_before else 0
    # Replacements between the last kept token and the insertion come first.
    ends = [s[1] for s, t, _ in spans if s and t and t[1] <= theirs[0]]
    return (at := max([place, *ends]), at)
