"""Names that an export gives to annotators, and that an import knows again."""

from __future__ import annotations

import re

_OWN = re.compile(r"annotator(0|[1-9][0-9]{0,8})\Z")


def annotator_folder(annotator: int) -> str:
    """Return the name of an annotator's folder or file.

    >>> annotator_folder(1)
    'annotator1'
    """
    return f"annotator{annotator}"


def annotator_of(name: str) -> str:
    """Return the annotator whose folder or file has a name: the number, if the export gave it, else the name.

    >>> annotator_of("annotator1"), annotator_of("maria")
    ('1', 'maria')
    """
    match = _OWN.match(name)
    return match[1] if match else name
