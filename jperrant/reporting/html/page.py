"""The page builder: a template, its style and its script become one file that forbids everything else.

A template extends ``base.html`` and is filled by Jinja with autoescape: every value is text unless our own code
made it markup. Style and script are inlined; the page's Content-Security-Policy names both by their SHA-256 and
allows nothing else, so that no text can run or load anything even if it became markup. Therefore templates and
scripts hold no ``style`` attributes and no ``on...`` attributes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from jperrant.core.display import visible_text
from jperrant.core.version import VERSION
from jperrant.reporting.html.data import data_block

_ASSETS = "jperrant.reporting.html"
_EMPHASIS = re.compile(r"\*([^*]+)\*")


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
        title: What the window is called.
        styles: Files of ``assets/`` that go below ``base.css``.
        scripts: Files of ``assets/`` that go below ``base.js``, all in one scope; none for a page without script.
        data: Values that scripts read, by name (``jp.data(name)``).
        **values: What the template names.

    Raises:
        jinja2.TemplateError: The template names something that is not given.
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


def content_policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy of a page with this style and this script, and nothing else.

    Args:
        style, script: What stands inside the elements, to the letter; empty where there is none.
    """
    allowed = {"style-src": style, "script-src": script}
    named = [f"{what} '{_digest(text)}'" for what, text in allowed.items() if text]
    return "; ".join(["default-src 'none'", *named, "img-src data:", "base-uri 'none'", "form-action 'none'"])


def visible(text: str) -> str:
    """Return a text with the characters shown that would hide or turn around what stands beside them.

    >>> visible("a\\u202eb")
    'a‹U+202E›b'
    """
    return visible_text(text)


def emphasis(text: str) -> Markup:
    """Return a text with the words between asterisks emphasised, as packs write examples in descriptions.

    >>> str(emphasis("as in *cat* <- *cats*"))
    'as in <em>cat</em> &lt;- <em>cats</em>'
    """
    parts = _EMPHASIS.split(visible(text))
    return Markup("").join(
        [Markup("<em>{}</em>").format(p) if n % 2 else escape(p) for n, p in enumerate(parts)]
    )


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
        optimized=False,  # a template is filled once: folding its constants takes longer than it saves
    )
    environment.filters["emphasis"] = emphasis
    return environment


def _finalize(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _wrapped(scripts: Sequence[str]) -> str:
    """Return scripts in one scope of their own."""
    return '(function () {\n"use strict";\n' + "".join(scripts) + "})();\n"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
