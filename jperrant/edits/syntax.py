"""Tests of a token by its place in the tree: heads and dependents, agreement, and position in the clause.

What reads heads and relations raises ``NeedsParse`` where a sentence is still to be parsed.
Relations are UD's own, without subtypes; what a pack renames under ``deprels`` does not change them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, agree, features
from jperrant.edits.values import KeyTable, Number, TokenTest, is_punctuation_mark

#: Relations of the head of a clause to what the clause depends on. Source: Universal Dependencies 2, clauses.
_CLAUSES = frozenset(["root", "csubj", "ccomp", "xcomp", "advcl", "acl", "parataxis"])
_SUBJECTS = frozenset(["nsubj", "csubj"])
#: Words that have the subject of their head for theirs.
_WITH_HEAD = frozenset(["aux", "cop"])
#: Dependents of a clause's head that are no constituents of it: they stand before it, or are no words.
_NO_CONSTITUENTS = frozenset(["punct", "cc", "mark", "conj"])


#: With which other token a token agrees, if not with dependents of some relations.
PARTNERS = ("head", "subject")
#: What a token can be the first or last word of.
UNITS = ("clause", "sentence")
Partners = str | frozenset[str]
Features = Sequence[str]
Unit = str


class Tree:
    """A token in the tree of its sentence.

    Args:
        view: An edit in one of whose sentences it stands.
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
        """Return the places of the dependents of a token, in text order."""
        return [n for n, head in enumerate(self.heads) if head == place + 1]

    def head(self) -> list[Token]:
        """Return the head of the token; none for a root and where none is known."""
        head = self.heads[self.place]
        return [self.tokens[head - 1]] if head else []

    def dependents(self, relations: Partners = "") -> list[Token]:
        """Return the dependents of the token, or those with some relations, subtypes given or left out."""
        children = self.children(self.place)
        return [
            self.tokens[n] for n in children
            if not relations or self.relations[n] in relations or self.tokens[n].deprel in relations
        ]  # fmt: skip

    def subjects(self) -> list[Token]:
        """Return the first subject of the token, which is a predicate, auxiliary or copula; none without one."""
        place, head = self.place, self.heads[self.place]
        if self.relations[place] in _WITH_HEAD and head:
            place = head - 1
        return [self.tokens[n] for n in self.children(place) if self.relations[n] in _SUBJECTS][:1]

    def clause(self, place: int) -> int:
        """Return the place of the head of the clause in which a token stands."""
        for step in self._up(place):
            place = step
            if self._heads_clause(step):
                break
        return place

    def clause_tokens(self) -> list[Token]:
        """Return the words of the token's clause; those of clauses inside it belong to these."""
        clause, words = (
            self.clause(self.place),
            [n for n, name in enumerate(self.relations) if name != "punct"],
        )
        return [self.tokens[n] for n in words if self.clause(n) == clause]

    def constituent_number(self) -> int:
        """Return which constituent of its clause the token is in, counted from 1.

        Conjunctions and punctuation are none, so that a finite verb in second place has the number 2.
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
        """Return the dependent of a clause's head that a token hangs below; the head itself is one."""
        top = place
        for step in self._up(place):
            if step == clause:
                return top
            top = step
        return None

    def _heads_clause(self, place: int) -> bool:
        relation, head = self.relations[place], self.heads[place]
        if relation == "conj" and head:  # a clause if it is joined to one
            return self._heads_clause(head - 1) and self._is_predicate(place)
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


def _located(view: EditContext, token: Token) -> tuple[Sequence[Token], int]:
    """Return the tokens of the sentence in which a token stands, and its place among them."""
    sentences = view.source_sentence.tokens, view.target_sentence.tokens
    return next((tokens, n) for tokens in sentences for n, other in enumerate(tokens) if other is token)


#: Tests that need to know the sentence's tree.
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
    """The token and its `head`, its `subject` or a dependent (`{dependent: [det, amod]}`) share a value of each of
    these features (requires parsing).
    """
    return _compared(view, token, with_, in_, lambda shared: all([one is True for one in shared]))


@SYNTAX_TESTS.key("disagrees: {with: subject, in: Number}", with_=..., in_=...)
def _disagrees(with_: Partners, in_: Features, view: EditContext, token: Token) -> bool:
    """Both have one of these features, and share no value of it (requires parsing); a feature that one of them
    lacks neither agrees nor disagrees.
    """
    return _compared(view, token, with_, in_, lambda shared: any([one is False for one in shared]))


def _compared(
    view: EditContext,
    token: Token,
    partners: Partners,
    names: Features,
    fits: Callable[[list[bool | None]], bool],
) -> bool:
    """Whether the features that a token shares with one of some others fit; None stands for one that is missing."""
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
    """The token is in this constituent of its clause, counted from 1 without conjunctions: a finite verb in
    second place has 2; see numbers (requires parsing).
    """
    tree = Tree(view, token)
    return tree.known and number(tree.constituent_number())


@SYNTAX_TESTS.key("position: {first: clause}", first="", last="")
def _position(first: Unit, last: Unit, view: EditContext, token: Token) -> bool:
    """The token is the `first` or `last` word of its `clause` (requires parsing) or `sentence`, ignoring
    punctuation.
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
