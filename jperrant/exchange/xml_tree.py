"""XML as a tree of elements and text, read safely.

Files of others are hostile. Expat reads them, which fetches nothing from outside. A DOCTYPE is refused whatever it
holds, in every encoding: it declares entities that multiply (the "billion laughs") or stand for files, unknown ones
that are dropped in silence, and default attributes. Elements nest at most ``DEEPEST`` deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.exchange.reading import read_bytes

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
        """Yield all elements of a name inside, in order; not those inside of one of these."""
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
    except (ValueError, LookupError) as error:  # an encoding that Expat or Python does not know
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
