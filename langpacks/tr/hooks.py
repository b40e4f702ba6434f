"""What the Turkish pack cannot say in YAML: which capital letter belongs to which small one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext

#: The dotted and the dotless i are letters of their own, capital and small; Python's are those of other languages.
_LOWER = str.maketrans("Iİ", "ıi")


def caseless(_: EditContext, token: Token) -> str:
    """Return a form in lower case: Irak is ırak, İstanbul is istanbul."""
    return token.form.translate(_LOWER).lower()


PROPERTIES: Mapping[str, Callable[[EditContext, Token], str]] = {"caseless": caseless}
