"""Optional packages: imported where they are used, and asked for in one line where they are missing."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Any

from jperrant.core.errors import MissingExtraError

PACKAGE = "jperrant"
#: The extra that brings Stanza and torch.
STANZA = "stanza"
#: The extra that brings the transformers library and torch.
ENCODERS = "encoders"
#: The extra that brings the client of language models over the network.
LLM = "llm"
#: The extra that brings spaCy.
SPACY = "spacy"


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
            f"{module} cannot be imported ({error}); run: {install_command([requirement(extra)])}"
        ) from error


def check_extra(modules: Iterable[str], extra: str) -> None:
    """Check that an extra of jperrant is installed, without importing anything.

    Args:
        modules: Top-level modules that it brings.
        extra: Its name.

    Raises:
        MissingExtraError: One is not installed; the message holds the pip line.
    """
    missing = missing_modules(modules)
    if missing:
        raise MissingExtraError(
            f"not installed: {', '.join(missing)}; run: {install_command([requirement(extra)])}"
        )


def missing_modules(modules: Iterable[str]) -> list[str]:
    """Return the top-level modules that are not installed; none is imported."""
    return [module for module in modules if not _is_installed(module)]


def requirement(extra: str) -> str:
    """Return what ``pip install`` takes to bring an extra of jperrant."""
    return f"{PACKAGE}[{extra}]"


def install_command(requirements: Iterable[str]) -> str:
    """Return the command that installs packages, quoted for a shell.

    Args:
        requirements: What ``pip install`` takes. Extras of jperrant become those of the clone, where jperrant was
            installed from one, because no index may have this version.
    """
    folder, editable = _clone(_origin())
    arguments, local = [], False
    for name in dict.fromkeys(requirements):
        is_this_package = folder is not None and name.startswith(f"{PACKAGE}[")
        local = local or is_this_package
        argument = f".{name.removeprefix(PACKAGE)}" if is_this_package else name
        arguments.append(("-e " if is_this_package and editable else "") + quote(argument))
    where = f" (in {folder})" if local and folder != Path.cwd() else ""
    return f"pip install {' '.join(arguments)}{where}"


def _origin() -> str:
    """Return where jperrant was installed from, as JSON; empty if that is not recorded.

    In a clone the build's own metadata may be found first, which does not say.
    """
    from importlib.metadata import Distribution  # which takes long to import

    origins = (
        distribution.read_text("direct_url.json") for distribution in Distribution.discover(name=PACKAGE)
    )
    return next((origin for origin in origins if origin), "")


def _clone(origin: str) -> tuple[Path | None, bool]:
    """Return the folder that jperrant was installed from, if it was one, and whether it is editable.

    Source: PEP 610, Recording the Direct URL Origin of installed distributions.
    """
    import json
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    content = json.loads(origin) if origin else {}
    if "dir_info" not in content:
        return None, False
    folder = Path(url2pathname(urlsplit(content["url"]).path))
    return folder, bool(content["dir_info"].get("editable"))


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
