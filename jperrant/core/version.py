"""The version of jperrant: reading it from the metadata of the installed package takes longer than most scores."""

#: As in ``pyproject.toml``; ``.ci/release`` writes both.
VERSION = "0.1.0"
