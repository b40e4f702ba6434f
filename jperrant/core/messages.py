"""Wording of messages: nouns and verbs that agree with a count."""

from __future__ import annotations

from collections.abc import Mapping


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


def differences(ours: Mapping[str, str], others: Mapping[str, str]) -> list[str]:
    """Return what two signatures do not agree on, a phrase for each name.

    Args:
        ours: Named settings of this run.
        others: Those of another run, or of another process.

    Example:
        >>> differences({"lang": "en", "raw": "true"}, {"lang": "sv", "raw": "true"})
        ['lang sv there, en here']
    """
    names = [*ours, *(name for name in others if name not in ours)]
    return [
        f"{name} {others.get(name, 'not given')} there, {ours.get(name, 'not given')} here"
        for name in names
        if ours.get(name) != others.get(name)
    ]
