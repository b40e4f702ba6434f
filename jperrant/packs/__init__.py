"""Language packs: finding, reading, validating and inheriting them.

A pack is a folder with a ``pack.yaml`` and, where YAML cannot say it, a ``hooks.py``. Built-in packs live in
``jperrant.langpacks``, others come from entry points of the group ``jperrant.langpacks`` or from a folder
the user names. A pack is data until it is asked for: only then is its ``hooks.py`` run.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jperrant.packs.discovery import GENERIC, iter_packs, known_packs, stanza_languages
    from jperrant.packs.keys import DEFAULT_LANGUAGE, dictionary_of, pack_keys, stanza_code, unsaid_language
    from jperrant.packs.load import load_pack
    from jperrant.packs.pack import Pack

__all__ = [
    "DEFAULT_LANGUAGE",
    "GENERIC",
    "Pack",
    "dictionary_of",
    "iter_packs",
    "known_packs",
    "load_pack",
    "pack_keys",
    "stanza_code",
    "stanza_languages",
    "unsaid_language",
]

#: Where each name lives; imported when it is first asked for, as compiling packs needs the whole rule language.
_HOMES = {
    "jperrant.packs.discovery": ("GENERIC", "iter_packs", "known_packs", "stanza_languages"),
    "jperrant.packs.keys": (
        "DEFAULT_LANGUAGE",
        "dictionary_of",
        "pack_keys",
        "stanza_code",
        "unsaid_language",
    ),
    "jperrant.packs.load": ("load_pack",),
    "jperrant.packs.pack": ("Pack",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'jperrant.packs' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value
