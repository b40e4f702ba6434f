"""Conditions of the rule language: each YAML key becomes a function from an edit to true or false.

The reference in docs/packs.md explains every key. A condition is checked when the pack is read, so that a
misspelt key or value is an error that names it and never a rule that silently does not fire.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from jperrant.data import Token
from jperrant.edits.properties import PROPERTIES, Getter
from jperrant.edits.view import EditView, NeedsParse
from jperrant.errors import PackError, nearest

Condition = Callable[[EditView], bool]
Side = Sequence[Token]
Hooks = Mapping[str, Condition]
Lists = Mapping[str, Sequence[str]]
_TokenTest = Callable[[EditView, Token], bool]
_SideTest = Callable[[EditView, Side], bool]


class Compiler:
    """Turns the conditions of one pack into functions.

    Args:
        hooks: The pack's own conditions, by name.
        lists: Named word lists, written ``$name`` in a condition.
        properties: The pack's own properties of tokens, which may take the place of built-in ones.
    """

    def __init__(
        self, hooks: Hooks, lists: Lists, properties: Mapping[str, Getter] = MappingProxyType({})
    ) -> None:
        self.hooks, self.lists = hooks, lists
        self.properties = PROPERTIES | {name: _checked(name, get) for name, get in properties.items()}

    def getter(self, name: str) -> Getter:
        """Return the function that reads a property.

        Raises:
            PackError: There is no such property; names the nearest.
        """
        if name not in self.properties:
            known = self.properties
            raise PackError(f"unknown property {name!r}{nearest(name, known)}; known: {', '.join(known)}")
        return self.properties[name]

    def conditions(self, when: object) -> Condition:
        """Return the conjunction of the conditions in a mapping.

        Raises:
            PackError: A key or value is not of the language.
        """
        parts = [self._condition(key, value) for key, value in _mapping(when, "when").items()]
        return _all(parts)

    def _condition(self, key: str, value: object) -> Condition:
        if key in _EDIT_CONDITIONS:
            wanted = _boolean(key, value)
            test = _EDIT_CONDITIONS[key]
            return test if wanted else lambda view: not test(view)
        methods: dict[str, Callable[[Any], Condition]] = {
            "operation": self._operation,
            "source": lambda v: _on_source(self._side(v)),
            "target": lambda v: _on_target(self._side(v)),
            "both": lambda v: _on_both(self._side(v)),
            "either": lambda v: _on_either(self._side(v)),
            "same": self._same,
            "same_first": lambda v: self._same_at(v, 0),
            "same_last": lambda v: self._same_at(v, -1),
            "shared": self._shared,
            "values": self._values,
            "pair": self._pair,
            "similarity": lambda v: _similarity(self._number(v)),
            "hook": self._hook,
            "any": self._any,
            "not": self._not,
        }
        if key not in methods:
            known = [*_EDIT_CONDITIONS, *methods]
            raise PackError(
                f"unknown condition {key!r}{nearest(key, known)}; known: {', '.join(sorted(known))}"
            )
        return methods[key](value)

    # Conditions on the whole edit

    def _operation(self, value: object) -> Condition:
        wanted = frozenset(self._strings(value))
        if not wanted <= set("MUR"):
            raise PackError(f"operation is M, U or R, not {value!r}")
        return lambda view: view.operation in wanted

    def _same(self, value: object) -> Condition:
        getters = [self.getter(name) for name in self._strings(value)]

        def same(view: EditView) -> bool:
            source, target = view.source, view.target
            if len(source) != len(target):
                return False
            for get in getters:
                for a, b in zip(source, target, strict=True):
                    if get(view, a) != get(view, b):
                        return False
            return True

        return same

    def _same_at(self, value: object, at: int) -> Condition:
        getters = [self.getter(name) for name in self._strings(value)]
        return lambda view: (
            bool(view.source and view.target)
            and all([get(view, view.source[at]) == get(view, view.target[at]) for get in getters])
        )

    def _shared(self, value: object) -> Condition:
        get = self.getter(_string("shared", value))
        return lambda view: len(_found(view, get)) == 1

    def _values(self, value: object) -> Condition:
        tests = [(self.getter(n), frozenset(self._strings(v))) for n, v in _mapping(value, "values").items()]
        return lambda view: all([_found(view, get) == wanted for get, wanted in tests])

    def _pair(self, value: object) -> Condition:
        pairs = frozenset(frozenset(self._strings(pair)) for pair in _list("pair", value))
        return lambda view: (
            view.one_to_one
            and (frozenset((view.source[0].form.lower(), view.target[0].form.lower())) in pairs)
        )

    def _hook(self, value: object) -> Condition:
        name = _string("hook", value)
        if name not in self.hooks:
            raise PackError(
                f"unknown hook {name!r}{nearest(name, self.hooks)}: hooks.py of the pack lacks it"
            )
        return _guarded(name, self.hooks[name])

    def _any(self, value: object) -> Condition:
        options = [self.conditions(option) for option in _list("any", value)]
        return lambda view: any([option(view) for option in options])

    def _not(self, value: object) -> Condition:
        test = self.conditions(value)
        return lambda view: not test(view)

    # Conditions on the tokens of a side

    def _side(self, value: object) -> _SideTest:
        """Compile the tests of a side; a side without tokens passes none."""
        tests: list[_SideTest] = []
        token_tests: list[_TokenTest] = []
        for key, wanted in _mapping(value, "a side").items():
            if key == "tokens":
                tests.append(_count(self._number(wanted)))
            elif key in ("first", "last"):
                tests.append(self._edge(0 if key == "first" else -1, wanted))
            elif key == "sequence":
                tests.append(self._sequence(wanted))
            else:
                token_tests.append(self._token(key, wanted))
        if len(token_tests) == 1 and not tests:
            return _each(token_tests[0])
        each = _every(token_tests)
        return lambda view, side: bool(side) and all([t(view, side) for t in tests]) and each(view, side)

    def _edge(self, at: int, value: object) -> _SideTest:
        tests = [self._token(key, wanted) for key, wanted in _mapping(value, "first or last").items()]
        return lambda view, side: bool(side) and all(test(view, side[at]) for test in tests)

    def _sequence(self, value: object) -> _SideTest:
        items = [(self.getter(n), list(self._strings(v))) for n, v in _mapping(value, "sequence").items()]
        return lambda view, side: all([get(view, token) for token in side] == wanted for get, wanted in items)

    def _token(self, key: str, value: object) -> _TokenTest:
        if key in ("length", "alphabetic", "known"):
            return self._token_flag(key, value)
        get = self.getter(key)
        if isinstance(value, Mapping):
            return self._token_operator(key, value)
        wanted = frozenset(self._strings(value))
        return lambda view, token: get(view, token) in wanted

    def _token_operator(self, key: str, value: Mapping[str, object]) -> _TokenTest:
        get = self.getter(key)
        operators = {"not", "starts_with"}
        if len(value) != 1 or not set(value) <= operators:
            raise PackError(f"{key}: expected one of {', '.join(sorted(operators))}, found {dict(value)!r}")
        name, operand = next(iter(value.items()))
        words = self._strings(operand)
        if name == "not":
            unwanted = frozenset(words)
            return lambda view, token: get(view, token) not in unwanted
        prefixes = tuple(words)
        return lambda view, token: get(view, token).startswith(prefixes)

    def _token_flag(self, key: str, value: object) -> _TokenTest:
        if key == "length":
            number = self._number(value)
            return lambda _, token: number(len(token.form))
        wanted = _boolean(key, value)
        if key == "alphabetic":
            return lambda _, token: token.form.isalpha() is wanted
        return lambda view, token: view.vocabulary.knows(token.form) is wanted

    # Values

    def _strings(self, value: object) -> Sequence[str]:
        if isinstance(value, str):
            if not value.startswith("$"):
                return (value,)
            if value[1:] not in self.lists:
                raise PackError(f"unknown list {value!r}{nearest(value[1:], self.lists)}")
            value = self.lists[value[1:]]
        values = _list("a list of names", value)
        if not all(isinstance(v, str) for v in values):
            raise PackError(f"expected names, found {value!r} (YAML reads no, yes, on, off and numbers as other "
                            "values: put them in quotes)")  # fmt: skip
        return [str(v) for v in values]

    def _number(self, value: object) -> Callable[[float], bool]:
        """Compile a number, a list of numbers, or bounds on one."""
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return lambda x: round(x, 3) == value
        if isinstance(value, list) and all(isinstance(v, (int, float)) for v in value):
            return lambda x: round(x, 3) in value
        bounds = _mapping(value, "a number")
        unknown = set(bounds) - set(_BOUNDS)
        if unknown or not bounds:
            raise PackError(f"expected a number or bounds ({', '.join(_BOUNDS)}), found {value!r}")
        tests = []
        for name, bound in bounds.items():
            if not isinstance(bound, (int, float)):
                raise PackError(f"{name}: expected a number, found {bound!r}")
            tests.append((_BOUNDS[name], bound))
        return lambda x: all([test(x, bound) for test, bound in tests])


_BOUNDS: dict[str, Callable[[float, float], bool]] = {
    "above": lambda x, bound: x > bound,
    "at_least": lambda x, bound: x >= bound,
    "below": lambda x, bound: x < bound,
    "at_most": lambda x, bound: x <= bound,
}


def _each(test: _TokenTest) -> _SideTest:
    """Compile a test that every token of a side must pass; the quick case of ``_every``."""

    def each(view: EditView, side: Side) -> bool:
        for token in side:  # not all(): most sides have one token, for which a generator takes twice the time
            if not test(view, token):
                return False
        return bool(side)

    return each


def _every(tests: Sequence[_TokenTest]) -> _SideTest:
    """Compile tests that every token of a side must pass, the first one on all tokens first."""

    def every(view: EditView, side: Side) -> bool:
        for test in tests:
            for token in side:
                if not test(view, token):
                    return False
        return bool(side)

    return every


def _count(number: Callable[[float], bool]) -> _SideTest:
    return lambda _, side: number(len(side))


def _lowered(side: Side) -> list[str]:
    return [token.form.lower() for token in side]


def _same_text(view: EditView) -> bool:
    span = view.span
    return span.end - span.start == span.target_end - span.target_start and view.text == view.target_text


def _same_letters(view: EditView) -> bool:
    if len(view.source) == len(view.target) == 1:  # most edits
        return view.source[0].form.lower() == view.target[0].form.lower()
    return "".join(_lowered(view.source)) == "".join(_lowered(view.target))


def _same_words(view: EditView) -> bool:
    if len(view.source) == len(view.target) == 1:
        return view.source[0].form.lower() == view.target[0].form.lower()
    return len(view.source) == len(view.target) and sorted(_lowered(view.source)) == sorted(
        _lowered(view.target)
    )


def _prefix(view: EditView) -> bool:
    source, target = "".join(t.form for t in view.source), "".join(t.form for t in view.target)
    return source.startswith(target) or target.startswith(source)


#: Conditions that are simply true or false of an edit.
_EDIT_CONDITIONS: dict[str, Condition] = {
    "one_to_one": lambda view: len(view.source) == len(view.target) == 1,
    "same_text": _same_text,
    "same_letters": _same_letters,
    "same_words": _same_words,
    "prefix": _prefix,
}


def _all(parts: list[Condition]) -> Condition:
    if not parts:
        return lambda _: True
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:
        first, second = parts
        return lambda view: first(view) and second(view)

    def conjunction(view: EditView) -> bool:
        return all(part(view) for part in parts)

    return conjunction


def _on_source(test: _SideTest) -> Condition:
    return lambda view: test(view, view.source)


def _on_target(test: _SideTest) -> Condition:
    return lambda view: test(view, view.target)


def _on_both(test: _SideTest) -> Condition:
    """Compile a test of every side that has tokens."""
    return lambda view: (
        (not view.source or test(view, view.source)) and (not view.target or test(view, view.target))
    )


def _on_either(test: _SideTest) -> Condition:
    return lambda view: test(view, view.source) or test(view, view.target)


def _similarity(number: Callable[[float], bool]) -> Condition:
    return lambda view: number(view.similarity())


def _found(view: EditView, get: Getter) -> set[str]:
    found = {get(view, token) for token in view.source}
    found.update([get(view, token) for token in view.target])
    return found


def _guarded(name: str, hook: Condition) -> Condition:
    """Return a condition of a pack's own with its failures named."""

    def guarded(view: EditView) -> bool:
        try:
            return hook(view)
        except (NeedsParse, PackError):
            raise
        except Exception as error:
            raise PackError(
                f"condition {name!r} of hooks.py raises {type(error).__name__}: {error} "
                f"for {view.text!r} → {view.target_text!r}"
            ) from error

    return guarded


def _checked(name: str, get: Getter) -> Getter:
    """Return a property of a pack's own with its failures named."""

    def checked(view: EditView, token: Token) -> str:
        try:
            value = get(view, token)
        except (NeedsParse, PackError):
            raise
        except Exception as error:
            raise PackError(
                f"property {name!r} of hooks.py raises {type(error).__name__}: {error} for the token {token.form!r}"
            ) from error
        if not isinstance(value, str):
            raise PackError(f"property {name!r} of hooks.py returns {value!r}, which is no string")
        return value

    return checked


def _mapping(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise PackError(f"{where}: expected a mapping of names, found {value!r}")
    return value


def _list(where: str, value: object) -> Iterable[object]:
    if not isinstance(value, list) or not value:
        raise PackError(f"{where}: expected a list, found {value!r}")
    return value


def _string(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise PackError(f"{where}: expected a name, found {value!r}")
    return value


def _boolean(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise PackError(f"{where}: expected true or false, found {value!r}")
    return value
