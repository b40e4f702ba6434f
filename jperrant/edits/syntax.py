"""Tests of a token by its place in the tree: heads and dependents, agreement, and position in the clause.

Reading a head or relation of a sentence that is not parsed yet raises ``NeedsParse``. Relations are those of UD
without subtypes; the names that a pack gives them under ``deprels`` are not used here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, agree, features
from jperrant.edits.rule_parts import KeyTable, Number, TokenTest, is_punctuation_mark

#: Relations with which the head of a clause attaches to its own head. Source: Universal Dependencies 2,
#: clauses.
_CLAUSES = frozenset(["root", "csubj", "ccomp", "xcomp", "advcl", "acl", "parataxis"])
_SUBJECTS = frozenset(["nsubj", "csubj"])
#: Relations of words whose subject is the subject of their head.
_WITH_HEAD = frozenset(["aux", "cop"])
#: Dependents of a clause's head that do not count as constituents: punctuation, conjunctions and conjuncts.
_NO_CONSTITUENTS = frozenset(["punct", "cc", "mark", "conj"])


#: Partners in agreement that a rule names by one word; it may name relations of dependents instead.
PARTNERS = ("head", "subject")
#: Units of which a token can be the first or last word.
UNITS = ("clause", "sentence")
Partners = str | frozenset[str]
Features = Sequence[str]
Unit = str


class Tree:
    """A token in the tree of its sentence.

    Args:
        view: An edit; the token is in its source or its target sentence.
        token: The token.
    """

    def __init__(self, view: EditContext, token: Token) -> None:
        self.tokens, self.place = _located(view, token)
        self.heads = [token.head for token in self.tokens]
        self.relations = [token.deprel.partition(":")[0] for token in self.tokens]

    @property
    def known(self) -> bool:
        """Whether every token has a head."""
        return None not in self.heads

    def children(self, place: int) -> list[int]:
        """Return the positions of a token's dependents, in text order."""
        return [n for n, head in enumerate(self.heads) if head == place + 1]

    def head(self) -> list[Token]:
        """Return the head of the token as a list; empty for a root or an unknown head."""
        head = self.heads[self.place]
        return [self.tokens[head - 1]] if head else []

    def dependents(self, relations: Partners = "") -> list[Token]:
        """Return the dependents of the token, or only those with given relations, with or without subtypes."""
        children = self.children(self.place)
        return [
            self.tokens[n] for n in children
            if not relations or self.relations[n] in relations or self.tokens[n].deprel in relations
        ]  # fmt: skip

    def subjects(self) -> list[Token]:
        """Return the first subject of a predicate, auxiliary or copula as a list; empty without a subject."""
        place, head = self.place, self.heads[self.place]
        if self.relations[place] in _WITH_HEAD and head:
            place = head - 1
        return [self.tokens[n] for n in self.children(place) if self.relations[n] in _SUBJECTS][:1]

    def clause(self, place: int) -> int:
        """Return the position of the head of the clause that contains a token."""
        for step in self._up(place):
            place = step
            if self._heads_clause(step):
                break
        return place

    def clause_tokens(self) -> list[Token]:
        """Return the words of the token's clause, without the words of embedded clauses."""
        clause, words = (
            self.clause(self.place),
            [n for n, name in enumerate(self.relations) if name != "punct"],
        )
        return [self.tokens[n] for n in words if self.clause(n) == clause]

    def constituent_number(self) -> int:
        """Return the number of the constituent that the token is in, counted from 1 within its clause.

        Conjunctions and punctuation do not count, so a finite verb in second place has the number 2.
        """
        clause = self.clause(self.place)
        starts: dict[int, int] = {}
        for n in range(len(self.tokens)):
            top = self._constituent(n, clause)
            if top is not None and self.relations[n] != "punct":
                starts.setdefault(top, n)
        own = self._constituent(self.place, clause)
        first = starts.get(self.place if own is None else own, self.place)
        counted = [top for top in starts if top == clause or self.relations[top] not in _NO_CONSTITUENTS]
        return 1 + sum(starts[top] < first for top in counted)

    def _constituent(self, place: int, clause: int) -> int | None:
        """Return the dependent of the clause's head that dominates a token; None outside the clause.

        For the head itself, this is the head.
        """
        top = place
        for step in self._up(place):
            if step == clause:
                return top
            top = step
        return None

    def _heads_clause(self, place: int) -> bool:
        relation, head = self.relations[place], self.heads[place]
        if relation == "conj" and head:  # a conjunct heads a clause if what it is joined to does
            return self._heads_clause(head - 1) and self._is_predicate(place)
        return relation in _CLAUSES

    def _is_predicate(self, place: int) -> bool:
        below = {self.relations[n] for n in self.children(place)}
        return self.tokens[place].upos in ("VERB", "AUX") or not below.isdisjoint(_SUBJECTS | _WITH_HEAD)

    def _up(self, place: int) -> Iterator[int]:
        """Yield the positions of a token and of its ancestors up to the root; a cycle is walked once."""
        seen: set[int] = set()
        while place not in seen:
            seen.add(place)
            yield place
            head = self.heads[place]
            if not head:
                return
            place = head - 1


def _located(view: EditContext, token: Token) -> tuple[Sequence[Token], int]:
    """Return the tokens of the sentence that contains a token, and the token's position."""
    sentences = view.source_sentence.tokens, view.target_sentence.tokens
    return next((tokens, n) for tokens in sentences for n, other in enumerate(tokens) if other is token)


#: Tests that need the dependency tree of the sentence.
SYNTAX_TESTS = KeyTable()


@SYNTAX_TESTS.key("head: {upos: NOUN}")
def _head(test: TokenTest, view: EditContext, token: Token) -> bool:
    """The token's head passes these tests (requires parsing, like `deprel`)."""
    return any([test(view, other) for other in Tree(view, token).head()])


@SYNTAX_TESTS.key("dependent: {deprel: aux}")
def _dependent(test: TokenTest, view: EditContext, token: Token) -> bool:
    """One of the token's dependents passes these tests (requires parsing)."""
    return any([test(view, other) for other in Tree(view, token).dependents()])


@SYNTAX_TESTS.key("agrees: {with: head, in: [Gender, Number]}", with_=..., in_=...)
def _agrees(with_: Partners, in_: Features, view: EditContext, token: Token) -> bool:
    """The token shares a value of each of these features with its `head`, `subject` or a dependent.

    Dependents are chosen by relation: `{dependent: [det, amod]}`. Requires parsing.
    """
    return _compared(view, token, with_, in_, lambda shared: all([one is True for one in shared]))


@SYNTAX_TESTS.key("disagrees: {with: subject, in: Number}", with_=..., in_=...)
def _disagrees(with_: Partners, in_: Features, view: EditContext, token: Token) -> bool:
    """The token and its partner both have one of these features and share no value of it.

    A feature that one of them lacks neither agrees nor disagrees. Requires parsing.
    """
    return _compared(view, token, with_, in_, lambda shared: any([one is False for one in shared]))


def _compared(
    view: EditContext,
    token: Token,
    partners: Partners,
    names: Features,
    fits: Callable[[list[bool | None]], bool],
) -> bool:
    """Whether the agreement of a token with some partner passes a test.

    The test gets one value for each feature: whether the two agree, or None where one of them lacks the
    feature.
    """
    tree = Tree(view, token)
    others = {"head": tree.head, "subject": tree.subjects}.get(
        str(partners), lambda: tree.dependents(partners)
    )()
    pairs = [(features(token.feats), features(other.feats)) for other in others]
    return any([
        fits([agree(own[name], other[name]) if name in own and name in other else None for name in names])
        for own, other in pairs
    ])  # fmt: skip


@SYNTAX_TESTS.key("constituent: 2")
def _constituent(number: Number, view: EditContext, token: Token) -> bool:
    """The token is in the constituent of its clause with this number; see numbers.

    Constituents are counted from 1 without conjunctions: a finite verb in second place has 2. Requires parsing.
    """
    tree = Tree(view, token)
    return tree.known and number(tree.constituent_number())


@SYNTAX_TESTS.key("position: {first: clause}", first="", last="")
def _position(first: Unit, last: Unit, view: EditContext, token: Token) -> bool:
    """The token is the `first` or `last` word of its `clause` or `sentence`, ignoring punctuation.

    `clause` requires parsing.
    """
    return _is_at(0, first, view, token) and _is_at(-1, last, view, token)


def _is_at(place: int, unit: Unit, view: EditContext, token: Token) -> bool:
    if not unit:
        return True
    if unit == "clause":
        tree = Tree(view, token)
        words = tree.clause_tokens() if tree.known else []
    else:
        words = [other for other in _located(view, token)[0] if not is_punctuation_mark(other)]
    return bool(words) and words[place] is token
