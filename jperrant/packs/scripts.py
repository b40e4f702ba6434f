"""Whether a text is in a script that its language is written in, and which languages it may be in instead."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from jperrant.core.errors import InputError
from jperrant.packs.discovery import GENERIC, known_packs, table_of_languages
from jperrant.packs.pack import Pack
from jperrant.packs.yaml_loader import read_pack

#: Fewer letters tell nothing: a line may be ``Γ = 3``.
_FEWEST = 5
#: The least share of letters that must be of a language's scripts: names and terms may be in others.
_OWN = 0.2
#: Of fewer letters any will do: a sentence may have one word of the language, ``computer를``.
_FEW = 50
#: The least share that the scripts of a language must have for it to be likely.
_LIKELY = 0.8
_MOST_NAMED = 6


def script_problem(pack: Pack, characters: Mapping[str, int]) -> str:
    """Return what is wrong with a text in another script than those of a pack's language; empty if nothing is.

    Args:
        pack: The pack that the text is annotated with. One for any language takes every text.
        characters: How often each character occurs in a sample of the text.
    """
    own = _scripts(pack.stanza_lang or pack.code)
    found = Counter[str]()
    for character, count in characters.items():
        if character.isalpha():
            found[_script(character)] += count
    letters = {script: count for script, count in found.items() if script in _known_scripts()}
    total = sum(letters.values())
    if not own or total < _FEWEST or _share(letters, own) >= (_OWN if total >= _FEW else 1 / total):
        return ""
    likely = _likely(letters, dict(_codes_of_packs())) or _likely(
        letters, dict.fromkeys(table_of_languages(), "")
    )
    codes = [*likely[:_MOST_NAMED], *(["another"] if len(likely) > _MOST_NAMED else [])]
    script = max(letters, key=lambda name: letters[name])
    return (
        f"the text is in {script} letters, but {pack.name} ({pack.code}) is written in {' and '.join(own)}; "
        f"choose --lang={', '.join([*codes, ''])}or --lang={GENERIC} for a text in any language"
    )


def _script(letter: str) -> str:
    """Return the script of a letter as its Unicode name begins."""
    name = unicodedata.name(letter, "").partition(" ")[0].capitalize()
    return "Han" if name == "Cjk" else name


def _share(letters: Mapping[str, int], scripts: Sequence[str]) -> float:
    return sum(letters.get(script, 0) for script in scripts) / sum(letters.values())


def _likely(letters: Mapping[str, int], codes: Mapping[str, str]) -> list[str]:
    """Return codes of languages that write such letters, those with the fewest scripts first.

    Args:
        letters: How many letters there are of each script.
        codes: Stanza's codes by the codes to choose from; empty where they are the same.
    """
    scripts = {code: _scripts(stanza or code) for code, stanza in codes.items()}
    fitting = [code for code, own in scripts.items() if own and _share(letters, own) >= _LIKELY]
    return sorted(fitting, key=lambda code: (len(scripts[code]), len(code), code))


def _codes_of_packs() -> Iterator[tuple[str, str]]:
    """Yield the code of each installed pack with Stanza's code of its language."""
    for code, folder in known_packs().items():
        try:
            yield code, str(read_pack(folder).get("stanza", code))
        except InputError:  # an error of that pack, and of no concern to the others
            continue


@cache
def _known_scripts() -> frozenset[str]:
    return frozenset([script for one in table_of_languages().values() for script in one.scripts])


@cache
def _scripts(code: str) -> tuple[str, ...]:
    table = table_of_languages()
    language = table.get(code) or next((one for one in table.values() if code in one.others), None)
    return language.scripts if language else ()
