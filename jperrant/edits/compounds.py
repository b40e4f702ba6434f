"""Compounds: whether a word is made of others, with linking elements between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def compound_test(linking: Sequence[str]) -> Callable[[Sequence[str], str], bool]:
    """Return whether parts make up a word, with or without a linking element at each joint.

    >>> made_of = compound_test(["s"])
    >>> made_of(["arbet", "plats"], "arbetsplats"), made_of(["arbets", "plats"], "arbetplats")
    (True, True)

    Args:
        linking: Linking elements, in lower case. A part may have one where the word has none, too.
    """
    elements = ["", *sorted({element for element in linking if element})]

    def made_of(parts: Sequence[str], word: str) -> bool:
        ends = {0}
        for part in parts[:-1]:
            stems = [part] + [part.removesuffix(e) for e in elements if e and part.endswith(e) and part != e]
            ends = {
                end + len(stem) + len(element)
                for end in ends
                for stem in stems
                for element in elements
                if word.startswith(stem + element, end)
            }
        return any([word[end:] == parts[-1] for end in ends])

    return made_of
