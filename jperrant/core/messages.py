"""Wording of messages: nouns and verbs that agree with a count."""

from __future__ import annotations


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return a count with its noun.

    Args:
        count: How many there are.
        noun: The noun for one.
        nouns: The noun for any other count; ``noun`` and an s if not given.

    Example:
        >>> plural(1, "sentence"), plural(2, "sentence"), plural(0, "entry", "entries")
        ('1 sentence', '2 sentences', '0 entries')
    """
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"


def agree(count: int, singular: str, plural: str) -> str:
    """Return the word that agrees with a count, as a verb does with its subject.

    Example:
        >>> f"{plural(1, 'sentence')} {agree(1, 'has', 'have')} no edits"
        '1 sentence has no edits'
    """
    return singular if count == 1 else plural
