"""The keys of the rule language as tables: each says how it is compiled, how it looks and what it means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext
from jperrant.edits.values import Values

Side = Sequence[Token]
TokenTest = Callable[[EditContext, Token], bool]
SideTest = Callable[[EditContext, Side], bool]


class Entry(NamedTuple):
    """A key of the rule language: how it is compiled, how it looks and what it means."""

    compile: Callable[..., Callable[..., bool]]
    example: str
    doc: str


class TokenCompiler(Protocol):
    """What compiles tests of tokens inside other tests."""

    values: Values

    def tokens(self, where: str, value: object) -> TokenTest:
        """Compile a mapping of tests of one token, all of which must pass."""
        ...
