"""An edit as rules see it: the tokens of both sides, their properties in the pack, and their parse.

A type must not depend on whether another edit has had the sentence parsed. So rules and hooks never see the tokens
of a sentence that is still to be parsed, but tokens that look the same and raise ``NeedsParse`` where a head, or a
relation that is not given, is read. Whoever asked for the type parses the sentence and asks again.

Features with a value on both sides, and not the same one, are what changed. A feature that one side
lacks usually comes along with another change (an infinitive has no person, a Russian past tense no person but a
gender), so those count only where no feature with a name changed its value. Values given as alternatives
(``Case=Acc,Dat``) agree with each of them. Changes that a pack gives one name are one change; changes with several
names cannot be compared, and the inflection is ``FORM``, as it is where nothing that has a name changed.
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


class TaggedToken(UnparsedToken):
    """A token of a sentence that a parser reads with these very tags."""

    __slots__ = ()


def unparsed(sentence: Sentence) -> Sentence:
    """Return a sentence whose tokens raise ``NeedsParse`` where their dependencies are read."""
    # A sentence in which a tag is missing, or stands for those of several words, is tagged again to be parsed.
    tagged = all([t.upos and not t.words for t in sentence.tokens])
    kind = TaggedToken if tagged else UnparsedToken
    # As ``_make``, which takes three times as long for every token of every sentence.
    return Sentence(tuple(map(partial(tuple.__new__, kind), sentence.tokens)), sentence.text, sentence.id)


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


#: The inflection where there is no better name.
FORM = "FORM"

Names = Mapping[str, str | Mapping[str, str]]


class Difference(NamedTuple):
    """How two sets of features differ.

    Attributes:
        changed: Names of features with different values.
        one_sided: Names of features that only one of them has.
    """

    changed: frozenset[str]
    one_sided: frozenset[str]


def features(feats: str) -> Mapping[str, str]:
    """Return the features of a CoNLL-U field by name; empty for ``_`` and an empty field."""
    return {name: value for name, equals, value in (f.partition("=") for f in feats.split("|")) if equals}


def difference(feats: str, other: str) -> Difference:
    """Return how the features of two tokens differ."""
    first, second = features(feats), features(other)
    changed = [name for name in first.keys() & second.keys() if not agree(first[name], second[name])]
    return Difference(frozenset(changed), frozenset(first.keys() ^ second.keys()))


def agree(value: str, other: str) -> bool:
    """Whether two values share an alternative (``Acc,Dat`` and ``Acc``)."""
    return not set(value.split(",")).isdisjoint(other.split(","))


class Inflection:
    """The names of inflections of one pack.

    Args:
        names: For each feature its name in labels (``Number: NUM``); where it depends on the word class, a mapping
            from class to name, with ``"*"`` for all others.
        labels: The labels of the pack; an inflection whose label is not among them is ``FORM``.
    """

    def __init__(self, names: Names, labels: frozenset[str]) -> None:
        self._names, self._labels = names, labels

    def name(self, word_class: str, feats: str, other: str) -> str:
        """Return the name of the inflection that two tokens of a class differ in."""
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
    """What a pack's ``words`` say of a word: its UPOS tag, lemma and features."""

    upos: str = ""
    lemma: str = ""
    feats: str = ""


#: The class of a word after one of another class, by which forms of one word are told where several are possible.
_LIKELY_AFTER = {"PRON": "VERB", "AUX": "ADJ", "DET": "NOUN", "NUM": "NOUN", "ADP": "NOUN"}
#: Fewest letters of a stem that two forms share.
_SHORTEST_STEM = 2


class ClosedClasses:
    """The words of closed classes that a pack lists, by which edits are typed where no token is tagged.

    Args:
        words: For each UPOS tag its words; or its lemmas, each with its forms, or its forms and their features. A
            form that begins with a hyphen is what follows the lemma.
        contractions: The words that each contraction stands for, with spaces between them.
        endings: For each UPOS tag of open classes, and for features, the endings of forms that have them.
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
            # As with an analysis: a preposition with the features of its article.
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
        """Whether a word is a contraction of others; all but the first may be others of its class (*em o* → *na*).

        Args:
            word, words: In lower case.
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
        """Return two sentences with the analyses that are listed, if the tokens of an edit between them have none.

        Of a word's classes the first holds, but two words that replace each other have one in common if they can:
        *la* is an article, and in *la* → *le* a pronoun. Two words of which one or none is listed are forms of
        one word if their endings are, and the first is in the lexicon, if there is one.
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
            if not chosen:  # of one listed word nothing follows: both are as good as not listed
                before = source.tokens[span.start - 1].form.lower() if span.start else ""
                known = lexicon is None or old[0].form in lexicon or words[0] in lexicon
                forms = self._forms(*words, before) if known else {}
                chosen = forms or dict.fromkeys(words, Analysis())
        return self._tagged(source, chosen), self._tagged(target, chosen)

    def _forms(self, word: str, other: str, before: str) -> dict[str, Analysis]:
        """Return the analyses of two forms of one word, by their endings and the word before them.

        Words that differ in marks only say nothing: they are misspelt as often (*chce*, *chcę*).
        """
        if without_diacritics(word) == without_diacritics(other):
            return {}
        likely = _LIKELY_AFTER.get(self._known.get(before, [Analysis()])[0].upos)
        for upos in sorted(self._endings, key=lambda one: one != likely):
            endings = self._endings[upos]
            for cut in range(Prefix.similarity(word, other), _SHORTEST_STEM - 1, -1):
                pairs = product(endings.get(word[cut:], ()), endings.get(other[cut:], ()))
                if different := [pair for pair in pairs if pair[0] != pair[1]]:
                    # What most readings leave as it is has changed least: kauft → kaufte is a tense.
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
    """Whether a token has no tag, and no parser will give it one."""
    return not token.upos and not isinstance(token, UnparsedToken)


Similarity = Callable[[str, str], float]
Getter = Callable[["EditContext", Token], str]


class Words(Protocol):
    """Known words: a word list, a dictionary, or both; a value that can be a key."""

    def __contains__(self, word: object, /) -> bool: ...

    def __hash__(self) -> int: ...


#: The similarity of two texts, in [0, 1].
levenshtein: Similarity = Levenshtein.normalized_similarity


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a pack says of single tokens.

    Attributes:
        classes: Word class by XPOS tag, in the pack's own names.
        upos_classes: Word class by UPOS tag, for tokens whose XPOS tag is not in ``classes``.
        deprels: The rules' name of a dependency relation, by ``relation`` or ``relation/XPOS``, the longer
            key first. Relations not listed keep their names.
        lexicon: Known words (a word list, a dictionary, or both), or None where the pack has none.
        similarity: The similarity of two lower-cased texts, from 0 to 1.
        inflection: The names of inflections.
        relations_of: The relations that a parser can give to words of a UPOS tag; None where that is not known.
        closed: The words of closed classes, for tokens without tags.
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
        """Return the word class rules speak of."""
        return self.classes.get(token.xpos) or self.upos_classes.get(token.upos, token.upos)

    def deprel(self, token: Token) -> str:
        """Return the dependency relation rules speak of."""
        return self._name(token.deprel, token.xpos)

    def possible_deprels(self, token: Token) -> frozenset[str] | None:
        """Return the relations that rules may find a token to have, parsed or not; None for any."""
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
    """A property of tokens: its name in rules, what reads it, what it is, and whether that is the relation."""

    name: str
    get: Getter
    doc: str = ""
    is_relation: bool = False


class Side(tuple[Token, ...]):
    """The tokens of an edit in one sentence, as far as rules look at them.

    Attributes:
        tokens: All tokens of the sentence.
        start, end: Where the side stands among them.
    """

    tokens: Sequence[Token]
    start: int
    end: int

    @classmethod
    def of(cls, tokens: Sequence[Token], start: int, end: int) -> Side:
        """Return the tokens from one place to another."""
        side = cls(tokens[start:end])
        side.tokens, side.start, side.end = tokens, start, end
        return side

    def values(self, view: EditContext, of: Property) -> frozenset[str]:
        """Return the values that a property has on this side."""
        return frozenset([of.get(view, token) for token in self])

    def joined(self, gap: str = "") -> str:
        """Return its words as one text."""
        return self[0].form if len(self) == 1 else gap.join([token.form for token in self])


class EditContext:
    """One edit while rules are tried on it.

    Where a sentence is still to be parsed its tokens are ``UnparsedToken``: reading a head or relation of them
    raises ``NeedsParse``.

    Attributes:
        source, target: The edit's tokens on both sides, as far as rules look at them.
        operation: ``M`` (nothing on the source side), ``U`` (nothing on the target side) or ``R``.
        source_sentence, target_sentence: The sentences they stand in.
        span: Where the whole edit stands.
        vocabulary: What the pack says of tokens.
        one_to_one: Whether one token stands for one other.
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
        """Look at the edit without its last token on both sides from now on."""
        self._look(*[Side.of(s.tokens, s.start, max(s.start, s.end - 1)) for s in (self.source, self.target)])

    def _look(self, source: Side, target: Side) -> None:
        self.source, self.target = source, target
        self.operation = ("R" if target else "U") if source else "M"
        self.one_to_one = len(source) == len(target) == 1

    def words(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the source and target words of the whole edit, also where rules look at less of it."""
        start, end, target_start, target_end = self.span
        source, target = self.source_sentence.tokens[start:end], self.target_sentence.tokens
        return [t.form for t in source], [t.form for t in target[target_start:target_end]]

    @property
    def text(self) -> str:
        """The source words of the whole edit."""
        return " ".join(self.words()[0])

    @property
    def target_text(self) -> str:
        """The target words of the whole edit."""
        return " ".join(self.words()[1])

    def deprel(self, token: Token) -> str:
        """Return the rules' name of a token's relation; an empty string where none is known.

        Raises:
            NeedsParse: The sentence is still to be parsed.
        """
        return self.vocabulary.deprel(token)

    def may_be(self, tokens: Iterable[Token], test: Callable[[str], bool]) -> bool:
        """Whether the relations of some tokens may pass a test, for ``deprel`` to tell; never asks for a parse."""
        for token in tokens:
            if not isinstance(token, UnparsedToken):
                if not test(self.vocabulary.deprel(token)):
                    return False
            elif (names := self.vocabulary.possible_deprels(token)) is not None and not any(map(test, names)):
                return False
        return True

    def may_share(self, tokens: Iterable[Token]) -> bool:
        """Whether some tokens may all have one relation; never asks for a parse."""
        if not any([isinstance(token, UnparsedToken) for token in tokens]):
            return True
        possible = [self.vocabulary.possible_deprels(token) for token in tokens]
        known = [names for names in possible if names is not None]
        return not known or any(frozenset.intersection(*known))

    def share(self, properties: Iterable[Property], pairs: Sequence[tuple[Token, Token]]) -> bool:
        """Whether both tokens of each pair have the same value of each property, and none lacks it.

        Raises:
            NeedsParse: They may have the same relation, and a sentence is still to be parsed.
        """
        for of in properties:
            if of.is_relation and not all([self.may_share(pair) for pair in pairs]):
                return False
            for one, other in pairs:
                if not of.get(self, one) == of.get(self, other) != "":
                    return False
        return True

    def inflection(self, get_class: Getter | None = None) -> str:
        """Return the name of the inflection in which the last tokens differ; ``FORM`` where a side is empty.

        Args:
            get_class: What gives the word class of a token, if not the vocabulary.
        """
        if not self.source or not self.target:
            return FORM
        last, other = self.source[-1], self.target[-1]
        word_class = self.vocabulary.word_class(other) if get_class is None else get_class(self, other)
        return self.vocabulary.inflection.name(word_class, last.feats, other.feats)

    def changed_features(self) -> frozenset[str]:
        """Return the names of features that differ token by token; none where the sides differ in length."""
        if len(self.source) != len(self.target):
            return frozenset()
        pairs = zip(self.source, self.target, strict=True)
        return frozenset().union(*[names for a, b in pairs for names in difference(a.feats, b.feats)])
