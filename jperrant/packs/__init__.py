"""Language packs: read, merged with those they extend, checked by one model, and compiled.

A pack is a folder with a ``pack.yaml`` and, where YAML cannot say it, a ``hooks.py``. Built-in packs live in
``jperrant.langpacks``, others come from entry points of the group ``jperrant.langpacks`` or from a folder
the user names. A pack is data until it is asked for: only then is its ``hooks.py`` run.

``yaml_file`` reads YAML with its lines, ``read`` finds a pack and those it extends, ``merge`` joins them,
``keys`` checks the result, and ``pack`` compiles it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jperrant.packs.discovery import GENERIC, iter_packs, known_packs, stanza_languages
    from jperrant.packs.pack import Pack, load_pack
    from jperrant.packs.read import DEFAULT_LANGUAGE, pack_data, pack_keys, unsaid_language

#: Where names live; imported when one is first asked for, as compiling packs needs the whole rule language.
_HOMES = {
    "discovery": ("GENERIC", "iter_packs", "known_packs", "stanza_languages"),
    "pack": ("Pack", "load_pack"),
    "read": ("DEFAULT_LANGUAGE", "pack_data", "pack_keys", "unsaid_language"),
}
__all__ = [
    "DEFAULT_LANGUAGE", "GENERIC", "Pack", "iter_packs", "known_packs", "load_pack", "pack_data", "pack_keys",
    "stanza_languages", "unsaid_language",
]  # fmt: skip


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"jperrant.packs.{home}"), name)
    raise AttributeError(f"module 'jperrant.packs' has no attribute {name!r}")
