"""Language packs: read, merged with those they extend, checked by one model, and compiled.

A pack is a folder with a ``pack.yaml`` and, where YAML cannot say it, a ``hooks.py``. Built-in packs live in
``jperrant.langpacks``, others come from entry points of the group ``jperrant.langpacks`` or from a folder
the user names. A pack is data until it is asked for: only then is its ``hooks.py`` run.

``yaml_file`` reads YAML with its lines, ``read`` finds a pack and those it extends, ``merge`` joins them,
``keys`` checks the result, and ``pack`` compiles it.
"""
