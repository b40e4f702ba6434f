"""Language packs: read, merged with those they extend, checked by one model, and compiled.

A pack is a folder with a ``pack.yaml`` and, where YAML cannot say it, a ``hooks.py``. Built-in packs live in
``jperrant.langpacks``, others come from entry points of the group ``jperrant.langpacks`` or from a folder
the user names. A pack is data until it is asked for: only then is its ``hooks.py`` run.

``yaml_file`` reads YAML with its lines, ``read`` finds and merges what a pack says, ``keys`` checks it, and
``pack`` compiles it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jperrant.packs.discovery import GENERIC, iter_packs, known_packs
    from jperrant.packs.languages import stanza_languages
    from jperrant.packs.pack import Pack, load_pack
    from jperrant.packs.read import DEFAULT_LANGUAGE, pack_data, pack_keys, unsaid_language

#: Where each name lives; imported when it is first asked for, as compiling packs needs the whole rule language.
_HOME_OF = {
    "GENERIC": "discovery",
    "iter_packs": "discovery",
    "known_packs": "discovery",
    "stanza_languages": "languages",
    "Pack": "pack",
    "load_pack": "pack",
    "DEFAULT_LANGUAGE": "read",
    "pack_data": "read",
    "pack_keys": "read",
    "unsaid_language": "read",
}
__all__ = [
    "DEFAULT_LANGUAGE",
    "GENERIC",
    "Pack",
    "iter_packs",
    "known_packs",
    "load_pack",
    "pack_data",
    "pack_keys",
    "stanza_languages",
    "unsaid_language",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'jperrant.packs' has no attribute {name!r}")
    value = getattr(import_module(f"jperrant.packs.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value
