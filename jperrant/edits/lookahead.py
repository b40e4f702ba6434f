"""What can be said of a rule's conditions on relations before a sentence is parsed.

A parse takes longer than everything else, and most rules that ask for a relation ask for one that the words of the
edit cannot have: a parser gives ``aux`` to auxiliaries alone. So before such conditions are tried a function made
here says whether they can hold at all. Its answer is that of every parse, so that no type depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext
from jperrant.edits.values import Condition, Text, Values

DEPREL = "deprel"
_ON_SOURCE, _ON_TARGET = ("source", "both"), ("target", "both")


def asks_for_relations(key: str, value: object) -> bool:
    """Whether a condition is one on the relations of the edit's own tokens."""
    if key in ("source", "target", "both", "values"):
        return isinstance(value, Mapping) and DEPREL in value
    return key in ("same", "shared") and DEPREL in (value if isinstance(value, list) else [value])


def possible(when: Mapping[str, object], values: Values) -> Condition | None:
    """Return what is false of an edit where its conditions on relations cannot all hold, whatever a parse says.

    Args:
        when: Conditions, all of which must hold, and which are valid.
        values: Reads the values of the pack.

    Returns:
        A condition that never asks for a parse; None where there is nothing to be said beforehand.
    """
    asked = {key: value for key, value in when.items() if asks_for_relations(key, value)}
    if not asked or values.getter(DEPREL) is not EditContext.deprel:  # a pack may have its own
        return None
    on_source, on_target = (_tests(asked, keys, values) for keys in (_ON_SOURCE, _ON_TARGET))
    tests_of_both = [*on_source, *on_target]

    def can_hold(view: EditContext) -> bool:
        for side, tests in ((view.source, on_source), (view.target, on_target)):
            for token in side:
                for test in tests:
                    if not view.may_be(token, test):
                        return False
        if "shared" in asked and not _share(view, [*view.source, *view.target], tests_of_both):
            return False
        if "same" not in asked:
            return True
        pairs = list(zip(view.source, view.target, strict=False))
        return all([_share(view, pair, tests_of_both) for pair in pairs])

    return can_hold


def guarded(condition: Condition, when: Mapping[str, object], values: Values) -> Condition:
    """Return a condition that is tried only where ``when``, of which it is made, can hold."""
    can_hold = possible(when, values)
    return condition if can_hold is None else lambda view: can_hold(view) and condition(view)


def _tests(asked: Mapping[str, object], keys: Sequence[str], values: Values) -> list[Text]:
    """Return the tests that the relation of every token of a side must pass."""
    wanted = [asked[key] for key in (*keys, "values") if key in asked]
    return [values.text(DEPREL, value[DEPREL]) for value in wanted if isinstance(value, Mapping)]


def _share(view: EditContext, tokens: Sequence[Token], tests: Sequence[Callable[[str], bool]]) -> bool:
    """Whether all of some tokens may have one relation that passes tests."""
    common: frozenset[str] | None = None
    for token in tokens:
        names = view.possible_deprels(token)
        if names is not None:
            common = names if common is None else common & names
    return common is None or any([all([test(name) for test in tests]) for name in common if name])
