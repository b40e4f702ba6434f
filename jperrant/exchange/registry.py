"""Finding exchange formats by name: the built-in ones and those of other packages.

Another package adds a format with an entry point of the group ``jperrant.exchange_formats`` whose object is an
``ExchangeFormat``::

    [project.entry-points."jperrant.exchange_formats"]
    mytool = "mypackage.mymodule:MyFormat"
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from jperrant.core import packages
from jperrant.core.errors import UsageError, nearest
from jperrant.core.option import Declared, build, options_of
from jperrant.core.packages import entry_points, with_entries
from jperrant.exchange.base import ExchangeFormat

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "jperrant.exchange_formats"
#: Formats of our own, imported only when asked for.
BUILT_IN = {
    "inception": "jperrant.exchange.inception:InceptionFormat",
    "label-studio": "jperrant.exchange.label_studio:LabelStudioFormat",
    "brat": "jperrant.exchange.brat:BratFormat",
    "ua-gec": "jperrant.exchange.ua_gec:UaGecFormat",
    "bea-json": "jperrant.exchange.bea_json:BeaJsonFormat",
    "clc-xml": "jperrant.exchange.clc_xml:ClcXmlFormat",
    "iceec-tei": "jperrant.exchange.iceec_tei:IceecTeiFormat",
    "svala": "jperrant.exchange.svala:SvalaFormat",
    "conllu": "jperrant.exchange.conllu_misc:ConlluFormat",
    "review": "jperrant.exchange.review:ReviewFormat",
}
_SWITCH = {
    "yes": True,
    "true": True,
    "on": True,
    "1": True,
    "no": False,
    "false": False,
    "off": False,
    "0": False,
}


def formats() -> dict[str, str]:
    """Return every known format and where it comes from, as ``module:object``.

    Raises:
        UsageError: Two packages use one name; both are named.
    """
    return with_entries(BUILT_IN, _entry_points(), "exchange format")


def format_class(name: str) -> type[ExchangeFormat]:
    """Return what makes a format when it is called with options.

    Raises:
        UsageError: The format is unknown, or the package that brings it is broken.
    """
    known = formats()
    if name not in known:
        raise UsageError(
            f"unknown exchange format {name!r}{nearest(name, known)}; expected one of {', '.join(sorted(known))}"
        )
    return cast(type[ExchangeFormat], packages.imported(known[name], "exchange format"))


def importable() -> tuple[list[str], list[str]]:
    """Return the formats that can be used, and a line for each one whose package is broken.

    Raises:
        UsageError: Two packages use one name.
    """
    return packages.importable(sorted(formats()), format_class)


def make_format(spec: str) -> ExchangeFormat:
    """Return a format with its options.

    Args:
        spec: Its name, and after a colon its options as text (``inception:serialisation=json``).

    Raises:
        UsageError: The format or an option is unknown, or a value is impossible.
    """
    name = spec.partition(":")[0].strip()
    return cast(ExchangeFormat, with_options(spec, format_class(name), f"exchange format {name!r}"))


def with_options(spec: str, factory: Callable[..., Any], what: str) -> Any:
    """Return what a class makes of the options that stand behind its name.

    Args:
        spec: The name, and after a colon options as text (``NAME=VALUE`` separated by commas).
        factory: A dataclass of options.
        what: What it is, for messages.

    Raises:
        UsageError: An option is unknown, or a value is impossible.
    """
    text = spec.partition(":")[2]
    written = _written(text, {option.name: option for option in options_of(factory)}, what)
    return build(factory, what, written)


def _written(text: str, declared: dict[str, Declared], what: str) -> dict[str, Any]:
    """Return options that stand as text, ``NAME=VALUE`` separated by commas."""
    values: dict[str, Any] = {}
    for part in text.split(",") if text else []:
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        option = declared.get(key)
        # One that does not exist is refused, with the nearest name, when the format is made.
        values[key] = _value(option, value.strip() if equals else "yes", what) if option else value
    return values


def _value(option: Declared, text: str, what: str) -> Any:
    try:
        return _SWITCH[text.lower()] if option.kind is bool else option.kind(text)
    except (KeyError, ValueError):
        expected = {int: "a whole number", float: "a number", bool: "yes or no"}[option.kind]
        raise UsageError(f"{what}: {option.name}={text!r}, expected {expected}") from None


def _entry_points() -> list[EntryPoint]:
    return entry_points(group=GROUP)
