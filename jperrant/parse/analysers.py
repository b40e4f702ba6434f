"""Finding analysers by name: what ``--models`` and ``jperrant.load(models=…)`` choose.

``NAME:REST`` takes the analyser called NAME, and REST is its own (``spacy:en_core_web_sm``). Without such a name,
``compact`` and the other packages of a pack's own models are run by ``compact``, and all else (``default``, a
package, a folder) by ``stanza``; ``none`` adds nothing.

Another package adds an analyser with an entry point of the group ``jperrant.analysers`` whose object is a subclass
of ``Analyser``, or whatever makes one when it is called with a name and a language::

    [project.entry-points."jperrant.analysers"]
    mytagger = "mypackage.mymodule:MyAnalyser"
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias, cast

from jperrant.core.errors import MissingExtraError, UsageError, nearest
from jperrant.core.paths import exists
from jperrant.core.plugins import entry_points, with_entries
from jperrant.parse.analyser import Analyser, Language
from jperrant.parse.models import COMPACT, NONE, is_own_package
from jperrant.parse.pretokenised import PretokenisedParser

GROUP = "jperrant.analysers"
#: Analysers of our own, imported only when asked for.
BUILT_IN = {
    "compact": "jperrant.parse.compact_analyser:CompactAnalyser",
    "stanza": "jperrant.parse.stanza_analyser:StanzaAnalyser",
    "spacy": "jperrant.parse.spacy_analyser:SpacyAnalyser",
}
STANDARD = "stanza"

#: Makes an analyser from what follows its name, and the language.
Factory: TypeAlias = Callable[[str, Language], Analyser]

# One letter is the drive of a path on Windows.
_NAMED = re.compile(r"(\w[\w.+-]+):(.*)", re.DOTALL)


def analysers() -> dict[str, str]:
    """Return every known analyser and where it comes from, as ``module:object``.

    Raises:
        UsageError: Two packages use one name; both are named.
    """
    return with_entries(BUILT_IN, entry_points(GROUP), "analyser")


def find_analyser(models: str, language: Language) -> Analyser:
    """Return the analyser that a user asked for; its models are found and not loaded.

    Args:
        models: ``NAME:REST``, a package, a folder, or ``none``.
        language: The language.

    Raises:
        UsageError: There is no analyser of that name.
        MissingError: Models, or the package of the analyser, are not installed.
    """
    if models == NONE:
        return PretokenisedParser()
    name, rest = _name_and_rest(models)
    if rest == models and is_own_package(models, language.stanza, language.compact):
        name = COMPACT
    return _factory(name)(rest, language)


def stanza_models(models: str) -> str:
    """Return what names models of Stanza, for what works with those alone.

    Raises:
        UsageError: The models are another analyser's.
    """
    name, rest = _name_and_rest(models)
    if name != STANDARD:
        raise UsageError(f"found {models}, expected Stanza models: this command works with no other analyser")
    return rest


def _name_and_rest(models: str) -> tuple[str, str]:
    """Return the name of the analyser and what is its own."""
    match = _NAMED.fullmatch(models)
    if match is None or exists(models):
        return STANDARD, models
    name, rest = match.groups()
    known = analysers()
    if name not in known:
        raise UsageError(
            f"unknown analyser {name!r} in {models!r}{nearest(name, known)}; expected one of "
            f"{', '.join(sorted(known))}, "
            "or a package or folder of Stanza models without a prefix"
        )
    return name, rest


def _factory(name: str) -> Factory:
    module, _, attribute = analysers()[name].partition(":")
    try:
        return cast(Factory, getattr(import_module(module), attribute))
    except (ImportError, AttributeError) as error:
        raise MissingExtraError(
            f"analyser {name!r} cannot be loaded from {module}:{attribute} ({error}); reinstall the package "
            "that provides it"
        ) from error
