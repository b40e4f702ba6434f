"""An edit as rules see it: the tokens of both sides, their properties in the pack, and their parse.

Sentences are parsed only on demand, and the type of an edit must not depend on whether another edit has
triggered the parse. Rules and hooks therefore see the tokens of an unparsed sentence as ``UnparsedToken``,
which raises ``NeedsParse`` when a head is read, or a relation that the input does not give. The caller then
parses the sentence and classifies the edit again.

The inflection of an edit is named by the features that differ between its sides. A feature counts as changed if
both sides have it with different values. A feature that only one side has often accompanies another change (an
infinitive has no person; a Russian past tense has a gender but no person), so it counts only if no named
feature changed its value. Alternative values (``Case=Acc,Dat``) agree with each of their members. Changed
features that share a name in the pack are one change. If the changes have several names or none, the inflection
is ``FORM``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, Protocol

from rapidfuzz.distance import Levenshtein, Prefix

from jperrant.core.values import Sentence, Span, Token
from jperrant.edits.forms import without_diacritics


class NeedsParse(BaseException):
    """Raised when a dependency of a token is read before its sentence is parsed.

    It derives from ``BaseException``, like ``GeneratorExit``, so that ``except Exception`` in a hook cannot
    swallow it.

    Attributes:
        token: The token.
    """

    def __init__(self, token: Token) -> None:
        self.token = token
        super().__init__()


#: The index of the field ``deprel``: reading a token by it never raises, unlike the property of ``UnparsedToken``.
_RELATION = Token._fields.index("deprel")


class UnparsedToken(Token):
    """A token of a sentence that is not parsed yet; made by ``unparsed``.

    Any access to the head raises ``NeedsParse``; so do comparing, hashing and copying the token.
    """

    __slots__ = ()

    def _ask(self, *_: object) -> NoReturn:
        """Raise ``NeedsParse``.

        Raises:
            NeedsParse: Always.
        """
        raise NeedsParse(self)

    head = property(_ask)
    __iter__ = __getitem__ = __eq__ = __ne__ = __hash__ = _ask

    @property
    def deprel(self) -> str:
        """The relation that the input gives; a parse does not change it.

        Raises:
            NeedsParse: The input gives none.
        """
        relation = given_relation(self)
        if not relation:
            raise NeedsParse(self)
        return relation


class TaggedToken(UnparsedToken):
    """A token of an unparsed sentence whose tags the parser will use as they are."""

    __slots__ = ()


def unparsed(sentence: Sentence) -> Sentence:
    """Return a copy of a sentence whose tokens raise ``NeedsParse`` when a dependency is read."""
    # A sentence in which a token has no tag, or stands for several words, is tagged anew when it is parsed.
    tagged = all([t.upos and not t.words for t in sentence.tokens])
    kind = TaggedToken if tagged else UnparsedToken
    # Equal to ``_make``, in a third of the time; this runs for every token of every sentence.
    return Sentence(tuple(map(partial(tuple.__new__, kind), sentence.tokens)), sentence.text, sentence.id)


def given_relation(token: UnparsedToken) -> str:
    """Return the relation that the input gives a token, or an empty string; never raises ``NeedsParse``."""
    return str(tuple.__getitem__(token, _RELATION))


def with_relations(parsed: Sentence, original: Sentence) -> Sentence:
    """Return a parsed sentence in which relations given by the input replace those of the parser."""
    if not any([token.deprel for token in original.tokens]):
        return parsed
    pairs = zip(parsed.tokens, original.tokens, strict=True)
    tokens = [token._replace(deprel=before.deprel or token.deprel) for token, before in pairs]
    return replace(parsed, tokens=tuple(tokens))


#: The inflection when the changed features have no name, or several.
FORM = "FORM"

Names = Mapping[str, str | Mapping[str, str]]


class Difference(NamedTuple):
    """How two sets of features differ.

    Attributes:
        changed: Names of features that both sets have with different values.
        one_sided: Names of features that only one of the sets has.
    """

    changed: frozenset[str]
    one_sided: frozenset[str]


def features(feats: str) -> Mapping[str, str]:
    """Parse a FEATS field of CoNLL-U into values by feature name; ``_`` and an empty field have none."""
    return {name: value for name, equals, value in (f.partition("=") for f in feats.split("|")) if equals}


def difference(feats: str, other: str) -> Difference:
    """Compare two FEATS fields."""
    first, second = features(feats), features(other)
    changed = [name for name in first.keys() & second.keys() if not agree(first[name], second[name])]
    return Difference(frozenset(changed), frozenset(first.keys() ^ second.keys()))


def agree(value: str, other: str) -> bool:
    """Whether two feature values share an alternative (``Acc,Dat`` and ``Acc``)."""
    return not set(value.split(",")).isdisjoint(other.split(","))


class Inflection:
    """Names the inflection in which two forms differ, as a pack defines it.

    Args:
        names: The name of each feature in labels (``Number: NUM``); if it depends on the word class, a mapping
            from class to name, with ``"*"`` for all other classes.
        labels: The labels of the pack; an inflection without a label of its own is ``FORM``.
    """

    def __init__(self, names: Names, labels: frozenset[str]) -> None:
        self._names, self._labels = names, labels

    def name(self, word_class: str, feats: str, other: str) -> str:
        """Return the name of the inflection in which two FEATS fields differ, for a word class."""
        for differing in difference(feats, other):
            names = {named for feature in differing if (named := self._of(feature, word_class))}
            if len(names) == 1 and f"{word_class}:{next(iter(names))}" in self._labels:
                return names.pop()
            if names:
                break
        return FORM

    def _of(self, feature: str, word_class: str) -> str:
        name = self._names.get(feature, "")
        return name if isinstance(name, str) else name.get(word_class, name.get("*", ""))


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Analysis(NamedTuple):
    """The analysis of a word listed by the pack: UPOS tag, lemma and FEATS."""

    upos: str = ""
    lemma: str = ""
    feats: str = ""


#: The likely UPOS tag of a word by the tag of the word before it; it decides if endings allow several classes.
_LIKELY_AFTER = {"PRON": "VERB", "AUX": "ADJ", "DET": "NOUN", "NUM": "NOUN", "ADP": "NOUN"}
#: The shortest stem that two forms of one word may share, in letters.
_SHORTEST_STEM = 2


class ClosedClasses:
    """The closed-class words of a pack, which give tags to tokens that have none.

    Args:
        words: By UPOS tag: a list of words, or a mapping from lemmas to their forms, or to forms and their
            features. A form that begins with a hyphen is appended to the lemma.
        contractions: The words that each contraction stands for, separated by spaces.
        endings: By UPOS tag of an open class and by FEATS: the endings of forms with these features.
    """

    def __init__(
        self,
        words: Mapping[str, Any] = _NOTHING,
        contractions: Mapping[str, str] = _NOTHING,
        endings: Mapping[str, Mapping[str, Sequence[str]]] = _NOTHING,
    ) -> None:
        self._known: dict[str, list[Analysis]] = {}
        for upos, entries in words.items():
            lemmas = entries if isinstance(entries, Mapping) else {word: [word] for word in entries}
            for lemma, forms in lemmas.items():
                for form in forms:
                    feats = forms[form] if isinstance(forms, Mapping) else ""
                    word = lemma + form[1:] if form.startswith("-") else form
                    self._known.setdefault(word.lower(), []).append(Analysis(upos, lemma, feats))
        self._parts = {word.lower(): parts.lower().split() for word, parts in contractions.items()}
        for word, parts in self._parts.items():
            # A contraction is tagged as parsers do: a preposition with the features of its article.
            first, last = [self._known.get(part, [Analysis(lemma=part)])[0] for part in (parts[0], parts[-1])]
            self._known.setdefault(word, []).append(Analysis(first.upos, first.lemma, last.feats))
        self._endings: dict[str, dict[str, list[str]]] = {}
        for upos, table in endings.items():
            for feats, texts in table.items():
                for text in texts:
                    self._endings.setdefault(upos, {}).setdefault(text.removeprefix("-"), []).append(feats)

    def __bool__(self) -> bool:
        return bool(self._known)

    def contracts(self, word: str, words: Sequence[str]) -> bool:
        """Whether a word is a contraction of other words (*em o* → *no*).

        All of these but the first may be replaced by words of the same class (*em o* → *na*).

        Args:
            word, words: The word and the words it may stand for, in lower case.
        """
        parts = self._parts.get(word, [])
        if not parts or len(parts) != len(words) or parts[0] != words[0]:
            return False
        return all(map(self._alike, parts, words))

    def _alike(self, word: str, other: str) -> bool:
        classes, others = [{one.upos for one in self._known.get(w, ())} for w in (word, other)]
        return word == other or not classes.isdisjoint(others)

    def tagged(
        self, source: Sentence, target: Sentence, span: Span, lexicon: Words | None = None
    ) -> tuple[Sentence, Sentence]:
        """Return two sentences with the listed analyses, if the edit between them has an untagged token.

        A word gets its first listed class, but two words that replace each other get a class they share: *la*
        is an article, but a pronoun in *la* → *le*. If not both words are listed, they are analysed as two
        forms of one word when their endings allow it and the first is in the lexicon (or there is no lexicon).
        """
        old = source.tokens[span.start : span.end]
        new = target.tokens[span.target_start : span.target_end]
        if not any([_is_bare(token) for token in (*old, *new)]):
            return source, target
        chosen: dict[str, Analysis] = {}
        if len(old) == len(new) == 1:
            words = old[0].form.lower(), new[0].form.lower()
            pairs = product(*[self._known.get(word, ()) for word in words])
            best = max(
                pairs, key=lambda two: (two[0].upos == two[1].upos, two[0].lemma == two[1].lemma), default=()
            )
            chosen = dict(zip(words, best, strict=False))
            if not chosen:  # if only one word is listed, both count as not listed
                before = source.tokens[span.start - 1].form.lower() if span.start else ""
                known = lexicon is None or old[0].form in lexicon or words[0] in lexicon
                forms = self._forms(*words, before) if known else {}
                chosen = forms or dict.fromkeys(words, Analysis())
        return self._tagged(source, chosen), self._tagged(target, chosen)

    def _forms(self, word: str, other: str, before: str) -> dict[str, Analysis]:
        """Return the analyses of two forms of one word, chosen by their endings and the preceding word.

        Words that differ only in diacritics get none: they are as often misspelt as inflected (*chce*, *chcę*).
        """
        if without_diacritics(word) == without_diacritics(other):
            return {}
        likely = _LIKELY_AFTER.get(self._known.get(before, [Analysis()])[0].upos)
        for upos in sorted(self._endings, key=lambda one: one != likely):
            endings = self._endings[upos]
            for cut in range(Prefix.similarity(word, other), _SHORTEST_STEM - 1, -1):
                pairs = product(endings.get(word[cut:], ()), endings.get(other[cut:], ()))
                if different := [pair for pair in pairs if pair[0] != pair[1]]:
                    # Prefer the pair of readings that differ least: kauft → kaufte is a change of tense.
                    chosen = max(
                        different, key=lambda pair: len(set.intersection(*[{*f.split("|")} for f in pair]))
                    )
                    return {
                        form: Analysis(upos, word[:cut], f)
                        for form, f in zip((word, other), chosen, strict=True)
                    }
        return {}

    def _tagged(self, sentence: Sentence, chosen: Mapping[str, Analysis]) -> Sentence:
        tokens = []
        for token in sentence.tokens:
            word = token.form.lower()
            if _is_bare(token) and (known := [chosen[word]] if word in chosen else self._known.get(word)):
                upos, lemma, feats = known[0]
                token = token._replace(upos=upos, lemma=token.lemma or lemma, feats=token.feats or feats)
            tokens.append(token)
        return replace(sentence, tokens=tuple(tokens))


def _is_bare(token: Token) -> bool:
    """Whether a token has no tag and will not get one from a parser."""
    return not token.upos and not isinstance(token, UnparsedToken)


Similarity = Callable[[str, str], float]
Getter = Callable[["EditContext", Token], str]


class Words(Protocol):
    """A hashable collection of known words: a word list, a dictionary, or both."""

    def __contains__(self, word: object, /) -> bool: ...

    def __hash__(self) -> int: ...


#: The normalised Levenshtein similarity of two texts, in [0, 1].
levenshtein: Similarity = Levenshtein.normalized_similarity


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The properties that a pack gives to single tokens.

    Attributes:
        classes: Word class by XPOS tag, in the pack's own names.
        upos_classes: Word class by UPOS tag, for tokens whose XPOS tag is not in ``classes``.
        deprels: The name of a dependency relation in rules, by ``relation`` or ``relation/XPOS``; the longer
            key takes precedence. A relation that is not listed keeps its name.
        lexicon: Known words (a word list, a dictionary, or both); None if the pack has none.
        similarity: The similarity of two lower-cased texts, from 0 to 1.
        inflection: The names of inflections.
        relations_of: The relations that a parser can give to words with a UPOS tag; None if unknown.
        closed: The closed-class words, for tokens without tags.
    """

    classes: Mapping[str, str] = field(default_factory=dict)
    upos_classes: Mapping[str, str] = field(default_factory=dict)
    deprels: Mapping[str, str] = field(default_factory=dict)
    lexicon: Words | None = None
    similarity: Similarity = levenshtein
    inflection: Inflection = field(default_factory=lambda: Inflection({}, frozenset()))
    relations_of: Callable[[str], frozenset[str] | None] = lambda _: None
    closed: ClosedClasses = field(default_factory=ClosedClasses)
    _possible: dict[tuple[str, str], frozenset[str] | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def word_class(self, token: Token) -> str:
        """Return the word class of a token, as rules name it."""
        return self.classes.get(token.xpos) or self.upos_classes.get(token.upos, token.upos)

    def deprel(self, token: Token) -> str:
        """Return the dependency relation of a token, as rules name it."""
        return self._name(token.deprel, token.xpos)

    def possible_deprels(self, token: Token) -> frozenset[str] | None:
        """Return the relations that a token has or may get from the parser, as rules name them; None for any."""
        if not isinstance(token, UnparsedToken) or given_relation(token):
            return frozenset([self.deprel(token)])
        if not isinstance(token, TaggedToken):
            return None
        key = token.upos, token.xpos
        if key not in self._possible:
            relations = self.relations_of(token.upos)
            names = None if relations is None else frozenset([self._name(r, token.xpos) for r in relations])
            self._possible[key] = names
        return self._possible[key]

    def _name(self, relation: str, xpos: str) -> str:
        known = self.deprels.get(f"{relation}/{xpos}")
        return known if known is not None else self.deprels.get(relation, relation)

    def knows(self, form: str) -> bool:
        """Whether the form or its lower-cased form is in the lexicon; True if the pack has no lexicon."""
        lexicon = self.lexicon
        if lexicon is None or form in lexicon:
            return True
        if form[1:].islower() and getattr(lexicon, "tries_lower_case", False):
            return False
        return form.lower() in lexicon


class Property(NamedTuple):
    """A property of tokens: its name in rules, its getter, its description, and whether it reads the relation."""

    name: str
    get: Getter
    doc: str = ""
    is_relation: bool = False


class Side(tuple[Token, ...]):
    """The tokens of an edit on one side, without those that ``drop_last`` took away.

    Attributes:
        tokens: All tokens of the sentence.
        start, end: The half-open range of the side among them.
    """

    tokens: Sequence[Token]
    start: int
    end: int

    @classmethod
    def of(cls, tokens: Sequence[Token], start: int, end: int) -> Side:
        """Return the side that covers a half-open range of tokens."""
        side = cls(tokens[start:end])
        side.tokens, side.start, side.end = tokens, start, end
        return side

    def values(self, view: EditContext, of: Property) -> frozenset[str]:
        """Return the set of values that a property has on this side."""
        return frozenset([of.get(view, token) for token in self])

    def joined(self, gap: str = "") -> str:
        """Return the forms of the side joined into one text."""
        return self[0].form if len(self) == 1 else gap.join([token.form for token in self])


class EditContext:
    """One edit and its sentences, as rules and hooks see them.

    The tokens of a sentence that is not parsed yet are ``UnparsedToken``: reading a head or relation raises
    ``NeedsParse``.

    Attributes:
        source, target: The tokens of the edit on both sides, without those that ``drop_last`` took away.
        operation: ``M`` (empty source side), ``U`` (empty target side) or ``R`` (neither empty).
        source_sentence, target_sentence: The sentences that contain them.
        span: The span of the whole edit in both sentences.
        vocabulary: The properties that the pack gives to tokens.
        one_to_one: Whether one token replaces one token.
    """

    __slots__ = (
        "one_to_one", "operation", "source", "source_sentence", "span", "target", "target_sentence", "vocabulary",
    )  # fmt: skip

    def __init__(self, source: Sentence, target: Sentence, span: Span, vocabulary: Vocabulary) -> None:
        if vocabulary.closed:
            source, target = vocabulary.closed.tagged(source, target, span, vocabulary.lexicon)
        self.source_sentence, self.target_sentence, self.span = source, target, span
        self.vocabulary = vocabulary
        start, end, target_start, target_end = span
        self._look(Side.of(source.tokens, start, end), Side.of(target.tokens, target_start, target_end))

    def drop_last(self) -> None:
        """Remove the last token on both sides from what rules see of the edit."""
        self._look(*[Side.of(s.tokens, s.start, max(s.start, s.end - 1)) for s in (self.source, self.target)])

    def _look(self, source: Side, target: Side) -> None:
        self.source, self.target = source, target
        self.operation = ("R" if target else "U") if source else "M"
        self.one_to_one = len(source) == len(target) == 1

    def words(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the source and target words of the whole edit, including dropped tokens."""
        start, end, target_start, target_end = self.span
        source, target = self.source_sentence.tokens[start:end], self.target_sentence.tokens
        return [t.form for t in source], [t.form for t in target[target_start:target_end]]

    @property
    def text(self) -> str:
        """The source words of the whole edit, separated by spaces."""
        return " ".join(self.words()[0])

    @property
    def target_text(self) -> str:
        """The target words of the whole edit, separated by spaces."""
        return " ".join(self.words()[1])

    def deprel(self, token: Token) -> str:
        """Return the dependency relation of a token, as rules name it; empty if unknown.

        Raises:
            NeedsParse: The sentence is not parsed yet.
        """
        return self.vocabulary.deprel(token)

    def may_be(self, tokens: Iterable[Token], test: Callable[[str], bool]) -> bool:
        """Whether the relations of all tokens may pass a test; False is certain. Never raises ``NeedsParse``."""
        for token in tokens:
            if not isinstance(token, UnparsedToken):
                if not test(self.vocabulary.deprel(token)):
                    return False
            elif (names := self.vocabulary.possible_deprels(token)) is not None and not any(map(test, names)):
                return False
        return True

    def may_share(self, tokens: Iterable[Token]) -> bool:
        """Whether all tokens may have the same relation; False is certain. Never raises ``NeedsParse``."""
        if not any([isinstance(token, UnparsedToken) for token in tokens]):
            return True
        possible = [self.vocabulary.possible_deprels(token) for token in tokens]
        known = [names for names in possible if names is not None]
        return not known or any(frozenset.intersection(*known))

    def share(self, properties: Iterable[Property], pairs: Sequence[tuple[Token, Token]]) -> bool:
        """Whether the two tokens of each pair have equal, non-empty values of each property.

        Raises:
            NeedsParse: The relations may be equal, and a sentence is not parsed yet.
        """
        for of in properties:
            if of.is_relation and not all([self.may_share(pair) for pair in pairs]):
                return False
            for one, other in pairs:
                if not of.get(self, one) == of.get(self, other) != "":
                    return False
        return True

    def inflection(self, get_class: Getter | None = None) -> str:
        """Return the name of the inflection in which the last tokens differ; ``FORM`` if a side is empty.

        Args:
            get_class: Returns the word class of a token; default: the vocabulary's.
        """
        if not self.source or not self.target:
            return FORM
        last, other = self.source[-1], self.target[-1]
        word_class = self.vocabulary.word_class(other) if get_class is None else get_class(self, other)
        return self.vocabulary.inflection.name(word_class, last.feats, other.feats)

    def changed_features(self) -> frozenset[str]:
        """Return the features that differ between tokens at the same position of the two sides.

        Empty if the sides have different numbers of tokens.
        """
        if len(self.source) != len(self.target):
            return frozenset()
        pairs = zip(self.source, self.target, strict=True)
        return frozenset().union(*[names for a, b in pairs for names in difference(a.feats, b.feats)])
