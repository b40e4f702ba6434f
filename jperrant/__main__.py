"""``python -m jperrant``, the same as the program ``jperrant``."""

from jperrant.cli.main import run

if __name__ == "__main__":
    run()
