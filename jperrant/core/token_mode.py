"""What the tokens of a text are."""

from __future__ import annotations

from enum import StrEnum

from jperrant.core.named import member


class TokenMode(StrEnum):
    """What the tokens of a text are; each value is also its name on the command line.

    Attributes:
        GIVEN: Tokens are separated by white space.
        WORDS: The models segment the text into words.
        CHARACTERS: Every character is a token; white space is none.
    """

    GIVEN = "given"
    WORDS = "words"
    CHARACTERS = "characters"

    @classmethod
    def from_name(cls, name: str) -> TokenMode:
        """Return the mode of a name.

        Raises:
            UsageError: There is no such mode; the message lists them.
        """
        return member(cls, name, "tokens")

    @property
    def segments(self) -> bool:
        """Whether texts are segmented into tokens, rather than split at white space."""
        return self is not TokenMode.GIVEN
