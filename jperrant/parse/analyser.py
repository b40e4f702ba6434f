"""What stands behind ``--models``: an analyser, and what it says of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from jperrant.core.text import sentence_of
from jperrant.core.values import Sentence


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
    """

    code: str
    stanza: str = ""
    compact: Path | None = None
    renames: bool = False


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
