"""Sentences whose dependencies are not known yet: reading one raises, so that no rule can go on without it.

A type must not depend on whether another edit has had the sentence parsed. So rules and hooks never see the tokens
of a sentence that is still to be parsed, but tokens that look the same and raise ``NeedsParse`` where a head, or a
relation that is not given, is read. Whoever asked for the type parses the sentence and asks again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

from jperrant.core.values import Sentence, Token


class NeedsParse(BaseException):
    """The dependency of a token was read whose sentence is still to be parsed.

    Not an ``Exception``, as ``GeneratorExit`` is none: a hook with ``except Exception`` must not swallow it.

    Attributes:
        token: The token.
    """

    def __init__(self, token: Token) -> None:
        self.token = token
        super().__init__()


#: The fields of a token, with what reads and sets their slots past ``UnparsedToken``'s properties.
_SLOTS: dict[str, Any] = {name: Token.__dict__[name] for name in Token.__slots__}
_COPIED = [slot for name, slot in _SLOTS.items() if name != "head"]
_RELATION = _SLOTS["deprel"]


class UnparsedToken(Token):
    """A token of a sentence that is still to be parsed; make it with ``unparsed``.

    Whatever needs the head asks for a parse: also comparing, hashing and copying the token.
    """

    __slots__ = ()

    @property
    def head(self) -> NoReturn:
        """Ask for a parse.

        Raises:
            NeedsParse: Always.
        """
        raise NeedsParse(self)

    @property
    def deprel(self) -> str:
        """The relation, if it is given; a parse leaves that as it is.

        Raises:
            NeedsParse: It is not given.
        """
        relation: str = _RELATION.__get__(self)
        if not relation:
            raise NeedsParse(self)
        return relation

    def __repr__(self) -> str:
        return f"UnparsedToken({self.form!r})"


def unparsed(sentence: Sentence) -> Sentence:
    """Return a sentence whose tokens raise ``NeedsParse`` where their dependencies are read."""
    tokens = []
    for token in sentence.tokens:
        copy = object.__new__(UnparsedToken)
        for slot in _COPIED:
            slot.__set__(copy, slot.__get__(token))
        tokens.append(copy)
    return Sentence(tuple(tokens), sentence.text, sentence.id)


def with_relations(parsed: Sentence, original: Sentence) -> Sentence:
    """Return a parsed sentence with the relations that were given before it was parsed."""
    if not any([token.deprel for token in original.tokens]):
        return parsed
    pairs = zip(parsed.tokens, original.tokens, strict=True)
    tokens = [replace(token, deprel=before.deprel or token.deprel) for token, before in pairs]
    return replace(parsed, tokens=tuple(tokens))
