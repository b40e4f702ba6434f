"""The version of jperrant; to read it from the metadata of the package would take longer than most scoring."""

#: As in ``pyproject.toml``; ``.ci/release`` writes both.
VERSION = "0.2.0"
