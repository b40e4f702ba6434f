"""The options of an annotator as one value, which can be pickled for other processes."""

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
    """The arguments of :func:`jperrant.load`."""

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
        """The code of the language; the default language if none is given."""
        from jperrant.packs.read import DEFAULT_LANGUAGE  # with YAML, which scores of M2 do without

        return self.lang or DEFAULT_LANGUAGE

    @property
    def unsaid(self) -> str:
        """The warning that no language was given; empty if one, or a pack, was given."""
        from jperrant.packs.read import unsaid_language

        return unsaid_language(self.lang, self.pack)

    def files(self) -> list[str]:
        """Return the files of packs and word lists, which no output may overwrite.

        Raises:
            PackError: The pack is unknown, or the dictionary is missing.
        """
        from jperrant.packs.pack import files_of

        return files_of(self.language, self.pack, self.lexicon, self.dictionary)

    def without_models(self) -> AnnotatorOptions:
        """Return the options without models, for any language; sufficient if types do not matter."""
        return replace(self, models=NONE, lang=self.lang or ANY_LANGUAGE)
