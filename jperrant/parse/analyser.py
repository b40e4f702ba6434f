"""Analysers, which ``--models`` chooses: their protocol, and finding them by name.

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
#: Analysers of our own, imported only when asked for.
BUILT_IN = {
    "compact": "jperrant.parse.compact_analyser:CompactAnalyser",
    "stanza": "jperrant.parse.stanza_analyser:StanzaAnalyser",
    "spacy": "jperrant.parse.spacy_analyser:SpacyAnalyser",
}
STANDARD = "stanza"

# One letter is the drive of a path on Windows.
_NAMED = re.compile(r"(\w[\w.+-]+):(.*)", re.DOTALL)


class Parser(Protocol):
    """Turns text into analysed sentences, many at a time.

    The analysis of a sentence must not depend on the other sentences of a call.
    """

    @property
    def can_parse(self) -> bool:
        """Whether ``parse`` adds dependencies; where False rules do without."""
        ...

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens: one list of sentences for each text, in order.

        Without white space the tokens of a text, joined, are the text; their offsets count from the start of
        their sentence's own text.
        """
        ...

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences, in order, with lemma, UPOS, XPOS and FEATS; tokens stay as they are.

        Of a token with a UPOS nothing changes, and whatever else a token comes with is kept.
        """
        ...

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return tagged sentences, in order, with head and deprel."""
        ...


class Scheme(StrEnum):
    """How rules read the names of an analyser's dependency relations.

    Attributes:
        UD: They are those of Universal Dependencies; the pack renames them to the names that its rules use.
        CLEAR: They are names that the rules use already, as those of the English pack do, which are ERRANT's
            (the CLEAR style of ClearNLP); they are read as they stand.
    """

    UD = "ud"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Language:
    """The language that an analyser is asked for.

    Attributes:
        code: Code of the pack, such as ``en``.
        stanza: Stanza's code of the language; empty where it has none.
        compact: The pack's own models, or None.
        renames: Whether the pack renames relations of Universal Dependencies for its rules.
        tokens: The rules that cut raw text without models; None where white space alone does.
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
        name: What follows the analyser's own name in ``--models NAME:…``; may be empty.
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
        """Whether there are heads and relations; where False rules do without."""
        return False

    def identity(self) -> Iterable[Path | str]:
        """Return what analyses depend on: files, known by their contents, and names and versions as texts.

        What was annotated before is used again while all of this is the same; no models are loaded for it.
        """
        return [self.name]

    def check(self) -> None:  # noqa: B027 (nothing to check is a good answer)
        """Check that everything is there, before any text is read.

        Raises:
            MissingError: Models or packages are not installed.
        """

    def use_one_thread(self) -> None:  # noqa: B027
        """Have the libraries behind it use one thread: several processes share the cores."""

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens: one list of sentences for each text, in order.

        Without white space the tokens of a text, joined, are the text. Sentences may come with their analysis,
        which is then kept. By default a text is one sentence, cut at white space.
        """
        return [[sentence_of(text)] for text in texts]

    @abstractmethod
    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences, in order, with lemma, UPOS, XPOS and FEATS; tokens stay as they are.

        Where heads and relations come in the same step they may be there, too.
        """

    def relations_of(self, upos: str) -> frozenset[str] | None:  # noqa: ARG002
        """Return the relations that ``parse`` can give to words of a UPOS tag; None, as by default, for any.

        Rules that ask for a relation of an edit's words have a sentence parsed only where one of them can have it.
        """
        return None

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return tagged sentences, in order, with head and deprel."""
        return list(sentences)


class PretokenisedParser(Analyser):
    """Takes every sentence as it is; cuts raw text by the language's rules, without them at white space."""

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


#: Makes an analyser from what follows its name, and the language.
Factory: TypeAlias = Callable[[str, Language], Analyser]


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
        return PretokenisedParser(models, language)
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
