"""The options of an annotator, as one value that other processes can take."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jperrant.core.text import Splitting, TokenMode
from jperrant.core.values import DEFAULT_LABELS
from jperrant.packs.dictionary import AUTO
from jperrant.parse.models import COMPACT, NONE

#: The code of the pack for texts in any language.
ANY_LANGUAGE = "generic"


@dataclass(frozen=True, slots=True)
class AnnotatorOptions:
    """The arguments of ``load``, which see; a value that pickles."""

    lang: str | None = None
    models: str = COMPACT
    pack: str | None = None
    merging: str = "rules"
    lev: bool = False
    labels: str = DEFAULT_LABELS
    tokens: str = TokenMode.GIVEN
    lexicon: str | None = None
    hooks: bool | None = None
    dictionary: str = AUTO
    split_on: str = Splitting.AUTO

    @property
    def language(self) -> str:
        """The language, also where it was not given."""
        from jperrant.packs.read import DEFAULT_LANGUAGE  # with YAML, which scores of M2 do without

        return self.lang or DEFAULT_LANGUAGE

    @property
    def unsaid(self) -> str:
        """What to say where no language was given; empty where one was, or a pack."""
        from jperrant.packs.read import unsaid_language

        return unsaid_language(self.lang, self.pack)

    def files(self) -> list[str]:
        """Return the files of packs and of words that are read, of which no output must be one.

        Raises:
            PackError: There is no such pack, or the dictionary is not where it should be.
        """
        from jperrant.packs.pack import files_of

        return files_of(self.language, self.pack, self.lexicon, self.dictionary)

    def without_models(self) -> AnnotatorOptions:
        """Return the same options without any analysis: enough where only tokens are compared, in any language."""
        return replace(self, models=NONE, lang=self.lang or ANY_LANGUAGE)
