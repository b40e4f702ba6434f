"""Analysers: their protocol, and how the value of ``--models`` chooses one.

``NAME:REST`` chooses the analyser NAME and gives it REST (``spacy:en_core_web_sm``). A value without a colon is a
package of the pack's own models (``compact`` and others), which the analyser ``compact`` runs; or any other package
or folder, which ``stanza`` runs; or ``none``, which analyses nothing.

Another Python package adds an analyser by an entry point of the group ``jperrant.analysers``. Its object is a
subclass of ``Analyser``, or a function that takes a name and a language and returns an analyser::

    [project.entry-points."jperrant.analysers"]
    mytagger = "mypackage.mymodule:MyAnalyser"
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Protocol, TypeAlias, cast

from jperrant.core.errors import MissingExtraError, UsageError, nearest
from jperrant.core.packages import entry_points, with_entries
from jperrant.core.paths import exists
from jperrant.core.text import sentence_of
from jperrant.core.values import Sentence
from jperrant.parse.models import COMPACT, NONE, is_own_package
from jperrant.parse.rule_tokenizer import TokenRules

GROUP = "jperrant.analysers"
#: The built-in analysers, imported on demand.
BUILT_IN = {
    "compact": "jperrant.parse.compact_analyser:CompactAnalyser",
    "stanza": "jperrant.parse.stanza_analyser:StanzaAnalyser",
    "spacy": "jperrant.parse.spacy_analyser:SpacyAnalyser",
}
STANDARD = "stanza"

# A single letter is the drive of a Windows path.
_NAMED = re.compile(r"(\w[\w.+-]+):(.*)", re.DOTALL)


class Parser(Protocol):
    """Turns text into analysed sentences, many at a time.

    The analysis of a sentence must not depend on the other sentences of a call.
    """

    @property
    def can_parse(self) -> bool:
        """Whether ``parse`` adds dependencies; if not, rules work without them."""
        ...

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens: one list of sentences for each text, in order.

        The tokens of a text hold all its characters except white space, in order. Offsets count from the start of
        the sentence.
        """
        ...

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences, in order, with lemma, UPOS, XPOS and FEATS; tokens stay as they are.

        A token that already has a UPOS does not change; other tokens keep the fields that are filled.
        """
        ...

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return tagged sentences, in order, with head and deprel."""
        ...


class Scheme(StrEnum):
    """How rules interpret the names of an analyser's dependency relations.

    Attributes:
        UD: Relations of Universal Dependencies, which the pack renames to the names in its rules.
        CLEAR: Relations in the CLEAR style of ClearNLP, which ERRANT's rules and the English pack use; they are not
            renamed.
    """

    UD = "ud"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Language:
    """The language for which an analyser is made.

    Attributes:
        code: Code of the pack, such as ``en``.
        stanza: Stanza's code of the language; empty where it has none.
        compact: The pack's own models, or None.
        renames: Whether the pack renames relations of Universal Dependencies for its rules.
        tokens: The rules that tokenise raw text without models; None to cut at white space alone.
    """

    code: str
    stanza: str = ""
    compact: Path | None = None
    renames: bool = False
    tokens: TokenRules | None = None


class Analyser(ABC):
    """Turns text into analysed sentences; subclasses tag, and do more where they can.

    The analysis of a sentence must not depend on the other sentences of a call. Making an analyser is cheap: it
    finds its models and loads them when ``check`` or one of the verbs is called.

    Args:
        name: The text after the analyser's name in ``--models NAME:…``; may be empty.
        language: The language that is asked for.

    Attributes:
        tokenizes: Whether ``tokenize`` segments raw text better than white space does.
        scheme: How rules read the names of its relations.
    """

    tokenizes: bool = False
    scheme: Scheme = Scheme.UD

    def __init__(self, name: str, language: Language) -> None:
        self.name, self.language = name, language

    @property
    def can_parse(self) -> bool:
        """Whether ``parse`` adds heads and relations; if not, rules work without them."""
        return False

    def identity(self) -> Iterable[Path | str]:
        """Return what analyses depend on: model files (by content), names and versions as strings.

        Kept annotations are used again as long as all of this is the same. No models are loaded.
        """
        return [self.name]

    def check(self) -> None:  # noqa: B027 (nothing to check is a good answer)
        """Check that everything is installed, before any text is read.

        Raises:
            MissingError: Models or packages are not installed.
        """

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens: one list of sentences for each text, in order.

        The tokens of a text hold all its characters except white space, in order. An analysis that comes with
        them is kept. By default a text is one sentence, cut at white space.
        """
        return [[sentence_of(text)] for text in texts]

    @abstractmethod
    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences, in order, with lemma, UPOS, XPOS and FEATS; tokens stay as they are.

        Heads and relations may be there, too, if the analyser finds them in the same step.
        """

    def relations_of(self, upos: str) -> frozenset[str] | None:  # noqa: ARG002
        """Return the relations that ``parse`` can give to words with a UPOS tag; None (default) means any.

        A sentence is parsed only if a rule asks for a relation that a word of the edit can have.
        """
        return None

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return tagged sentences, in order, with head and deprel."""
        return list(sentences)


class PretokenisedParser(Analyser):
    """Analyses nothing; cuts raw text by the rules of the language, or at white space if it has none."""

    def __init__(self, name: str = "", language: Language | None = None) -> None:
        super().__init__(name, language or Language(""))
        self.tokenizes = self.language.tokens is not None

    def identity(self) -> Iterable[Path | str]:
        """Return nothing: there are no models."""
        return []

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens."""
        rules = self.language.tokens
        return [rules.sentences(text) for text in texts] if rules else super().tokenize(texts)

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences as they are."""
        return list(sentences)


#: Makes an analyser from its argument and the language.
Factory: TypeAlias = Callable[[str, Language], Analyser]


def analysers() -> dict[str, str]:
    """Return every known analyser and where it comes from, as ``module:object``.

    Raises:
        UsageError: Two packages use one name; both are named.
    """
    return with_entries(BUILT_IN, entry_points(GROUP), "analyser")


def find_analyser(models: str, language: Language) -> Analyser:
    """Return the analyser that a user asked for; its models are located but not loaded.

    Args:
        models: ``NAME:REST``, a package, a folder, or ``none``.
        language: The language.

    Raises:
        UsageError: There is no analyser of that name.
        MissingError: Models, or the package of the analyser, are not installed.
    """
    if models == NONE:
        return PretokenisedParser(models, language)
    name, rest = _name_and_rest(models)
    if rest == models and is_own_package(models, language.stanza, language.compact):
        name = COMPACT
    return _factory(name)(rest, language)


def stanza_models(models: str) -> str:
    """Return ``models`` if it names models of Stanza, for functions that work only with these.

    Raises:
        UsageError: The models are another analyser's.
    """
    name, rest = _name_and_rest(models)
    if name != STANDARD:
        raise UsageError(f"found {models}, expected Stanza models: this command works with no other analyser")
    return rest


def _name_and_rest(models: str) -> tuple[str, str]:
    """Return the name of the analyser and its argument."""
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
