"""The hooks of the Turkish pack: lower case with dotted and dotless i."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext

#: In Turkish, I and ı, and İ and i, are pairs of upper and lower case; ``str.lower`` does not know this.
_LOWER = str.maketrans("Iİ", "ıi")


def caseless(_: EditContext, token: Token) -> str:
    """Return a form in Turkish lower case: Irak becomes ırak, İstanbul becomes istanbul."""
    return token.form.translate(_LOWER).lower()


PROPERTIES: Mapping[str, Callable[[EditContext, Token], str]] = {"caseless": caseless}
