"""Packages that are also a function: ``jperrant.align(hyp, ref)`` beside ``jperrant.align.sentences``."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


class CallablePackage(ModuleType):
    """A package that a call passes on to one function of its modules, which is imported only then.

    A function ``jperrant.align`` would hide the package ``jperrant.align``, or be hidden by it, as one or the
    other is imported last; being both at once does not depend on the order. The package's ``FUNCTION`` names
    module and function.
    """

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The function; ``inspect.signature`` and ``help`` show its signature."""
        module, name = self.__dict__["FUNCTION"]
        found: Callable[..., Any] = getattr(import_module(module), name)
        return found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.__wrapped__(*args, **kwargs)
