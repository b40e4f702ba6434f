"""The formats that ``m2 convert`` reads and writes, and the options of one, as tables."""

from __future__ import annotations

from jperrant.core.option import options_of
from jperrant.core.tables import Cell, Table, render
from jperrant.exchange.base import ExchangeFormat, format_class, importable
from jperrant.m2tools.convert import made_format
from jperrant.m2tools.dialects import DIALECTS, Dialect
from jperrant.reporting.option_tables import option_row


def format_convertible(name: str = "") -> str:
    """Return one line for each format that can be used, or the options of one.

    Args:
        name: The format whose options are shown; empty for the list.

    Raises:
        UsageError: The format is unknown.
    """
    if name:
        factory = type(made_format(name))
        rows = tuple(option_row(option) for option in options_of(factory))
        loses = getattr(factory, "loses", "")
        title = f"{name}: {factory.description}"
        return render(
            [Table(("option", "default", "values", "meaning"), rows, title, (loses,) if loses else ())],
            "text",
        )
    usable, broken = importable()
    factories: dict[str, type[Dialect | ExchangeFormat]] = dict(DIALECTS)
    factories.update({name: format_class(name) for name in usable})
    lines = tuple(_row(name, factory) for name, factory in factories.items())
    note = "jperrant m2 convert --to FORMAT --list shows the options of one; give them as FORMAT:OPTION=VALUE,..."
    columns = ("format", "can be", "written as", "extra", "what it is")
    return render([Table(columns, lines, notes=(note, *broken))], "text")


def _row(name: str, factory: type[Dialect | ExchangeFormat]) -> tuple[Cell, ...]:
    if issubclass(factory, Dialect):
        ways, files, extra = {"read": factory.can_read, "written": True}, "a file", ""
    else:
        ways = {"read": factory.can_import, "written": factory.can_export}
        files, extra = factory.files, factory.extra
    can_be = " and ".join(way for way, possible in ways.items() if possible)
    return name, can_be, files, extra, factory.description
