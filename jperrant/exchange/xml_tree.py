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
from jperrant.exchange.tool import read_bytes

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


def parse_xml(content: bytes | str, file: str, line: int = 0) -> Element:
    """Return the root element of a text; ``line`` is how many lines of its file come before it.

    Raises:
        FormatError: As for ``read_xml``.
    """
    return _Builder(file, line).parse(content)


class _Builder:
    """Builds the tree of one text."""

    def __init__(self, file: str, line: int) -> None:
        self.file, self.line = file, line
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.root = Element("", {}, 0)
        self.open = [self.root]

    def parse(self, content: bytes | str) -> Element:
        try:
            self.parser.Parse(content, True)
        except expat.ExpatError as error:
            reason = expat.errors.messages.get(error.code, "not well-formed")
            raise FormatError(self.file, self.line + error.lineno, f"not XML ({reason})") from None
        except FormatError:
            raise
        except (ValueError, LookupError) as error:  # an encoding that Expat or Python does not know
            raise FormatError(self.file, self.line + 1, f"not XML ({error})") from None
        [root] = self.root.elements()
        return root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) > DEEPEST:
            raise self._error(f"found elements nested more than {DEEPEST} deep")
        local = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        namespace, _, tag = name.rpartition(" ")
        line = self.line + self.parser.CurrentLineNumber
        element = Element(tag, local, line, namespace=namespace)
        self.open[-1].content.append(element)
        self.open.append(element)

    def _end(self, _: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        self.open[-1].content.append(text)

    def _doctype(self, *_: object) -> None:
        raise self._error("found a DOCTYPE, which can declare entities and is refused; remove it")

    def _error(self, problem: str) -> FormatError:
        return FormatError(self.file, self.line + self.parser.CurrentLineNumber, problem)


def xml_text(text: str) -> str:
    """Return text as XML.

    Raises:
        InputError: XML cannot hold a character of it.
    """
    _check(text)
    return escape(text)


def xml_attribute(text: str) -> str:
    """Return the value of an attribute in quotes.

    Raises:
        InputError: XML cannot hold a character of it.
    """
    _check(text)
    return quoteattr(text)


def _check(text: str) -> None:
    if match := _NO_CHARACTER.search(text):
        raise InputError(
            f"{shorten(text)} contains {match[0]!r}, which XML cannot hold; remove it or choose another format"
        )
