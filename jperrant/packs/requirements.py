"""The Python packages that the hooks of a pack need."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jperrant.core.errors import MissingExtraError
from jperrant.core.extras import install_command, missing_modules
from jperrant.core.messages import agree

#: A top-level module, and what pip takes: a name with extras and versions, and neither options nor addresses.
MODULE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
REQUIREMENT = re.compile(
    _NAME.pattern + r"(\[[A-Za-z0-9._,-]+\])?((===?|~=|!=|<=?|>=?)[A-Za-z0-9._*+!-]+,?)*"
)


def name_of(requirement: str) -> str:
    """Return the package that a requirement names.

    >>> name_of("jieba[all]>=0.42")
    'jieba'
    """
    name = _NAME.match(requirement)
    return name[0] if name else requirement


def missing_packages(requires: Mapping[str, str]) -> str:
    """Return what of a pack's ``requires`` is not installed, and the command that installs it; empty if nothing.

    No module is imported.
    """
    missing = missing_modules(requires)
    if not missing:
        return ""
    is_missing = agree(len(missing), "is", "are")
    command = install_command(requires[module] for module in missing)
    return f"{', '.join(missing)}, which {is_missing} not installed; run: {command}"


def check_requires(code: str, requires: Mapping[str, str]) -> None:
    """Check that what a pack requires is installed.

    Raises:
        MissingExtraError: It is not; the message holds the pip line.
    """
    missing = missing_packages(requires)
    if missing:
        raise MissingExtraError(f"pack {code!r} needs {missing}")
