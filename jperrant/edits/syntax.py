"""Tests of a token by its place in the tree: heads and dependents, agreement, and position in the clause.

What reads heads and relations raises ``NeedsParse`` where a sentence is still to be parsed.
Relations are UD's own, without subtypes; what a pack renames under ``deprels`` does not change them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from jperrant.core.errors import PackError, nearest
from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, features
from jperrant.edits.values import FEATURE, KeyTable, TokenCompiler, TokenTest, as_mapping, is_punctuation_mark

#: Relations of the head of a clause to what the clause depends on. Source: Universal Dependencies 2, clauses.
_CLAUSES = frozenset(["root", "csubj", "ccomp", "xcomp", "advcl", "acl", "parataxis"])
_SUBJECTS = frozenset(["nsubj", "csubj"])
#: Words that have the subject of their head for theirs.
_WITH_HEAD = frozenset(["aux", "cop"])
#: Dependents of a clause's head that are no constituents of it: they stand before it, or are no words.
_NO_CONSTITUENTS = frozenset(["punct", "cc", "mark"])


class Tree:
    """A parsed sentence as a tree.

    Args:
        tokens: Its tokens, whose heads are known.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.heads = [token.head for token in tokens]
        self.relations = [token.deprel.partition(":")[0] for token in tokens]

    @property
    def known(self) -> bool:
        """Whether every token has a head."""
        return None not in self.heads

    def children(self, place: int) -> list[int]:
        """Return the places of the dependents of a token, in text order."""
        return [n for n, head in enumerate(self.heads) if head == place + 1]

    def subject(self, place: int) -> int | None:
        """Return the place of the subject of a predicate, auxiliary or copula, or None."""
        head = self.heads[place]
        if self.relations[place] in _WITH_HEAD and head:
            place = head - 1
        return next((n for n in self.children(place) if self.relations[n] in _SUBJECTS), None)

    def with_relation(self, place: int, relations: frozenset[str]) -> list[int]:
        """Return the places of the dependents with one of some relations, subtypes given or left out."""
        return [
            n for n in self.children(place)
            if self.relations[n] in relations or self.tokens[n].deprel in relations
        ]  # fmt: skip

    def clause(self, place: int) -> int:
        """Return the place of the head of the clause in which a token stands."""
        for step in self._up(place):
            place = step
            if self._heads_clause(step):
                break
        return place

    def clause_tokens(self, place: int) -> list[int]:
        """Return the places of the words of a token's clause; those of clauses inside it belong to these."""
        clause = self.clause(place)
        return [
            n for n in range(len(self.tokens)) if self.relations[n] != "punct" and self.clause(n) == clause
        ]

    def constituent_number(self, place: int) -> int:
        """Return which constituent of its clause a token is in, counted from 1.

        Conjunctions and punctuation are none, so that a finite verb in second place has the number 2.
        """
        clause = self.clause(place)
        tops = self._constituents(clause)
        starts: dict[int, int] = {}
        for n, top in enumerate(tops):
            if top is not None and self.relations[n] != "punct":
                starts.setdefault(top, n)
        counted = [
            start for top, start in starts.items()
            if top == clause or (self.relations[top] not in _NO_CONSTITUENTS and self.relations[top] != "conj")
        ]  # fmt: skip
        own = tops[place]
        first = starts.get(place if own is None else own, place)
        return 1 + sum(start < first for start in counted)

    def _constituents(self, clause: int) -> list[int | None]:
        """Return for each token the dependent of a clause's head that it hangs below; the head itself is one."""
        tops: list[int | None] = []
        for n in range(len(self.tokens)):
            top, found = n, n == clause
            for step in self._up(n):
                if step == clause:
                    found = True
                    break
                top = step
            tops.append(top if found else None)
        return tops

    def _heads_clause(self, place: int) -> bool:
        relation = self.relations[place]
        if relation == "conj":  # a clause if it is joined to one
            head = self.heads[place]
            return bool(head) and self._heads_clause(head - 1 if head else 0) and self._is_predicate(place)
        return relation in _CLAUSES

    def _is_predicate(self, place: int) -> bool:
        below = {self.relations[n] for n in self.children(place)}
        return self.tokens[place].upos in ("VERB", "AUX") or not below.isdisjoint(_SUBJECTS | _WITH_HEAD)

    def _up(self, place: int) -> Iterator[int]:
        """Yield a token's place and those above it, up to the root; each once, also in a circle."""
        seen: set[int] = set()
        while place not in seen:
            seen.add(place)
            yield place
            head = self.heads[place]
            if not head:
                return
            place = head - 1


#: With which other token a token agrees, if not with dependents of some relations.
_PARTNERS = ("head", "subject")
_Partners = Callable[[EditContext, Token], list[Token]]
_PLACES = ("first", "last")
_UNITS = ("sentence", "clause")

#: Tests that need to know the sentence's tree.
SYNTAX_TESTS = KeyTable()


@SYNTAX_TESTS.key("head: {upos: NOUN}")
def _head(compiler: TokenCompiler, value: object) -> TokenTest:
    """The token's head passes these tests (requires parsing, like `deprel`)."""
    test = compiler.tokens("head", value)

    def head(view: EditContext, token: Token) -> bool:
        governor = view.head(token)
        return governor is not None and test(view, governor)

    return head


@SYNTAX_TESTS.key("dependent: {deprel: aux}")
def _dependent(compiler: TokenCompiler, value: object) -> TokenTest:
    """One of the token's dependents passes these tests (requires parsing)."""
    test = compiler.tokens("dependent", value)
    return lambda view, token: any([test(view, other) for other in view.dependents(token)])


@SYNTAX_TESTS.key("subject: {feats: {Number: Plur}}")
def _subject(compiler: TokenCompiler, value: object) -> TokenTest:
    """The token is a predicate, auxiliary or copula whose subject passes these tests (requires parsing)."""
    test = compiler.tokens("subject", value)
    return lambda view, token: any([test(view, other) for other in _subjects(view, token)])


@SYNTAX_TESTS.key("agrees: {with: head, in: [Gender, Number]}")
def _agrees(compiler: TokenCompiler, value: object) -> TokenTest:
    """The token and its `head`, its `subject` or a dependent (`{dependent: [det, amod]}`) share a value of each of
    these features (requires parsing).
    """
    return _compared(compiler, "agrees", value, lambda shared: all([one is True for one in shared]))


@SYNTAX_TESTS.key("disagrees: {with: subject, in: Number}")
def _disagrees(compiler: TokenCompiler, value: object) -> TokenTest:
    """Both have one of these features, and share no value of it (requires parsing); a feature that one of them
    lacks neither agrees nor disagrees.
    """
    return _compared(compiler, "disagrees", value, lambda shared: any([one is False for one in shared]))


def _compared(
    compiler: TokenCompiler, key: str, value: object, fits: Callable[[list[bool | None]], bool]
) -> TokenTest:
    """Compile a test of which features a token shares with one of those that it is compared with.

    Raises:
        PackError: The value is not ``{with: …, in: …}``.
    """
    keys = as_mapping(value, key)
    for name in keys:
        if name not in ("with", "in"):
            raise PackError(
                f"{key}: unknown key {name!r}{nearest(name, ('with', 'in'))}; expected with and in"
            )
    if len(keys) != 2:
        raise PackError(f"{key}: found {dict(keys)!r}, expected {{with: head, in: [Gender, Number]}}")
    partners, names = _partners(compiler, key, keys["with"]), _feature_names(compiler, key, keys["in"])

    def compared(view: EditContext, token: Token) -> bool:
        own = features(token.feats)
        others = [features(other.feats) for other in partners(view, token)]
        return any([fits([_shared(own, other, name) for name in names]) for other in others])

    return compared


def _shared(own: Mapping[str, str], other: Mapping[str, str], name: str) -> bool | None:
    """Return whether two tokens have a value of a feature in common; None where one of them has no value."""
    if name not in own or name not in other:
        return None
    return not set(own[name].split(",")).isdisjoint(other[name].split(","))


def _feature_names(compiler: TokenCompiler, key: str, value: object) -> list[str]:
    """Return names of features, each of which the pack's language has.

    Raises:
        PackError: The key ``inflection`` does not have one; names the nearest.
    """
    names, known = list(compiler.values.strings(value)), compiler.values.closed.get(FEATURE)
    for name in names:
        if known is not None and name not in known:
            raise PackError(
                f"{key}: the language has no feature {name!r}{nearest(name, known)}; features under the key "
                "inflection: "
                f"{', '.join(sorted(known))}"
            )
    return names


def _partners(compiler: TokenCompiler, key: str, value: object) -> _Partners:
    if value == "head":
        return lambda view, token: [head] if (head := view.head(token)) is not None else []
    if value == "subject":
        return _subjects
    if isinstance(value, Mapping) and list(value) == ["dependent"]:
        relations = frozenset(compiler.values.strings(value["dependent"]))
        return partial(_with_relation, relations=relations)
    known = [*_PARTNERS, "{dependent: RELATION}"]
    raise PackError(
        f"{key}: with: found {value!r}, expected one of {', '.join(known)}{nearest(str(value), _PARTNERS)}"
    )


def _with_relation(view: EditContext, token: Token, relations: frozenset[str]) -> list[Token]:
    tree, place = _located(view, token)
    return [tree.tokens[n] for n in tree.with_relation(place, relations)] if tree.known else []


def _subjects(view: EditContext, token: Token) -> list[Token]:
    tree, place = _located(view, token)
    subject = tree.subject(place) if tree.known else None
    return [] if subject is None else [tree.tokens[subject]]


def _located(view: EditContext, token: Token) -> tuple[Tree, int]:
    tokens = view.sentence_of(token).tokens
    return Tree(tokens), next(n for n, other in enumerate(tokens) if other is token)


@SYNTAX_TESTS.key("constituent: 2")
def _constituent(compiler: TokenCompiler, value: object) -> TokenTest:
    """The token is in this constituent of its clause, counted from 1 without conjunctions: a finite verb in
    second place has 2; see numbers (requires parsing).
    """
    number = compiler.values.number(value)

    def constituent(view: EditContext, token: Token) -> bool:
        tree, place = _located(view, token)
        return tree.known and number(tree.constituent_number(place))

    return constituent


@SYNTAX_TESTS.key("position: {first: clause}")
def _position(_: TokenCompiler, value: object) -> TokenTest:
    """The token is the `first` or `last` word of its `clause` (requires parsing) or `sentence`, ignoring
    punctuation.
    """
    keys = as_mapping(value, "position")
    if len(keys) != 1 or next(iter(keys)) not in _PLACES or next(iter(keys.values())) not in _UNITS:
        raise PackError(f"position: found {dict(keys)!r}, expected for example {{first: clause}}")
    ((end, unit),) = keys.items()
    edge = 0 if end == "first" else -1

    def position(view: EditContext, token: Token) -> bool:
        if unit == "sentence":
            words = [other for other in view.sentence_of(token).tokens if not is_punctuation_mark(other)]
            return bool(words) and words[edge] is token
        tree, place = _located(view, token)
        return tree.known and tree.clause_tokens(place)[edge:][:1] == [place]

    return position
