"""The correction of an edit as one text that people can read and change in a tool.

It is the correction field of M2: tokens separated by spaces, empty for a deletion, ``||`` between alternatives.
"""

from __future__ import annotations

from jperrant.core.m2_format import DETECTION_TYPES, NONE, UNKNOWN, alternatives_of
from jperrant.core.values import Edit

#: The operation that removes tokens: a type that begins so needs no correction to be a deletion.
UNNECESSARY = "U:"


def correction_text(edit: Edit) -> str | None:
    """Return the correction of an edit as text; None if it has none.

    >>> correction_text(Edit(1, 2, ("is",), "R:VERB", alternatives=(("was",),)))
    'is||was'
    >>> correction_text(Edit(1, 2, (), "U:DET")), correction_text(Edit(1, 2, None, "UNK"))
    ('', None)
    """
    if edit.correction is None:
        return None
    return "||".join([" ".join(tokens) for tokens in (edit.correction, *edit.alternatives)])


def lasting_text(edit: Edit) -> str | None:
    """Return the correction of an edit as text for a tool whose fields cannot be empty; None for no field.

    A deletion whose type does not say that it is one becomes ``-NONE-``, as in other tools' M2. A detection edit
    with an empty correction has none.

    >>> lasting_text(Edit(1, 2, (), "U:DET")), lasting_text(Edit(1, 2, (), "R:OTHER"))
    (None, '-NONE-')
    """
    text = correction_text(edit)
    if text or text is None:
        return text
    return None if edit.type.startswith(UNNECESSARY) or edit.type in DETECTION_TYPES else NONE


def edit_of(start: int, end: int, type_: str, correction: str | None) -> Edit:
    """Return the edit that a type and the text of a correction stand for.

    Without a correction (None) it is a deletion if the type begins with ``U:``, else a detection edit; M2 can hold
    that only as ``UNK`` or ``Um``, so any other type is lost (``loses_type``).

    >>> edit_of(1, 2, "R:OTHER", "-NONE-").correction, edit_of(1, 2, "R:OTHER", None).type
    ((), 'UNK')
    """
    if loses_type(type_, correction):
        return Edit(start, end, None, UNKNOWN)
    if type_ in DETECTION_TYPES and correction in (None, NONE):
        return Edit(start, end, None, type_)
    if not correction or correction == NONE:
        return Edit(start, end, (), type_)
    first, *others = alternatives_of(correction)
    return Edit(start, end, first, type_, alternatives=tuple(others))


def loses_type(type_: str, correction: str | None) -> bool:
    """Whether a mark has no correction and a type that M2 allows only with one."""
    return correction is None and not type_.startswith(UNNECESSARY) and type_ not in DETECTION_TYPES


def replacement(type_: str, correction: str | None) -> str | None:
    """Return the text that a mark puts in place of what it covers; None if it only marks an error.

    >>> replacement("U:DET", None), replacement("R:OTHER", "-NONE-"), replacement("UNK", "a remark")
    ('', '', None)
    """
    if type_ in DETECTION_TYPES or loses_type(type_, correction):
        return None
    return "" if correction in (None, NONE) else correction
