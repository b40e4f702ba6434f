"""Conditions of the rule language: each YAML key becomes a function from an edit to true or false.

A condition is checked when the pack is read, so that a misspelt key or value is an error that names it and never
a rule that silently does not fire. ``CONDITIONS`` is what docs/packs.md says of them, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from jperrant.core.errors import PackError, nearest
from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, Getter, NeedsParse
from jperrant.edits.forms import folding
from jperrant.edits.sides import SideCompiler
from jperrant.edits.values import (
    NOTHING,
    Condition,
    KeyTable,
    Lists,
    Values,
    as_boolean,
    as_list,
    as_mapping,
    as_string,
    position_of,
)

#: Letters of a stem that is looked for, so that the time stays small whatever the words are.
_LONGEST_STEM = 100
#: The values of a property that no token has.
_NONE = frozenset([""])
#: Conditions that may call Python of a pack, which may rely on those before them.
_IN_ORDER = ("hook", "any", "not")


#: Every condition on an edit.
CONDITIONS = KeyTable()


# Conditions on the whole edit


@CONDITIONS.key("operation: [M, U]")
def _operation(compiler: SideCompiler, value: object) -> Condition:
    """The edit is one of these: M has no source tokens, U has no target tokens, R has both."""
    wanted = frozenset(compiler.values.strings(value))
    if not wanted <= set("MUR"):
        raise PackError(f"operation: found {value!r}, expected M, U or R")
    if len(wanted) == 1:
        only = next(iter(wanted))
        return lambda view: view.operation == only
    return lambda view: view.operation in wanted


@CONDITIONS.truth("one_to_one: true")
def _one_to_one(view: EditContext) -> bool:
    """One token replaces one token."""
    return view.one_to_one


@CONDITIONS.truth("same_count: true")
def _same_count(view: EditContext) -> bool:
    """Both sides have the same number of tokens."""
    return len(view.source) == len(view.target)


@CONDITIONS.truth("same_text: true")
def _same_text(view: EditContext) -> bool:
    """Both sides have the same words."""
    start, end, target_start, target_end = view.span  # the whole edit, also after drop_last
    if end - start != target_end - target_start:
        return False
    source, target = view.source_sentence.tokens, view.target_sentence.tokens
    return all(
        [a.form == b.form for a, b in zip(source[start:end], target[target_start:target_end], strict=True)]
    )


@CONDITIONS.truth("same_letters: true")
def _same_letters(view: EditContext) -> bool:
    """Short for `same_after: [case, spaces]`."""
    if len(view.source) == len(view.target) == 1:  # most edits
        return view.source[0].form.lower() == view.target[0].form.lower()
    return _joined(view.source).lower() == _joined(view.target).lower()


@CONDITIONS.truth("same_length: true")
def _same_length(view: EditContext) -> bool:
    """Both sides have the same number of characters."""
    return len(_joined(view.source)) == len(_joined(view.target))


@CONDITIONS.truth("prefix: true")
def _prefix(view: EditContext) -> bool:
    """One side begins with the other."""
    source, target = _joined(view.source), _joined(view.target)
    return source.startswith(target) or target.startswith(source)


@CONDITIONS.truth("same_stem: true")
def _same_stem(view: EditContext) -> bool:
    """One token replaces one token, and the pack's dictionary has a stem of both."""
    stems = view.vocabulary.stems
    return view.one_to_one and not stems(view.source[0].form).isdisjoint(stems(view.target[0].form))


def _joined(side: Sequence[Token], gap: str = "") -> str:
    return side[0].form if len(side) == 1 else gap.join([token.form for token in side])


@CONDITIONS.key("same_words: true")
def _same_words(compiler: SideCompiler, value: object) -> Condition:
    """Both sides have the same words in any order, ignoring case; a list of foldings instead of `true`
    ignores these.
    """
    if isinstance(value, bool):
        same_but_for_case = _same_words(compiler, ["case"])
        return same_but_for_case if value else lambda view: not same_but_for_case(view)
    fold = folding(compiler.values.foldings(value))

    def same_words(view: EditContext) -> bool:
        source, target = view.source, view.target
        if len(source) == len(target) == 1:
            return fold(source[0].form) == fold(target[0].form)
        return len(source) == len(target) and sorted([fold(t.form) for t in source]) == sorted(
            [fold(t.form) for t in target]
        )

    return same_words


@CONDITIONS.key("same_after: [case, diacritics]")
def _same_after(compiler: SideCompiler, value: object) -> Condition:
    """Both sides are the same text if these differences are ignored; see foldings."""
    names = compiler.values.foldings(value)
    fold, gap = folding(names), "" if "spaces" in names else " "
    if gap:
        return lambda view: fold(_joined(view.source, gap)) == fold(_joined(view.target, gap))
    return lambda view: fold(_joined(view.source)) == fold(_joined(view.target))


@CONDITIONS.key("same: [lemma, class]")
def _same(compiler: SideCompiler, names: object) -> Condition:
    """These properties are equal token by token, and no token lacks one; see [Empty is not
    equal](#empty-is-not-equal).
    """
    getters = [(name, compiler.values.getter(name)) for name in compiler.values.strings(names)]
    asks = any([compiler.values.asks_for_relation(name) for name, _ in getters])

    def same(view: EditContext) -> bool:
        source, target = view.source, view.target
        if len(source) != len(target):
            return False
        if asks and not all([view.may_share_deprel(pair) for pair in zip(source, target, strict=True)]):
            return False
        for name, get in getters:
            if view.one_to_one:
                if not _NONE != view.values(source, name, get) == view.values(target, name, get):
                    return False
            elif not all([get(view, a) == get(view, b) != "" for a, b in zip(source, target, strict=True)]):
                return False
        return True

    return same


@CONDITIONS.key("same_first: lemma")
def _same_first(compiler: SideCompiler, value: object) -> Condition:
    """These properties of the first tokens are equal."""
    return _same_at(0, compiler, value)


@CONDITIONS.key("same_last: word")
def _same_last(compiler: SideCompiler, value: object) -> Condition:
    """These properties of the last tokens are equal."""
    return _same_at(-1, compiler, value)


def _same_at(index: int, compiler: SideCompiler, value: object) -> Condition:
    getters = [compiler.values.getter(name) for name in compiler.values.strings(value)]
    return lambda view: (
        bool(view.source and view.target)
        and all([get(view, view.source[index]) == get(view, view.target[index]) != "" for get in getters])
    )


@CONDITIONS.key("shared: class")
def _shared(compiler: SideCompiler, value: object) -> Condition:
    """All tokens of both sides have the same value of this property."""
    name = as_string("shared", value)
    get, asks = compiler.values.getter(name), compiler.values.asks_for_relation(name)

    def shared(view: EditContext) -> bool:
        if asks and not view.may_share_deprel([*view.source, *view.target]):
            return False
        values = view.values(view.source, name, get) | view.values(view.target, name, get)
        return len(values) == 1 and "" not in values

    return shared


@CONDITIONS.key("values: {class: [PART, VERB]}")
def _values(compiler: SideCompiler, value: object) -> Condition:
    """The two sides together have exactly these values."""
    return conjunction([_both_have(compiler, *pair) for pair in as_mapping(value, "values").items()])


def _both_have(compiler: SideCompiler, name: str, value: object) -> Condition:
    get, wanted = compiler.values.getter(name), compiler.values.known(name, value)
    asks, may_be = compiler.values.asks_for_relation(name), wanted.__contains__

    def both_have(view: EditContext) -> bool:
        source, target = view.source, view.target
        if asks and not all([view.may_be(token, may_be) for token in (*source, *target)]):
            return False
        return view.values(source, name, get) | view.values(target, name, get) == wanted

    return both_have


@CONDITIONS.key("pair: [[was, were]]")
def _pair(compiler: SideCompiler, value: object) -> Condition:
    """One token of such a pair replaces the other, in either direction, ignoring case; `pair: $name` takes
    the groups of a list, any two words of a group being a pair: `[to too, there their they're]`.
    """
    if isinstance(value, str) and value.startswith("$"):
        pairs = _pairs_of_groups(compiler, value)
    else:
        named = [compiler.values.strings(pair) for pair in as_list("pair", value)]
        for words in named:
            if len(words) != 2:
                raise PackError(
                    f"pair: found {list(words)!r}, expected pairs of words, such as [[was, were]]"
                )
        pairs = frozenset(frozenset([word.lower() for word in words]) for words in named)
    return lambda view: (
        view.one_to_one and frozenset((view.source[0].form.lower(), view.target[0].form.lower())) in pairs
    )


def _pairs_of_groups(compiler: SideCompiler, name: str) -> frozenset[frozenset[str]]:
    """Return the pairs of the words of each group of a list, which may be empty: a language may have none."""
    groups = compiler.values.strings_or_none(name)
    for group in groups:
        if len(group.split()) < 2:
            raise PackError(f"pair: found {group!r} in {name}, expected words with spaces between them")
    return frozenset(frozenset(two) for group in groups for two in combinations(group.lower().split(), 2))


@CONDITIONS.key("similarity: {above: 0.5}")
def _similarity(compiler: SideCompiler, value: object) -> Condition:
    """The similarity of the lower-cased texts, from 0 to 1: Levenshtein's measure, or `SIMILARITY` of
    `hooks.py`; see numbers. `of: lemma` compares another property than the form, `after: [case,
    diacritics]` sets other foldings.
    """
    values = compiler.values
    if not isinstance(value, Mapping) or not value.keys() & {"of", "after"}:
        plain = values.number(value)
        return lambda view: plain(view.similarity())
    keys = dict(as_mapping(value, "similarity"))
    get = values.getter(as_string("of", keys.pop("of", "form")))
    fold = folding(values.foldings(keys.pop("after", "case")))
    number = values.number(keys)

    def similarity(view: EditContext) -> bool:
        source, target = ("".join([get(view, t) for t in side]) for side in (view.source, view.target))
        return bool(source and target) and number(view.vocabulary.similarity(fold(source), fold(target)))

    return similarity


@CONDITIONS.key("feats_changed: {only: [Number, Case]}")
def _feats_changed(compiler: SideCompiler, value: object) -> Condition:
    """The features that differ, token by token: `only` these, `any` of these, `all` of these, `none` of
    these; a list means `only`; `true` means some feature, `false` none.
    """
    if isinstance(value, bool):
        return lambda view: bool(view.changed_features()) is value
    tests: dict[str, Callable[[frozenset[str], frozenset[str]], bool]] = {
        "only": lambda changed, named: bool(changed) and changed <= named,
        "any": lambda changed, named: not changed.isdisjoint(named),
        "all": lambda changed, named: changed >= named,
        "none": lambda changed, named: changed.isdisjoint(named),
    }
    keys = as_mapping(value, "feats_changed") if isinstance(value, Mapping) else {"only": value}
    unknown = [key for key in keys if key not in tests]
    if unknown or not keys:
        raise PackError(f"feats_changed: found {value!r}, expected true, false, names or {', '.join(tests)}")
    wanted = [(tests[key], frozenset(compiler.values.strings(names))) for key, names in keys.items()]

    def feats_changed(view: EditContext) -> bool:
        changed = view.changed_features()
        return all([test(changed, names) for test, names in wanted])

    return feats_changed


@CONDITIONS.key("change: {feats.Case: {from: Nom, to: [Acc, Dat]}}")
def _change(compiler: SideCompiler, value: object) -> Condition:
    """These properties of the last tokens change `from` these values `to` those; either may be left out,
    and is then any value but none.
    """
    tests = []
    for name, wanted in as_mapping(value, "change").items():
        keys = as_mapping(wanted, f"change: {name}")
        if not keys or not keys.keys() <= {"from", "to"}:
            raise PackError(f"change: {name}: found {wanted!r}, expected {{from: …, to: …}}")
        source, target = [
            compiler.values.text(name, keys[end]) if end in keys else None for end in ("from", "to")
        ]
        tests.append((compiler.values.getter(name), source, target))
    if not tests:
        raise PackError("change: found no property, expected properties with what they change from and to")

    def change(view: EditContext) -> bool:
        if not view.source or not view.target:
            return False
        for get, source, target in tests:
            old, new = get(view, view.source[-1]), get(view, view.target[-1])
            if old == new or not (source(old) if source else old) or not (target(new) if target else new):
                return False
        return True

    return change


@CONDITIONS.key("compound: {linking: [s, en]}")
def _compound(compiler: SideCompiler, value: object) -> Condition:
    """One side is one word, and the other its parts; one of these linking elements may be added or removed
    at each joint.
    """
    keys = as_mapping(value, "compound")
    if list(keys) != ["linking"]:
        raise PackError(f"compound: found {dict(keys)!r}, expected {{linking: [s, e]}}")
    linking = compiler.values.strings_or_none(keys["linking"])
    if not linking:
        return lambda _: False
    joins = compound_test(linking)

    def compound(view: EditContext) -> bool:
        source, target = [[token.form.lower() for token in side] for side in (view.source, view.target)]
        if len(source) == 1 and len(target) > 1:
            return joins(target, source[0])
        return len(target) == 1 and len(source) > 1 and joins(source, target[0])

    return compound


@CONDITIONS.truth("contraction: true")
def _contraction(view: EditContext) -> bool:
    """One side is a word under `contractions`, and the other the words that it stands for; all but the
    first may be others of the same class under `words`.
    """
    source, target = [[token.form.lower() for token in side] for side in (view.source, view.target)]
    if len(source) == 1:
        return view.vocabulary.closed.contracts(source[0], target)
    return len(target) == 1 and view.vocabulary.closed.contracts(target[0], source)


def _shared_letters(text: str, other: str) -> int:
    """Return how many letters two texts begin with alike."""
    pairs = enumerate(zip(text, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(text), len(other)))


@CONDITIONS.key("endings: {source: '', target: {matches: 'n?[dt][ae]'}, stem: 2}")
def _endings(compiler: SideCompiler, value: object) -> Condition:
    """One token replaces one token; both begin with the same letters, at least `stem` of them, followed in
    lower case by these endings; with `swap: true` also the other way round.
    """
    keys = as_mapping(value, "endings")
    if not {"source", "target"} <= keys.keys() <= {"source", "target", "stem", "swap"}:
        raise PackError(
            f"endings: found {dict(keys)!r}, expected {{source: …, target: …, stem: 2, swap: false}}"
        )
    source, target = (
        compiler.values.text("source", keys["source"]),
        compiler.values.text("target", keys["target"]),
    )
    stem, swap = keys.get("stem", 2), as_boolean("swap", keys.get("swap", False))
    if isinstance(stem, bool) or not isinstance(stem, int) or stem < 1:
        raise PackError(f"endings: stem: found {stem!r}, expected a number of letters of at least 1")

    def endings(view: EditContext) -> bool:
        if not view.one_to_one:
            return False
        old, new = view.source[0].form.lower(), view.target[0].form.lower()
        for cut in range(stem, min(_shared_letters(old, new), _LONGEST_STEM) + 1):
            if source(old[cut:]) and target(new[cut:]):
                return True
            if swap and source(new[cut:]) and target(old[cut:]):
                return True
        return False

    return endings


def compound_test(linking: Sequence[str]) -> Callable[[Sequence[str], str], bool]:
    """Return whether parts make up a word, with or without a linking element at each joint.

    >>> made_of = compound_test(["s"])
    >>> made_of(["arbet", "plats"], "arbetsplats"), made_of(["arbets", "plats"], "arbetplats")
    (True, True)

    Args:
        linking: Linking elements, in lower case. A part may have one where the word has none, too.
    """
    elements = ["", *sorted({element for element in linking if element})]

    def made_of(parts: Sequence[str], word: str) -> bool:
        ends = {0}
        for part in parts[:-1]:
            stems = [part] + [part.removesuffix(e) for e in elements if e and part.endswith(e) and part != e]
            ends = {
                end + len(stem) + len(element)
                for end in ends
                for stem in stems
                for element in elements
                if word.startswith(stem + element, end)
            }
        return any([word[end:] == parts[-1] for end in ends])

    return made_of


Hooks = Mapping[str, Condition]


class Part(NamedTuple):
    """One condition: as the pack gives it, and compiled."""

    key: str
    value: object
    holds: Condition


class Compiler(SideCompiler):
    """Turns the conditions of one pack into functions.

    Args:
        hooks: The pack's own conditions, by name.
        lists: Named word lists, written ``$name`` in a condition.
        properties: The pack's own properties of tokens, which may take the place of built-in ones.
        closed: All values a property can have, for those of which that is known.

    Attributes:
        problems: What was found wrong, each with its place in the file as far as that is known.
    """

    def __init__(
        self,
        hooks: Hooks,
        lists: Lists,
        properties: Mapping[str, Getter] = MappingProxyType({}),
        closed: Mapping[str, frozenset[str]] = NOTHING,
    ) -> None:
        super().__init__(Values(lists, properties, closed))
        self.hooks = hooks
        self.problems: list[tuple[str, str]] = []

    def conditions(self, when: object) -> Condition:
        """Return the conjunction of the conditions in a mapping; what is wrong goes to ``problems``."""
        return all_of(self.parts(when))

    def parts(self, when: object) -> list[Part]:
        """Return the conditions in a mapping one by one; what is wrong goes to ``problems``."""
        parts = []
        try:
            for key, value in as_mapping(when, "when").items():
                try:
                    parts.append(Part(key, value, self._condition(key, value)))
                except PackError as error:
                    self.problems.append((position_of(when, key), str(error)))
        except PackError as error:
            self.problems.append(("", str(error)))
        return parts

    def _condition(self, key: str, value: object) -> Condition:
        if key not in CONDITIONS:
            raise PackError(
                f"unknown condition {key!r}{nearest(key, CONDITIONS)}; expected one of "
                f"{', '.join(sorted(CONDITIONS))}"
            )
        return CONDITIONS[key].compile(self, value)


def all_of(parts: Sequence[Part]) -> Condition:
    """Return the condition that holds where all conditions of a mapping hold."""
    return conjunction([p.holds for p in parts], [p.holds for p in parts if p.key not in _IN_ORDER])


def conjunction(conditions: Sequence[Condition], anywhere: Sequence[Condition] | None = None) -> Condition:
    """Return the condition that holds where all of some hold.

    A parse takes longer than everything else, so none is asked for where a condition fails whatever it says.

    Args:
        conditions: The conditions, in the order in which they are tried.
        anywhere: Those that may also be tried before their turn; None for all.
    """
    if not conditions:
        return lambda _: True
    if len(conditions) == 1:
        return conditions[0]
    others = conditions if anywhere is None else anywhere

    def every(view: EditContext) -> bool:
        try:
            for condition in conditions:
                if not condition(view):
                    return False
        except NeedsParse:
            if any([_fails(condition, view) for condition in others]):
                return False
            raise
        return True

    return every


def _fails(condition: Condition, view: EditContext) -> bool:
    """Whether a condition does not hold, whatever a parse says."""
    try:
        return not condition(view)
    except NeedsParse:
        return False


@CONDITIONS.key("hook: name")
def _hook(compiler: Compiler, value: object) -> Condition:
    """The function `CONDITIONS["name"]` of `hooks.py` returns true."""
    name = as_string("hook", value)
    if name not in compiler.hooks:
        raise PackError(
            f"unknown hook {name!r}{nearest(name, compiler.hooks)}; define it under CONDITIONS in hooks.py (run "
            "with --hooks)"
        )
    return compiler.hooks[name]


@CONDITIONS.key("any: [{…}, {…}]")
def _any(compiler: Compiler, value: object) -> Condition:
    """The conditions of at least one of these mappings hold."""
    options = [compiler.conditions(option) for option in as_list("any", value)]

    def some(view: EditContext) -> bool:
        for option in options:  # noqa: SIM110 - as above
            if option(view):
                return True
        return False

    return some


@CONDITIONS.key("not: {…}")
def _not(compiler: Compiler, value: object) -> Condition:
    """The conditions of this mapping do not all hold."""
    test = compiler.conditions(value)
    return lambda view: not test(view)


# Conditions on the tokens of the sides


@CONDITIONS.key("source: {upos: NOUN}")
def _source(compiler: Compiler, value: object) -> Condition:
    """The source side passes these tests."""
    test = compiler.side(value)
    return lambda view: test(view, view.source)


@CONDITIONS.key("target: {known: true}")
def _target(compiler: Compiler, value: object) -> Condition:
    """The target side passes these tests."""
    test = compiler.side(value)
    return lambda view: test(view, view.target)


@CONDITIONS.key("both: {class: VERB}")
def _both(compiler: Compiler, value: object) -> Condition:
    """Every side that has tokens passes these tests."""
    test = compiler.side(value)
    return conjunction([
        lambda view: not view.source or test(view, view.source),
        lambda view: not view.target or test(view, view.target),
    ])  # fmt: skip


@CONDITIONS.key("either: {xpos: VBG}")
def _either(compiler: Compiler, value: object) -> Condition:
    """The source or the target side passes these tests."""
    test = compiler.side(value)
    return lambda view: test(view, view.source) or test(view, view.target)
