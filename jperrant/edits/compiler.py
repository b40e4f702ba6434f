"""Compiles the conditions of a pack's rules: each key and its value become a function of an edit.

A key or value that the rule language does not have is a ``PackError`` that says what was found and what is
expected.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations
from types import MappingProxyType
from typing import Any, NamedTuple

from jperrant.core.errors import PackError, check_known, nearest
from jperrant.core.values import UPOS, Token
from jperrant.edits.conditions import CONDITIONS, SIDE_TESTS, TOKEN_TESTS, FeatureTest
from jperrant.edits.edit_context import EditContext, Getter, NeedsParse, Property, Side, features
from jperrant.edits.forms import FOLDINGS, compile_pattern, folding, script_test
from jperrant.edits.rule_parts import (
    FEATURE,
    PROPERTIES,
    Condition,
    Entry,
    KeyTable,
    Number,
    SideTest,
    Text,
    TokenTest,
    feature_property,
    position_of,
)
from jperrant.edits.syntax import PARTNERS, UNITS

#: Operators that bound a number; each is called with the bound and the number.
BOUNDS: dict[str, Callable[[float, float], bool]] = {
    "above": operator.lt,
    "at_least": operator.le,
    "below": operator.gt,
    "at_most": operator.ge,
}
#: Keys of ``feats_changed``; each compares the features that a rule names with those that differ.
_CHANGES: dict[str, Callable[[frozenset[str], frozenset[str]], bool]] = {
    "only": lambda named, changed: bool(changed) and changed <= named,
    "any": lambda named, changed: not changed.isdisjoint(named),
    "all": lambda named, changed: changed >= named,
    "none": lambda named, changed: changed.isdisjoint(named),
}
#: Conditions that may run a pack's hooks. A hook may rely on the conditions before it, so these keep their
#: place.
_IN_ORDER = ("hook", "any", "not")
#: Keys that test a token or a side and are not properties of tokens.
_TESTS = (*TOKEN_TESTS, *SIDE_TESTS)
#: The largest number of tokens or letters that a rule may give.
_FURTHEST = 1000


def as_mapping(where: str, value: object, filled: str = "") -> Mapping[str, Any]:
    """Return the value if it is a mapping whose keys are strings, or raise a PackError.

    If ``filled`` is given, the mapping must not be empty; messages call its keys by this name.
    """
    if not isinstance(value, Mapping) or (filled and not value):
        raise PackError(f"{where}: found {value!r}, expected a mapping of {filled or 'names'}")
    for key in value:
        if not isinstance(key, str):
            raise PackError(f"{where}: found the key {key!r}, expected a name; put it in quotes")
    return value


def as_list(where: str, value: object) -> Iterable[object]:
    """Return the value if it is a non-empty list, or raise a PackError."""
    if not isinstance(value, list) or not value:
        raise PackError(f"{where}: found {value!r}, expected a list")
    return value


def as_string(where: str, value: object) -> str:
    """Return the value if it is a string, or raise a PackError."""
    if not isinstance(value, str):
        raise PackError(f"{where}: found {value!r}, expected a name")
    return value


def as_boolean(where: str, value: object) -> bool:
    """Return the value if it is true or false, or raise a PackError."""
    if not isinstance(value, bool):
        raise PackError(f"{where}: found {value!r}, expected true or false")
    return value


class Part(NamedTuple):
    """One condition of a rule: its key, its value in the pack, and the compiled function."""

    key: str
    value: object
    holds: Condition


class Compiler:
    """Compiles the conditions of one pack into functions of an edit.

    Args:
        hooks: The pack's own conditions, by name.
        lists: Named word lists, written ``$name`` in a condition.
        properties: The pack's own properties of tokens; one with the name of a built-in property replaces it.
        closed: All possible values of a property, for the properties whose values are known.

    Attributes:
        problems: The errors found so far: place in the file (empty if unknown) and message.
    """

    def __init__(
        self,
        hooks: Mapping[str, Condition],
        lists: Mapping[str, Sequence[str]],
        properties: Mapping[str, Getter] = MappingProxyType({}),
        closed: Mapping[str, frozenset[str]] = MappingProxyType({}),
    ) -> None:
        self.hooks, self.lists = hooks, lists
        self.properties = PROPERTIES | {name: Property(name, get) for name, get in properties.items()}
        if "class" in properties and "inflection" not in properties:  # the inflection depends on the class
            get_class = properties["class"]
            self.properties["inflection"] = Property("inflection", lambda view, _: view.inflection(get_class))
        known = {"upos": UPOS, **closed}
        self.closed = {name: values for name, values in known.items() if name not in properties}
        # Keys whose text is compared in lower case: a property, the words of a side, the endings of both sides.
        self._in_lower_case = {"word", "text", "source", "target"} - set(properties)
        self.problems: list[tuple[str, str]] = []

    # Conditions and tests

    def conditions(self, when: object) -> Condition:
        """Compile a mapping of conditions, all of which must hold; errors are added to ``problems``."""
        return all_of(self.parts(when))

    def parts(self, when: object) -> list[Part]:
        """Compile each condition in a mapping; errors are added to ``problems``."""
        parts: list[Part] = []
        try:
            named = as_mapping("when", when)
        except PackError as error:
            self.problems.append(("", str(error)))
            return parts
        for key, value in named.items():
            try:
                check_known("condition", key, sorted(CONDITIONS), PackError)
                parts.append(Part(key, value, self._compiled(CONDITIONS, key, value)))
            except PackError as error:
                self.problems.append((position_of(when, key), str(error)))
        return parts

    def taken_problems(self) -> list[tuple[str, str]]:
        """Return the errors found since the last call, and clear the list."""
        problems, self.problems = self.problems, []
        return problems

    def _compiled(self, table: KeyTable, key: str, value: object) -> Callable[..., bool]:
        """Bind the values that a pack gives for a key to the key's function."""
        entry, wanted = table[key], True
        if entry.true is not None and isinstance(value, bool):
            wanted, value = value, entry.true
        elif not entry.arguments:
            wanted = as_boolean(key, value)
        holds = partial(entry.holds, *self._arguments(entry, key, value)) if entry.arguments else entry.holds
        return holds if wanted else lambda *tested: not holds(*tested)

    def _arguments(self, entry: Entry, key: str, value: object) -> Iterator[object]:
        """Read the value that a pack gives for a key and yield the arguments of the key's function.

        If every argument is an option, the value must be a mapping of options. Otherwise one argument is not an
        option: it gets the whole value, or the mapping without the options.
        """
        options = {name.rstrip("_"): default for name, default in entry.options.items()}
        if len(options) == len(entry.arguments):
            for name in as_mapping(key, value, ", ".join(options)):
                check_known(f"key of {key}", name, options, PackError)
        keys = value if isinstance(value, Mapping) else {}
        rest = (
            {name: v for name, v in keys.items() if name not in options} if options.keys() & keys else value
        )
        for argument, kind in entry.arguments.items():
            name = argument.rstrip("_")
            if name not in options:
                yield READERS[kind](self, key, rest)
            elif name in keys:
                try:
                    yield READERS[kind](self, name, keys[name])
                except PackError as error:
                    raise PackError(f"{key}: {error}") from None
            elif options[name] is ...:
                example = entry.example.partition(": ")[2]
                raise PackError(f"{key}: found {dict(keys)!r}, expected for example {example}")
            else:
                yield options[name]

    def both_sides(self, where: str, value: object) -> Condition:
        """Compile tests that every non-empty side must pass."""
        test = self.side(where, value)
        return conjunction([
            lambda view: not view.source or test(view, view.source),
            lambda view: not view.target or test(view, view.target),
        ])  # fmt: skip

    def side(self, _: str, value: object) -> SideTest:
        """Compile a mapping of tests of a side; an empty side fails them."""
        tests = [self._side_test(key, wanted) for key, wanted in as_mapping("a side", value).items()]
        passes = _all_pass(tests)
        return lambda view, side: bool(side) and passes(view, side)

    def _side_test(self, key: str, value: object) -> SideTest:
        if key in SIDE_TESTS:
            return self._compiled(SIDE_TESTS, key, value)
        test = _each(self.token(key, value))
        if key in TOKEN_TESTS or not self._property(key).is_relation:
            return test
        text = self.text(key, value)
        return lambda view, side: view.may_be(side, text) and test(view, side)

    def token(self, key: str, value: object) -> TokenTest:
        """Compile one test of a token."""
        if key in TOKEN_TESTS:
            return self._compiled(TOKEN_TESTS, key, value)
        if key == "feats" and isinstance(value, Mapping):
            return self._feature_test(value)
        get, fits = self._property(key).get, self.text(key, value)
        if not isinstance(value, Mapping) and len(values := self.known(key, value)) == 1:
            only = min(values)
            return lambda view, token: get(view, token) == only
        return lambda view, token: fits(get(view, token))

    def tokens(self, where: str, value: object) -> TokenTest:
        """Compile a mapping of tests of a token, all of which must pass."""
        named = as_mapping(where, value, "tests of a token").items()
        return _all_pass([self.token(key, wanted) for key, wanted in named])

    def _feature_test(self, value: object) -> TokenTest:
        """Compile a test of FEATS from a mapping of feature names to allowed values."""
        named = as_mapping("feats", value, "features and their values").items()
        tests = [(name, self.text(name, wanted)) for name, wanted in named]

        def test(_: EditContext, token: Token) -> bool:
            present = features(token.feats)
            for name, fits in tests:
                held = present.get(name, "")
                if not fits(held) and not ("," in held and any(map(fits, held.split(",")))):
                    return False
            return True

        return test

    # Values

    def property(self, _: str, name: object) -> Property:
        """Return the property of this name, or raise a PackError that suggests the nearest name."""
        return self._property(as_string("a property", name), "property", ())

    def _property(self, name: str, what: str = "test or property", tests: Iterable[str] = _TESTS) -> Property:
        if name.startswith(FEATURE) and name not in self.properties:
            return feature_property(name)
        check_known(what, name, [*self.properties, f"{FEATURE}NAME", *tests], PackError)
        return self.properties[name]

    def property_values(self, where: str, value: object) -> list[tuple[Property, frozenset[str]]]:
        """Read a mapping of properties to sets of values; a value that its property cannot have is an error."""
        return [(self.property(where, n), self.known(n, v)) for n, v in as_mapping(where, value).items()]

    def sequences(self, where: str, value: object) -> list[tuple[Property, Sequence[str]]]:
        """Read a mapping of properties to sequences of values."""
        named = as_mapping(where, value)
        return [
            (one, self.strings(one.name, named[one.name])) for one, _ in self.property_values(where, value)
        ]

    def strings(self, where: str, value: object) -> Sequence[str]:
        """Read a string, a list of strings or ``$name`` as strings; only a named list may be empty."""
        if isinstance(value, int) and not isinstance(value, bool):
            return (str(value),)  # Person: 3
        if isinstance(value, str):
            if not value.startswith("$") or value == "$":
                return (value,)
            check_known("list", value, [f"${name}" for name in self.lists], PackError)
            value = self.lists[value[1:]]
            if value == []:  # a language may have no such words
                return []
        values = list(as_list(where, value))
        if not all(isinstance(v, (str, int)) and not isinstance(v, bool) for v in values):
            raise PackError(f"found {value!r}, expected names (YAML does not read true, false, null and numbers "
                            "as text; put them in quotes)")  # fmt: skip
        return [str(v) for v in values]

    def known(self, name: str, value: object) -> frozenset[str]:
        """Read values of a property; a value that the property cannot have is an error."""
        values = frozenset(self.strings(name, value))
        possible = self.closed.get(name)
        if possible is not None:
            for value in sorted(values - possible - {""}):
                raise PackError(f"{name}: no token can have the value {value!r}{nearest(value, possible)}")
        if values and name in self._in_lower_case and not any([value == value.lower() for value in values]):
            found = min(values)
            raise PackError(f"{name}: no token can have the value {found!r}; expected {found.lower()!r}")
        return values

    def text(self, name: str, value: object) -> Text:
        """Compile a test of a string from allowed values, or from a mapping of operators that must all hold."""
        if not isinstance(value, Mapping):
            return self.known(name, value).__contains__
        tests = []
        for key, operand in as_mapping(name, value, ", ".join(_OPERATORS)).items():
            check_known(f"operator of {name}", key, _OPERATORS, PackError)
            tests.append(_OPERATORS[key](self, name, operand))
        return _all_pass(tests)

    def number(self, _: str, value: object) -> Number:
        """Compile a test of a number from a number, a list of numbers or a mapping of bounds.

        Numbers are compared after rounding to three decimals, bounds without rounding.
        """
        if _is_number(value):
            return lambda x: round(x, 3) == value
        if isinstance(value, list) and value and all(map(_is_number, value)):
            return lambda x: round(x, 3) in value
        bounds = as_mapping("a number", value)
        if not bounds or not bounds.keys() <= BOUNDS.keys():
            raise PackError(f"found {value!r}, expected a number or bounds ({', '.join(BOUNDS)})")
        for name, bound in bounds.items():
            if not _is_number(bound):
                raise PackError(f"{name}: found {bound!r}, expected a number")
        return _all_pass([partial(BOUNDS[name], bound) for name, bound in bounds.items()])

    def count(self, where: str, value: object) -> int:
        """Return the value if it is a possible number of tokens or letters, or raise a PackError."""
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _FURTHEST:
            raise PackError(f"{where}: found {value!r}, expected a whole number from 1 to {_FURTHEST}")
        return value

    def names(self, what: str, value: object, known: Iterable[str]) -> Sequence[str]:
        """Read one or several names, each of which must be among the known ones."""
        names = self.strings(what, value)
        for name in names:
            check_known(what, name, known, PackError)
        return names

    def pairs(self, where: str, value: object) -> frozenset[tuple[str, str]]:
        """Read pairs of words from a list of pairs or a named list of groups.

        Each pair is returned in lower case and in both orders.
        """
        named = isinstance(value, str) and value.startswith("$")
        if named:
            groups = [group.split() for group in self.strings(where, value)]
        else:
            groups = [list(self.strings(where, pair)) for pair in as_list(where, value)]
        for group in groups:
            if len(group) < 2 or (len(group) > 2 and not named):
                expected = "pairs of words, such as [[was, were]], or $name of groups, such as [their there]"
                raise PackError(f"{where}: found {group!r}, expected {expected}")
        return frozenset(
            [two for group in groups for two in permutations([word.lower() for word in group], 2)]
        )

    def feature_changes(self, where: str, value: object) -> FeatureTest:
        """Compile a test of the set of features that differ."""
        if isinstance(value, bool):
            return lambda changed: bool(changed) is value
        keys = as_mapping(where, value) if isinstance(value, Mapping) else {"only": value}
        if not keys or not keys.keys() <= _CHANGES.keys():
            raise PackError(f"{where}: found {value!r}, expected true, false, names or {', '.join(_CHANGES)}")
        return _all_pass([partial(_CHANGES[key], frozenset(self.strings(key, n))) for key, n in keys.items()])

    def changes(self, where: str, value: object) -> list[tuple[Property, Text, Text]]:
        """Read a mapping of properties to a test of the old value and a test of the new value."""
        changes = []
        for name, keys in as_mapping(where, value, "properties with from and to").items():
            if not as_mapping(f"{where}: {name}", keys) or not keys.keys() <= {"from", "to"}:
                raise PackError(f"{where}: {name}: found {keys!r}, expected {{from: …, to: …}}")
            old, new = [self.text(name, keys[end]) if end in keys else bool for end in ("from", "to")]
            changes.append((self.property(where, name), old, new))
        return changes

    def partners(self, where: str, value: object) -> str | frozenset[str]:
        """Read what a token is compared with: ``head``, ``subject`` or the relations of its dependents."""
        if isinstance(value, Mapping) and list(value) == ["dependent"]:
            return frozenset(self.strings(where, value["dependent"]))
        if value not in PARTNERS:
            known = ", ".join([*PARTNERS, "{dependent: RELATION}"])
            raise PackError(
                f"{where}: found {value!r}, expected one of {known}{nearest(str(value), PARTNERS)}"
            )
        return str(value)

    def feature_names(self, where: str, value: object) -> Sequence[str]:
        """Read names of features, which must be listed under the pack's key ``inflection`` if it has one."""
        if FEATURE not in self.closed:
            return self.strings(where, value)
        return self.names("feature of the key inflection", value, sorted(self.closed[FEATURE]))

    def hook(self, _: str, value: object) -> Condition:
        """Return the hook of this name, or raise a PackError."""
        name = as_string("hook", value)
        if name not in self.hooks:
            raise PackError(
                f"unknown hook {name!r}{nearest(name, self.hooks)}; define it under CONDITIONS in hooks.py (run "
                "with --hooks)"
            )
        return self.hooks[name]


def _each_of(read: Callable[[Compiler, str, Any], Any]) -> Callable[[Compiler, str, object], list[Any]]:
    return lambda compiler, where, value: [read(compiler, where, one) for one in as_list(where, value)]


#: How the value of an argument is read, by the argument's type.
READERS: dict[str, Callable[[Compiler, str, object], Any]] = {
    "Condition": lambda compiler, _, value: compiler.conditions(value),
    "Sequence[Condition]": _each_of(lambda compiler, _, value: compiler.conditions(value)),
    "SideTest": Compiler.side,
    "BothSides": Compiler.both_sides,
    "TokenTest": Compiler.tokens,
    "Sequence[TokenTest]": _each_of(Compiler.tokens),
    "Property": Compiler.property,
    "Properties": lambda compiler, where, value: [
        compiler.property(where, name) for name in compiler.strings(where, value)
    ],
    "PropertyValues": Compiler.property_values,
    "Sequences": Compiler.sequences,
    "Names": Compiler.strings,
    "Text": Compiler.text,
    "Number": Compiler.number,
    "int": Compiler.count,
    "bool": lambda _, where, value: as_boolean(where, value),
    "Fold": lambda compiler, _, value: folding(compiler.names("folding", value, FOLDINGS)),
    "Operations": lambda compiler, where, value: frozenset(compiler.names(where, value, "MUR")),
    "Pairs": Compiler.pairs,
    "FeatureTest": Compiler.feature_changes,
    "Changes": Compiler.changes,
    "Partners": Compiler.partners,
    "Features": Compiler.feature_names,
    "Unit": lambda compiler, _, value: compiler.names("unit", value, UNITS)[0],
    "Scripts": lambda compiler, where, value: list(map(script_test, compiler.strings(where, value))),
    "Hook": Compiler.hook,
}
#: Operators that test a text.
_OPERATORS: dict[str, Callable[[Compiler, str, object], Text]] = {
    "not": lambda compiler, name, value: _without(compiler.known(name, value)),
    "starts_with": lambda compiler, name, value: operator.methodcaller(
        "startswith", tuple(compiler.strings(name, value))
    ),
    "ends_with": lambda compiler, name, value: operator.methodcaller(
        "endswith", tuple(compiler.strings(name, value))
    ),
    "contains": lambda compiler, name, value: _containing(compiler.strings(name, value)),
    "matches": lambda compiler, _, value: _matching(compiler.strings("matches", value)),
}


def _matching(patterns: Sequence[str]) -> Text:
    if len(patterns) == 1:
        return compile_pattern(patterns[0])
    return (
        compile_pattern("|".join([f"(?:{pattern})" for pattern in patterns])) if patterns else lambda _: False
    )


def _without(unwanted: frozenset[str]) -> Text:
    return lambda text: text not in unwanted


def _containing(parts: Sequence[str]) -> Text:
    return lambda text: any([part in text for part in parts])


def _is_number(value: object) -> bool:
    """Whether a value is a number; YAML's true and false are not numbers."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _all_pass(tests: Sequence[Callable[..., bool]]) -> Callable[..., bool]:
    """Combine tests into one that passes if all of them do; a single test is returned as it is."""
    if len(tests) == 1:
        return tests[0]

    def passes(*tested: object) -> bool:
        for test in tests:  # noqa: SIM110 - a generator takes twice the time
            if not test(*tested):
                return False
        return True

    return passes


def _each(test: TokenTest) -> SideTest:
    """Turn a test of a token into a test that every token of a side must pass."""

    def each(view: EditContext, side: Side) -> bool:
        for token in side:  # noqa: SIM110 - a generator takes twice the time
            if not test(view, token):
                return False
        return True

    return each


def all_of(parts: Sequence[Part]) -> Condition:
    """Combine the conditions of a mapping into one that holds if all of them hold."""
    return conjunction([p.holds for p in parts], [p.holds for p in parts if p.key not in _IN_ORDER])


def conjunction(conditions: Sequence[Condition], anywhere: Sequence[Condition] | None = None) -> Condition:
    """Combine conditions into one that holds if all of them hold.

    Parsing takes longer than everything else, so a sentence is parsed only if no condition fails without it.

    Args:
        conditions: The conditions, in the order they are tried.
        anywhere: The conditions that may be tried out of order; None means all.
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
    """Whether a condition fails without a parse."""
    try:
        return not condition(view)
    except NeedsParse:
        return False
