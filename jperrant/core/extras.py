"""Optional packages, imported where they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from jperrant.core.errors import MissingExtraError


def import_extra(module: str, extra: str) -> Any:
    """Import a module that comes with an extra of jperrant.

    Args:
        module: Its import name.
        extra: The extra that installs it.

    Raises:
        MissingExtraError: It cannot be imported; the message holds the pip line.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{module} cannot be imported ({error}); pip install 'jperrant[{extra}]'"
        ) from error
