"""The pack of a language by its code or name, or from a folder, compiled."""

from __future__ import annotations

from pathlib import Path

from jperrant.packs.dictionary import AUTO, check_files
from jperrant.packs.keys import pack_keys, place_of_dictionary
from jperrant.packs.lexicon import read_lexicon
from jperrant.packs.pack import Pack, build
from jperrant.packs.problems import raise_first


def load_pack(
    lang: str,
    folder: str | None = None,
    lexicon: str | None = None,
    hooks: bool | None = None,
    dictionary: str = AUTO,
) -> Pack:
    """Load the pack of a language.

    Args:
        lang: Code, alias or name of an installed pack (``en``, ``English``), or the code or name of any language
            Stanza knows, which gets the generic pack. Ignored where ``folder`` is given.
        folder: A folder with a pack of one's own.
        lexicon: A list of known words to use instead of the pack's list and dictionary; a Hunspell dictionary if
            its name ends in ``.dic``.
        hooks: Whether to run the ``hooks.py`` of the pack and of those it extends: False runs none, True all; None
            runs those of installed packs and of ``folder``, and warns of others.
        dictionary: Where the pack's Hunspell dictionary is: ``auto``, ``none``, a folder, or a ``.dic`` file.

    Raises:
        PackError: There is no such pack or language (known and nearest ones are named), or the pack is wrong.
    """
    keys, problems = pack_keys(lang, folder)
    raise_first(problems)
    if lexicon and lexicon.endswith(".dic"):
        keys.pop("lexicon", None)
    elif lexicon:
        read_lexicon(lexicon)  # so that an error names the file alone, not the pack
        keys["lexicon"] = lexicon
    keys["dictionaries"] = place_of_dictionary(lexicon, dictionary)
    if keys["dictionaries"].endswith(".dic"):
        check_files(Path(keys["dictionaries"]))  # the same
    pack, problems = build(keys, hooks)
    raise_first(problems)
    return pack
