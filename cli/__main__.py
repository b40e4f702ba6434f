"""``python -m jperrant.cli``, the same as ``python -m jperrant`` and the program ``jperrant``."""

from jperrant.cli.main import run

run()
