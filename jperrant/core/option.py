"""An option: the field of a dataclass with what a person needs to know to set it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any


def option(default: Any, help: str, choices: Sequence[str] = ()) -> Any:
    """Return the field of a scorer that is an option of its metric.

    Args:
        default: Its value where it is not given.
        help: What it does, in one sentence.
        choices: The values it can have, if they can be listed.
    """
    return field(default=default, metadata={"help": help, "choices": tuple(choices)})
