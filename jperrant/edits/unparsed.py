"""Sentences whose dependencies are not known yet: reading one raises, so that no rule can go on without it.

A type must not depend on whether another edit has had the sentence parsed. So rules and hooks never see the tokens
of a sentence that is still to be parsed, but tokens that look the same and raise ``NeedsParse`` where a head, or a
relation that is not given, is read. Whoever asked for the type parses the sentence and asks again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

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


#: Where the relation is among the fields, past ``UnparsedToken``'s property.
_RELATION = Token._fields.index("deprel")


class UnparsedToken(Token):
    """A token of a sentence that is still to be parsed; make it with ``unparsed``.

    Whatever needs the head asks for a parse: also comparing, hashing and copying the token.
    """

    __slots__ = ()

    def _ask(self, *_: object) -> NoReturn:
        """Ask for a parse.

        Raises:
            NeedsParse: Always.
        """
        raise NeedsParse(self)

    head = property(_ask)
    __iter__ = __getitem__ = __eq__ = __ne__ = __hash__ = _ask

    @property
    def deprel(self) -> str:
        """The relation, if it is given; a parse leaves that as it is.

        Raises:
            NeedsParse: It is not given.
        """
        relation = given_relation(self)
        if not relation:
            raise NeedsParse(self)
        return relation

    def __repr__(self) -> str:
        return f"UnparsedToken({self.form!r})"


class TaggedToken(UnparsedToken):
    """A token of a sentence that a parser reads with these very tags."""

    __slots__ = ()


def unparsed(sentence: Sentence) -> Sentence:
    """Return a sentence whose tokens raise ``NeedsParse`` where their dependencies are read."""
    # A sentence in which a tag is missing, or stands for those of several words, is tagged again to be parsed.
    tagged = all([t.upos and not t.words for t in sentence.tokens])
    kind = TaggedToken if tagged else UnparsedToken
    return Sentence(tuple(map(kind._make, sentence.tokens)), sentence.text, sentence.id)


def given_relation(token: UnparsedToken) -> str:
    """Return the relation that is given to a token, an empty string where none is; asks for nothing."""
    return str(tuple.__getitem__(token, _RELATION))


def with_relations(parsed: Sentence, original: Sentence) -> Sentence:
    """Return a parsed sentence with the relations that were given before it was parsed."""
    if not any([token.deprel for token in original.tokens]):
        return parsed
    pairs = zip(parsed.tokens, original.tokens, strict=True)
    tokens = [token._replace(deprel=before.deprel or token.deprel) for token, before in pairs]
    return replace(parsed, tokens=tuple(tokens))
