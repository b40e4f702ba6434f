"""What the pack of a language says, by its code or name, or from a folder: data, of which nothing is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jperrant.core.errors import PackError, nearest
from jperrant.packs import discovery
from jperrant.packs.dictionary import AUTO, find_dictionary
from jperrant.packs.dictionary import NONE as NO_DICTIONARY
from jperrant.packs.discovery import GENERIC, stanza_languages
from jperrant.packs.hook_files import FILE as HOOKS
from jperrant.packs.inherit import inherited, inherited_key
from jperrant.packs.problems import Problem, raise_first
from jperrant.packs.yaml_loader import FILE

#: What a text is taken for where nobody says its language.
DEFAULT_LANGUAGE = "en"
#: The longest of codes that are too short to guess from.
_SHORT = 3
#: How alike a name is to that of a language that may have been meant; there are over a hundred of them.
_ALIKE = 0.7


def pack_keys(lang: str, folder: str | None) -> tuple[dict[str, Any], list[Problem]]:
    """Return the keys of a pack with those of its ancestors filled in, and what is wrong; no Python of it is run.

    Raises:
        PackError: There is no such pack, or it cannot be read at all.
    """
    if folder is not None:
        return inherited(Path(folder))
    packs = discovery.known_packs()
    code = discovery.language_code(lang, packs)
    if path := discovery.unique(packs, code):
        return inherited(path)
    if code:
        keys, problems = inherited(packs[GENERIC])
        return keys | {"code": code, "stanza": code, "name": stanza_languages()[code]}, problems
    raise PackError(
        f"unknown language {lang!r}{_nearest_language(lang, packs)}; expected one of {', '.join(sorted(packs))}, "
        "another language of Stanza, or a folder given with --pack"
    )


def _nearest_language(lang: str, packs: Mapping[str, Path]) -> str:
    """Return the nearest name of a language; codes of two or three letters are all alike, so none is guessed."""
    language = lang.replace("_", "-").partition("-")[0]
    if language != lang and (code := discovery.language_code(language, packs)):
        return f" (did you mean {code!r}?)"
    names = {*discovery.names_of_languages(packs), *(code for code in packs if len(code) > _SHORT)}
    return nearest(lang, names, _ALIKE) if len(lang) > _SHORT else ""


def unsaid_language(lang: str | None, folder: str | None) -> str:
    """Return what to say where neither a language nor the folder of a pack was given; empty where one was."""
    if lang or folder:
        return ""
    name = pack_keys(DEFAULT_LANGUAGE, None)[0]["name"]
    return f"no language was given, so texts are annotated as {name}; --lang CODE says another"


def stanza_code(code: str, packs: Mapping[str, Path] | None = None) -> tuple[str, Path | None]:
    """Return Stanza's code of an installed pack's language and the folder of the pack's own models, if any.

    A code without a pack is taken for Stanza's own.

    Args:
        code: The code.
        packs: The installed packs; looked for if None.

    Raises:
        PackError: The pack is wrong.
    """
    packs = discovery.known_packs() if packs is None else packs
    folder = packs.get(code)
    if folder is None:
        return code, None
    keys, problems = inherited(folder, packs)
    raise_first(problems)
    return str(keys.get("stanza", "")), compact_models(keys)


def compact_models(keys: Mapping[str, Any]) -> Path | None:
    """Return the folder of the models that come with a pack or with one that it extends, or None.

    Models are inherited together with Stanza's code of the language: a pack with a code of its own has none.

    Args:
        keys: The keys of the pack, those of its ancestors filled in.
    """
    for folder in keys["chain"]:
        models = folder / "models"
        if (models / "resources.json").is_file():
            return models if inherited_key(folder, "stanza") == keys.get("stanza") else None
    return None


def dictionary_of(lang: str, folder: str | None, lexicon: str | None, dictionary: str) -> Path | None:
    """Return the Hunspell dictionary that a pack is loaded with, or None.

    Args:
        lang, folder, lexicon, dictionary: As in ``load_pack``.

    Raises:
        PackError: There is no such pack, or the dictionary is not where it should be.
    """
    keys, _ = pack_keys(lang, folder)
    name, where = keys.get("dictionary", ""), place_of_dictionary(lexicon, dictionary)
    return find_dictionary(name or keys["code"], keys["chain"], where) if name or where != AUTO else None


def files_of(lang: str, folder: str | None, lexicon: str | None, dictionary: str) -> list[str]:
    """Return the files that a pack is loaded from, as far as they may be the user's own.

    Args:
        lang, folder, lexicon, dictionary: As in ``load_pack``.

    Raises:
        PackError: There is no such pack, or the dictionary is not where it should be.
    """
    files = [lexicon] if lexicon else []
    if (path := dictionary_of(lang, folder, lexicon, dictionary)) is not None:
        files += [str(path), str(path.with_suffix(".aff"))]
    if folder is None:
        return files
    keys, _ = pack_keys(lang, folder)
    own = [place / name for place in keys["chain"] for name in (FILE, HOOKS)]
    if isinstance(examples := keys.get("examples"), str):
        own.append(keys["folder"] / examples)
    if "lexicon" in keys:
        own.append(Path(keys["lexicon"]))
    return [*files, *map(str, [*own, *keys["resources"]])]


def place_of_dictionary(lexicon: str | None, dictionary: str) -> str:
    """Return where a dictionary is: a word list of the user's own takes its place."""
    if lexicon and lexicon.endswith(".dic"):
        return lexicon
    return NO_DICTIONARY if lexicon and dictionary == AUTO else dictionary
