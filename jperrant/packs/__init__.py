"""Language packs: finding, reading, merging, checking and compiling them.

A pack is a folder with a ``pack.yaml`` and, for what YAML cannot express, a ``hooks.py``. Built-in packs live
in ``jperrant.langpacks``; others come from entry points of the group ``jperrant.langpacks`` or from a folder
that the user names. A ``hooks.py`` runs only when its pack is loaded.

``yaml_file`` reads YAML with its line numbers, ``read`` finds a pack and the packs it extends, ``inheritance``
merges them, ``keys`` checks the result, and ``pack`` compiles it.
"""
