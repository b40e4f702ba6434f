"""The page builder: puts a template, its style and its script into one file that can run nothing else.

A template extends ``base.html`` and is filled by Jinja with autoescape: every value is text unless jperrant's own
code made it markup. Style and script are inlined. The page's Content-Security-Policy names both by their SHA-256
and allows nothing else, so a text that became markup by mistake could run and load nothing. Therefore templates
and scripts hold no ``style`` attributes and no ``on...`` attributes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from os import PathLike, fspath
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from jperrant.core.display import labels, printable
from jperrant.core.edits import edit_words
from jperrant.core.errors import UsageError
from jperrant.core.tables import format_of
from jperrant.core.version import VERSION
from jperrant.io.files import open_output
from jperrant.packs.keys import PackKeys
from jperrant.packs.read import pack_keys

if TYPE_CHECKING:  # a review needs no metric
    from jperrant.evaluation.metrics.base import Scorer

_ASSETS = "jperrant.reporting.html"
_EMPHASIS = re.compile(r"\*([^*]+)\*")
#: JSON of at least this length is compressed; shorter JSON stays readable in the page's source.
PACKED_FROM = 100_000
#: Characters that may end a script element or a line, that look like other characters, or that are not Unicode
#: text. They are written as JSON escapes, which mean the same.
_UNSAFE = re.compile("[<>&\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
#: Characters that XML 1.0 cannot hold (section 2.2), and control characters that it discourages.
_NOT_IN_XML = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
#: The pack that files without a language most often use.
_USUAL = "en"
_OPERATIONS = {"M": "missing", "U": "unnecessary", "R": "replacement"}
#: The number of shades of a table's figures.
_STEPS = 10


class SavedPage:
    """A finished page.

    Attributes:
        html: The whole page.
    """

    html: str

    def save(self, path: str | PathLike[str], inputs: Sequence[str] = ()) -> None:
        """Write the page to a file.

        Args:
            path: The file; ``-`` is standard output.
            inputs: Files that must not be overwritten.

        Raises:
            UsageError: The file is one of the inputs, or has the extension of another format.
            InputError: The file cannot be written.
        """
        check_page(fspath(path))
        with open_output(fspath(path), inputs) as stream:
            stream.write(self.html)


def check_page(path: str) -> None:
    """Check that an output does not have the extension of another format.

    Raises:
        UsageError: The output has the extension of another format; the message says how to print the page.
    """
    name = PurePath(path)
    try:
        format_of("html", path, known=("html",))
    except UsageError:
        page = name.with_suffix(".html")
        raise UsageError(
            f"{path}: the page is HTML, not {name.suffix[1:]}; write it with -o {page}, open it in a browser and "
            "print it there (to PDF, too)"
        ) from None


def render_page(
    template: str,
    *,
    title: str,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    data: Mapping[str, object] | None = None,
    **values: object,
) -> str:
    """Return a page as one self-contained file, ending in a newline.

    Args:
        template: A file of ``assets/`` that extends ``base.html``.
        title: The title of the browser window.
        styles: Files of ``assets/`` that follow ``base.css``.
        scripts: Files of ``assets/`` that follow ``base.js``, all in one scope; empty for a page without a script.
        data: Values that scripts read, by name (``jp.data(name)``).
        **values: The variables of the template.

    Raises:
        jinja2.TemplateError: The template uses a variable that is not given.
    """
    style = "".join(asset(name) for name in ("base.css", *styles))
    script = _wrapped([asset(name) for name in ("base.js", *scripts)]) if scripts else ""
    return (
        _environment()
        .get_template(template)
        .render(
            title=title,
            policy=content_policy(style, script),
            style=Markup(style),
            script=Markup(script),
            blocks=[data_block(name, value) for name, value in (data or {}).items()],
            program=f"jperrant {VERSION}",
            **values,
        )
        .rstrip("\n")
        + "\n"
    )


def drawing(name: str, *given: object) -> str:
    """Return the drawing of a macro of ``drawings.html`` as a file of XML, ending in a newline.

    Args:
        name: The macro.
        given: Its arguments.
    """
    macro = getattr(_environment().get_template("drawings.html").module, name)
    return _NOT_IN_XML.sub("\ufffd", str(macro(*given))).strip() + "\n"


def content_policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy of a page with this style and this script, and nothing else.

    Args:
        style, script: The exact content of the elements; empty if there are none.
    """
    allowed = {"style-src": style, "script-src": script}
    named = [f"{what} '{_digest(text)}'" for what, text in allowed.items() if text]
    return "; ".join(["default-src 'none'", *named, "img-src data:", "base-uri 'none'", "form-action 'none'"])


def emphasis(text: str) -> Markup:
    """Return a text with the words between asterisks emphasised, as packs write examples in descriptions.

    >>> str(emphasis("as in *cat* <- *cats*"))
    'as in <em>cat</em> &lt;- <em>cats</em>'
    """
    parts = _EMPHASIS.split(printable(text))
    return Markup("").join(
        [Markup("<em>{}</em>").format(p) if n % 2 else escape(p) for n, p in enumerate(parts)]
    )


def safe_json(value: object) -> str:
    """Return a value as compact JSON that may stand in a script element.

    Args:
        value: Dicts, lists, strings, numbers and None; numbers must be finite.

    Raises:
        ValueError: A number is infinite or not a number.

    Example:
        >>> safe_json(["</script>"])
        '["\\\\u003c/script\\\\u003e"]'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def data_block(name: str, value: object) -> Markup:
    """Return a script element with data, which a page's script reads by ``jp.data(name)``.

    Long data is compressed (the same bytes for the same data). Browsers do not run either kind.

    Args:
        name: The name of the data; the element's ``id`` is ``data-`` and the name.
        value: The data, as in :func:`safe_json`.
    """
    text = safe_json(value)
    kind = "application/json"
    if len(text) >= PACKED_FROM:
        packed = gzip.compress(text.encode("utf-8"), compresslevel=9, mtime=0)
        text, kind = base64.b64encode(packed).decode("ascii"), "application/gzip"
    return Markup(f'<script type="{kind}" id="data-{escape(name)}">{text}</script>')


def value_name(scorer: Scorer, value: str) -> str:
    """Return the name of a metric's value, with beta for F: ``f0.5``."""
    beta = getattr(scorer, "beta", None)
    return f"f{beta:g}" if value == "f" and isinstance(beta, float | int) else value


def labels_of(lang: str | None, pack: str | None, types: Iterable[str]) -> PackKeys:
    """Return the keys of the pack that describes types: the pack of the language or folder, or the English pack.

    If no language is given and some types are not in the English pack, the result has no labels.

    Raises:
        PackError: There is no such language or pack.
    """
    if lang is None and pack is None:
        keys = pack_keys(_USUAL)
        all_known = all(
            label in keys.labels for operation, label in map(operation_and_label, types) if operation
        )
        return keys if all_known else PackKeys(code="und")
    return pack_keys(lang or _USUAL, pack)


def operation_and_label(type_: str) -> tuple[str, str]:
    """Return the operation of a type as a word, empty if it has none, and its label.

    >>> operation_and_label("M:DET"), operation_and_label("WS")
    (('missing', 'DET'), ('', 'WS'))
    """
    operation, _, label = type_.partition(":")
    return (_OPERATIONS[operation], label) if operation in _OPERATIONS else ("", type_)


def shade_ends(values: Iterable[float]) -> tuple[float, float]:
    """Return the values of the lightest and the darkest shade: 0 and 1 if all are between, else lowest and highest.

    >>> shade_ends([0.2, 0.5]), shade_ends([-3.0, 4.0])
    ((0.0, 1.0), (-3.0, 4.0))
    """
    known = [value for value in values if not math.isnan(value)]
    return (0.0, 1.0) if all(0 <= value <= 1 for value in known) else (min(known), max(known))


def shade(value: float, ends: tuple[float, float]) -> int:
    """Return the number of the shade of a value, from 0 (lightest) to 10."""
    low, high = ends
    return round((value - low) / (high - low) * _STEPS) if high > low else 0


@cache
def asset(name: str) -> str:
    """Return a file of the package's ``assets`` folder."""
    return (files(_ASSETS) / "assets" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(lambda name: asset(name)),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        optimized=False,  # a template is filled once, so folding its constants takes longer than it saves
    )
    environment.globals.update(value_name=value_name)
    environment.filters.update(
        emphasis=emphasis, shade=shade, labels=labels, edit_words=edit_words, apply=_apply
    )
    return environment


def _apply(value: object, function: Callable[[Any], object]) -> object:
    return function(value)


def _finalize(value: object) -> object:
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _wrapped(scripts: Sequence[str]) -> str:
    """Return scripts in one scope of their own."""
    return '(function () {\n"use strict";\n' + "".join(scripts) + "})();\n"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
