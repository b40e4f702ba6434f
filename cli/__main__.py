"""``python -m jperrant.cli``, the same as the program ``jperrant``."""

from jperrant.cli.main import run

run()
