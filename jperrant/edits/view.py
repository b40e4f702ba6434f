"""An edit as rules see it: its tokens on both sides, and what the pack says of a token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import Levenshtein

from jperrant.data import Sentence, Span, Token


class NeedsParse(Exception):
    """A rule asked for the dependency of a token whose sentence has not been parsed yet."""

    def __init__(self, token: Token) -> None:
        self.token = token
        super().__init__()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a pack says of single tokens.

    Attributes:
        classes: Word class by XPOS tag, in the pack's own names.
        upos_classes: Word class by UPOS tag, for tokens whose XPOS tag is not in ``classes``.
        deprels: The rules' name of a dependency relation, by ``relation`` or ``relation/XPOS``, the longer
            key first. Relations not listed keep their names.
        lexicon: Known words, or None where the pack has no list.
    """

    classes: Mapping[str, str] = field(default_factory=dict)
    upos_classes: Mapping[str, str] = field(default_factory=dict)
    deprels: Mapping[str, str] = field(default_factory=dict)
    lexicon: frozenset[str] | None = None

    def word_class(self, token: Token) -> str:
        """Return the word class rules speak of."""
        return self.classes.get(token.xpos) or self.upos_classes.get(token.upos, token.upos)

    def deprel(self, token: Token) -> str:
        """Return the dependency relation rules speak of."""
        relation = token.deprel
        found = self.deprels.get(f"{relation}/{token.xpos}")
        return found if found is not None else self.deprels.get(relation, relation)

    def knows(self, form: str) -> bool:
        """Whether the form or its lower-cased form is in the lexicon; True where there is none."""
        return self.lexicon is None or form in self.lexicon or form.lower() in self.lexicon


class EditView:
    """One edit while rules are tried on it.

    Attributes:
        source, target: The edit's tokens on both sides, as far as rules look at them.
        operation: ``M`` (nothing on the source side), ``U`` (nothing on the target side) or ``R``.
        source_sentence, target_sentence: The sentences they stand in.
        span: Where the whole edit stands.
        vocabulary: What the pack says of tokens.
        parsable: Whether a sentence without dependencies can still be parsed.
    """

    __slots__ = (
        "operation", "parsable", "source", "source_sentence", "span", "target", "target_sentence", "vocabulary",
    )  # fmt: skip

    def __init__(
        self, source: Sentence, target: Sentence, span: Span, vocabulary: Vocabulary, parsable: bool = False
    ) -> None:
        self.source_sentence, self.target_sentence, self.span = source, target, span
        self.source: Sequence[Token] = source.tokens[span.start : span.end]
        self.target: Sequence[Token] = target.tokens[span.target_start : span.target_end]
        self.operation = _operation(self.source, self.target)
        self.vocabulary, self.parsable = vocabulary, parsable

    @property
    def text(self) -> str:
        """The source words of the whole edit, also where rules look at less of it."""
        tokens = self.source_sentence.tokens[self.span.start : self.span.end]
        return " ".join([t.form for t in tokens]) if len(tokens) != 1 else tokens[0].form

    @property
    def target_text(self) -> str:
        """The target words of the whole edit."""
        tokens = self.target_sentence.tokens[self.span.target_start : self.span.target_end]
        return " ".join([t.form for t in tokens]) if len(tokens) != 1 else tokens[0].form

    @property
    def one_to_one(self) -> bool:
        """Whether one token stands for one other."""
        return len(self.source) == len(self.target) == 1

    def drop_last(self) -> None:
        """Look at the edit without its last token on both sides from now on."""
        self.source, self.target = self.source[:-1], self.target[:-1]
        self.operation = _operation(self.source, self.target)

    def deprel(self, token: Token) -> str:
        """Return the relation of a token, asking for a parse where there is none.

        Raises:
            NeedsParse: The sentence has not been parsed and can be.
        """
        if token.head is None and not token.deprel and self.parsable:  # a relation alone may be given
            raise NeedsParse(token)
        return self.vocabulary.deprel(token)

    def similarity(self) -> float:
        """Return the Levenshtein similarity of the lower-cased texts, in [0, 1]."""
        source, target = "".join([t.form for t in self.source]), "".join([t.form for t in self.target])
        return Levenshtein.normalized_similarity(source.lower(), target.lower())


def _operation(source: Sequence[Token], target: Sequence[Token]) -> str:
    return ("R" if target else "U") if source else "M"
