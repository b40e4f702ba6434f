"""The keys of a recipe, each checked as it is taken, so that what is wrong is said in one line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from jperrant.core.errors import FormatError, nearest


class Keys:
    """The keys of one mapping of a recipe; one without a value counts as absent.

    Args:
        found: The mapping.
        known: The keys there are.
        path: The recipe, for messages.
        place: Where the mapping stands in it, for messages, such as ``"teacher: "``.

    Raises:
        FormatError: It is no mapping, or has an unknown key.
    """

    def __init__(self, found: Any, known: Sequence[str], path: str, place: str = "") -> None:
        self._path, self._place = path, place
        if not isinstance(found, Mapping):
            what = f"{place.removesuffix(': ')}: found {found!r}, " if place else ""
            raise FormatError(path, None, f"{what}expected a mapping of keys to values")
        for key in found:
            if key not in known:
                hint = f"{nearest(str(key), known)}; expected one of {', '.join(known)}"
                raise FormatError(path, None, f"{place}unknown key {key!r}{hint}")
        self._found = {key: value for key, value in found.items() if value is not None}

    def __contains__(self, key: str) -> bool:
        return key in self._found

    def __iter__(self) -> Any:
        return iter(self._found)

    def text(self, key: str, default: str = "") -> str:
        """Return the text of a key.

        Raises:
            FormatError: It is something else; so for all keys.
        """
        value = self._found.get(key, default)
        if not isinstance(value, str):
            raise self._unlike(key, value, "text")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts of a key, which may be one alone."""
        value = self._found.get(key, [])
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise self._unlike(key, value, "a text or a list of texts")
        return tuple(texts)

    def names(self, key: str, known: Sequence[str]) -> tuple[str, ...]:
        """Return the texts of a key, all of them known ones."""
        for name in (names := self.texts(key)):
            if name not in known:
                hint = f"{nearest(name, known)}; expected some of {', '.join(known)}"
                raise FormatError(self._path, None, f"{self._place}{key}: unknown {name!r}{hint}")
        return names

    def mapping(self, key: str) -> dict[str, Any]:
        """Return the mapping of a key."""
        value = self._found.get(key, {})
        if not isinstance(value, dict):
            raise self._unlike(key, value, "a mapping")
        return value

    def inner(self, key: str, known: Sequence[str]) -> Keys:
        """Return the mapping of a key as keys of its own."""
        return Keys(self._found.get(key, {}), known, self._path, f"{self._place}{key}: ")

    def number(self, key: str, kind: type[int] | type[float], above: bool = False) -> Any:
        """Return the number of a key, not negative, nor 0 if ``above``."""
        return self._number(key, self._found[key], kind, above)

    def numbers(self, key: str, kind: type[int] | type[float]) -> dict[str, Any]:
        """Return the mapping of a key, of texts to numbers that are not negative."""
        return {
            str(name): self._number(f"{key}: {name}", value, kind)
            for name, value in self.mapping(key).items()
        }

    def like(self, key: str, usual: Mapping[str, Any]) -> dict[str, Any]:
        """Return the mapping of a key; what is a number in the usual one is one here, too."""
        kinds = {name: type(value) for name, value in usual.items() if type(value) in (int, float)}
        return {
            name: self._number(f"{key}: {name}", value, kinds[name]) if name in kinds else value
            for name, value in self.mapping(key).items()
        }

    def share(self, key: str) -> float:
        """Return the share of a key: from 0 to less than 1."""
        share: float = self._number(key, self._found[key], float)
        if share >= 1:
            raise self._unlike(key, share, "a number from 0 to less than 1")
        return share

    def schedule(self, key: str) -> tuple[tuple[int, float], ...]:
        """Return the restarts of a key: how many steps, and the learning rate."""
        value = self._found.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, list) and len(one) == 2 for one in value):
            raise self._unlike(key, value, "a list of [steps, learning rate]")
        return tuple(
            (self._number(f"{key}: steps", steps, int), self._number(f"{key}: learning rate", rate, float))
            for steps, rate in value
        )

    def _number(self, key: str, value: Any, kind: type[int] | type[float], above: bool = False) -> Any:
        number = _read(value)
        fits = isinstance(number, (int, kind)) and not isinstance(number, bool)
        if not fits or not math.isfinite(number) or number < 0 or (above and not number):
            noun = "whole number" if kind is int else "number"
            raise self._unlike(key, value, f"a {noun} above 0" if above else f"0 or a larger {noun}")
        return kind(number)

    def _unlike(self, key: str, value: Any, expected: str) -> FormatError:
        return FormatError(self._path, None, f"{self._place}{key}: found {value!r}, expected {expected}")


def _read(value: Any) -> Any:
    """Return ``1e-3`` as a number, which is text to YAML 1.1."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value
