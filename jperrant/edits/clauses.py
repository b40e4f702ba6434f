"""Clauses, constituents and subjects, as Universal Dependencies shows them.

Every function reads heads and relations, so that it raises ``NeedsParse`` where a sentence is still to be parsed.
Relations are UD's own, without subtypes; what a pack renames under ``deprels`` does not change them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jperrant.core.values import Token

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

    def constituent(self, place: int) -> frozenset[int]:
        """Return the places of a token's constituent: what hangs below the head of its clause, with the token.

        The head of the clause is a constituent of its own.
        """
        tops = self._constituents(self.clause(place))
        return frozenset(n for n, top in enumerate(tops) if top == tops[place])

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
