"""What it costs to align two Chinese characters.

After ChERRANT (Zhang et al. 2022), whose substitution costs add up meaning, class and similarity. Meaning needs
the thesaurus Cilin, which may not be passed on; every pair costs what ChERRANT takes for words that it lacks.
"""

from __future__ import annotations

from functools import lru_cache

from jperrant.langpacks.zh.characters import is_han, is_punctuation, look_alike, sound_alike

_MEANING = 4 / 6
#: By the number of punctuation marks among the two.
_CLASS = (0.25, 0.499, 0.0)
_DISSIMILARITY = 0.5


@lru_cache(maxsize=500_000)
def character_cost(form: str, other: str) -> float:
    """Return the cost of one character in the place of another, from .917 to 1.667: less than both apart."""
    alike = is_han(form) and is_han(other) and (sound_alike(form, other) or look_alike(form, other))
    return (
        _MEANING + _CLASS[is_punctuation(form) + is_punctuation(other)] + (0.0 if alike else _DISSIMILARITY)
    )
