"""Files of tools, read whole and safely: bytes, text, JSON and what is expected of it, XML as a tree.

Files from others can be hostile. XML is read by Expat, which fetches nothing from outside. A DOCTYPE is always
refused: it can declare default attributes and entities that expand to huge texts (the "billion laughs") or stand
for files, and with one, unknown entities are dropped silently. Elements nest at most ``DEEPEST`` deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.io.files import BOM, open_input, read_raw
from jperrant.io.recognise import binary_problem

#: The words of messages in place of pydantic's.
_WORDS = {
    "Input should be": "expected", "List should have": "expected", "Value should have": "expected",
    "Field required": "missing", "Invalid JSON": "not JSON", " after validation": "",
    "an object": "a valid dictionary", "a valid array": "a valid list"
}  # fmt: skip
M = TypeVar("M", bound=BaseModel)


def read_bytes(path: str, keep_mark: bool = False) -> bytes:
    """Return the content of a file, decompressed, without a byte-order mark unless that is kept.

    Raises:
        InputError: It cannot be read.
    """
    with open_input(path) as stream:
        return b"".join(read_raw(path, stream)).removeprefix(b"" if keep_mark else BOM)


def read_text(path: str, keep_mark: bool = False) -> str:
    r"""Return the text of a UTF-8 file; ``\r\n`` becomes ``\n``, in which tools on Windows write.

    Raises:
        FormatError: It is not UTF-8.
        InputError: It cannot be read.
    """
    content = read_bytes(path, keep_mark)
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        found = f"byte 0x{content[error.start]:02x} at offset {error.start} is not UTF-8"
        raise FormatError(path, None, binary_problem(content) or found) from None


def json_value(content: str | bytes, path: str, line: int | None = None) -> Any:
    """Return the value of a JSON text; ``line`` is its line in the file, if it is one line.

    Raises:
        FormatError: It is not JSON, or is nested too deeply or too large; names the place.
    """
    try:
        return from_json(content)
    except ValueError as error:
        raise FormatError(path, line, f"not JSON ({error})") from None


def checked_model(model: type[M], value: Any, file: str, what: str, line: int | None = None) -> M:
    """Return JSON as an instance of a pydantic model.

    Args:
        model: The expected form; a strict model needs the JSON as bytes or text.
        value: The JSON as bytes, text or a parsed value.
        file: Its file in messages.
        what: The name of the expected content in messages.
        line: Its line.

    Raises:
        FormatError: It is not JSON, or something is missing or of another kind; names the first such place.
    """
    try:
        is_text = isinstance(value, bytes | str)
        return model.model_validate_json(value) if is_text else model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        keys = [str(key + 1 if isinstance(key, int) else key) for key in first["loc"]]
        unread = first["type"] in ("missing", "json_invalid")
        problem = first["msg"].partition(" or instance of")[0]  # names of models mean nothing to users
        for said, meant in _WORDS.items():
            problem = problem.replace(said, meant)
        place = f"{'.'.join(keys)}: " if keys else ""
        found = "" if unread else f"found {shorten(str(first['input']))}, "
        raise FormatError(file, line, f"{place}{found}{problem}, in {what}") from None


DEEPEST = 100
_NO_CHARACTER = re.compile("[^\\t\\n\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


@dataclass(slots=True)
class Element:
    """An element.

    Attributes:
        tag: Its name without a namespace.
        attributes: Its attributes, their names without namespaces.
        line: The line in which it begins.
        content: Text and elements, in order.
        namespace: The namespace of its name; empty for none.
    """

    tag: str
    attributes: Mapping[str, str]
    line: int
    content: list[str | Element] = field(default_factory=list)
    namespace: str = ""

    def elements(self, *tags: str) -> list[Element]:
        """Return the elements directly inside, those with certain names if any are given."""
        return [c for c in self.content if isinstance(c, Element) and (not tags or c.tag in tags)]

    def descendants(self, tag: str) -> Iterator[Element]:
        """Yield all elements of a name inside, in order, without those nested in another one."""
        for element in self.elements():
            if element.tag == tag:
                yield element
            else:
                yield from element.descendants(tag)


def read_xml(path: str) -> Element:
    """Return the root element of a file.

    Raises:
        FormatError: It is not well-formed, has a DOCTYPE, or is nested too deeply; names the line.
        InputError: It cannot be read.
    """
    return parse_xml(read_bytes(path), path)


def parse_xml(content: bytes | str, file: str) -> Element:
    """Return the root element of a text.

    Raises:
        FormatError: As for ``read_xml``.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    opened = [Element("", {}, 0)]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(opened) > DEEPEST:
            raise FormatError(
                file, parser.CurrentLineNumber, f"found elements nested more than {DEEPEST} deep"
            )
        local = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        namespace, _, tag = name.rpartition(" ")
        opened.append(Element(tag, local, parser.CurrentLineNumber, namespace=namespace))
        opened[-2].content.append(opened[-1])

    def doctype(*_: object) -> None:
        problem = "found a DOCTYPE, which can declare entities and is refused; remove it"
        raise FormatError(file, parser.CurrentLineNumber, problem)

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: opened.pop()
    parser.CharacterDataHandler = lambda text: opened[-1].content.append(text)
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "not well-formed")
        raise FormatError(file, error.lineno, f"not XML ({reason})") from None
    except (ValueError, LookupError) as error:  # an encoding unknown to Expat or Python
        if isinstance(error, FormatError):
            raise
        raise FormatError(file, 1, f"not XML ({error})") from None
    [root] = opened[0].elements()
    return root


def xml_text(text: str) -> str:
    """Return text as XML.

    Raises:
        InputError: XML cannot hold a character of it.
    """
    if match := _NO_CHARACTER.search(text):
        raise InputError(
            f"{shorten(text)} contains {match[0]!r}, which XML cannot hold; remove it or choose another format"
        )
    return escape(text)


def xml_attribute(text: str) -> str:
    """Return the value of an attribute in quotes.

    Raises:
        InputError: XML cannot hold a character of it.
    """
    xml_text(text)
    return quoteattr(text)
