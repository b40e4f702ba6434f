"""Other packages: entry points that extend jperrant, optional extras, versions, and checksums of code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from jperrant.core.errors import JperrantError, MissingExtraError, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PACKAGE = "jperrant"
#: The extras that install Stanza, transformers, the client for language models over the network, and spaCy.
STANZA, ENCODERS, LLM, SPACY = "stanza", "encoders", "llm", "spacy"


def entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, such as ``jperrant.metrics``, in all packages on ``sys.path``."""
    return list(_entry_points(group, tuple(sys.path)))


@lru_cache(maxsize=16)
def _entry_points(group: str, _path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    import importlib.metadata  # slow to import: a tenth of a command's start; reading all entry points takes 10 ms

    return tuple(importlib.metadata.entry_points(group=group))


def with_entries(built_in: Mapping[str, str], entries: Iterable[EntryPoint], what: str) -> dict[str, str]:
    """Return the built-in names and those that packages add, each with its object as ``module:object``.

    Args:
        built_in: The names that come with jperrant.
        entries: The entry points of other packages.
        what: What a name stands for, for messages, such as ``metric``.

    Raises:
        UsageError: Two packages use one name; both are named.
    """
    known = dict(built_in)
    for entry in entries:
        if known.setdefault(entry.name, entry.value) != entry.value:
            raise UsageError(
                f"{what} {entry.name!r} is defined twice: {known[entry.name]} and {entry.value}; "
                "uninstall one of the packages"
            )
    return known


def imported(where: str, what: str) -> Any:
    """Import the object that an entry names.

    Args:
        where: As ``module:object``.
        what: What it is, for messages, such as ``metric``.

    Raises:
        UsageError: The package that brings it is broken.
    """
    module, _, attribute = where.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except Exception as error:
        package = module.partition(".")[0]
        # Another package can fail in any way while it is imported, such as one built for another numpy.
        if package == PACKAGE or isinstance(error, JperrantError):
            raise
        raise UsageError(
            f"{what} {where} cannot be imported ({error}); repair or uninstall the package {package}"
        ) from error


def importable(names: Iterable[str], load: Callable[[str], object]) -> tuple[list[str], list[str]]:
    """Return the names whose objects can be imported, and an error line for each of the others.

    Args:
        names: The names to try, such as those of all metrics.
        load: A function that imports the object of a name.
    """
    usable, broken = [], []
    for name in names:
        try:
            load(name)
        except JperrantError as error:
            broken.append(f"{name}: {error}")
        else:
            usable.append(name)
    return usable, broken


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
        modules: Top-level modules that the extra installs.
        extra: Its name.

    Raises:
        MissingExtraError: One is not installed; the message holds the pip line.
    """
    if missing := missing_modules(modules):
        command = install_command([requirement(extra)])
        raise MissingExtraError(f"not installed: {', '.join(missing)}; run: {command}")


def missing_modules(modules: Iterable[str]) -> list[str]:
    """Return those of the top-level modules that are not installed, without importing any."""
    return [module for module in modules if not _is_installed(module)]


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # such as the submodule of a package that is missing
        return False


def requirement(extra: str) -> str:
    """Return the requirement with which ``pip install`` installs an extra of jperrant."""
    return f"{PACKAGE}[{extra}]"


def install_command(requirements: Iterable[str]) -> str:
    """Return the command that installs packages, quoted for a shell.

    pip finds the extras of the installed jperrant, even of a clone, without asking an index for jperrant.

    Args:
        requirements: Requirements as ``pip install`` takes them.
    """
    return f"pip install {' '.join(map(quote, dict.fromkeys(requirements)))}"


def versions_of(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of those packages that are installed, by name."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    found = {}
    for name in packages:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


@lru_cache(maxsize=32)
def checksum_of_package(name: str) -> str:
    """Return a checksum of the code of an imported package or module, such as one that brings a metric.

    The files are read at the first call, soon after the import. The checksum is empty if there are no files.

    Args:
        name: Its top-level name, without a dot.
    """
    import hashlib  # slow to import: with OpenSSL, a tenth of the start of a command that needs no models

    module = sys.modules.get(name)
    files = [
        file for folder in getattr(module, "__path__", ()) for file in sorted(Path(folder).rglob("*.py"))
    ]
    if not files and (alone := getattr(module, "__file__", None)):
        files = [Path(alone)]
    code = b"".join([hashlib.sha256(file.read_bytes()).digest() for file in files])
    return hashlib.sha256(code).hexdigest() if files else ""


@contextmanager
def quiet_loading(transformers: Any) -> Iterator[None]:
    """Silence the library's progress bars and load reports, and restore its settings afterwards.

    Args:
        transformers: The imported library.
    """
    logging = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
