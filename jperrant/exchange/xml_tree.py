"""XML as a tree of elements and text, read safely.

Files of others are hostile. Expat reads them, which fetches nothing from outside; here it also refuses every
declaration of an entity, so that no entity can multiply itself (the "billion laughs") or stand for a file, and
every reference to one that is unknown, so that no text is silently dropped. Elements nest at most ``DEEPEST`` deep.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError
from jperrant.exchange.files import read_bytes

DEEPEST = 100
_LAST_CONTROL = 0x20
_NO_CHARACTERS = ("\ufffe", "\uffff")


@dataclass(slots=True)
class Element:
    """An element.

    Attributes:
        tag: Its name without a namespace.
        attributes: Its attributes, their names without namespaces.
        line: The line in which it begins.
        content: Text and elements, in order.
    """

    tag: str
    attributes: Mapping[str, str]
    line: int
    content: list[str | Element] = field(default_factory=list)

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
        FormatError: It is not well-formed, declares or uses entities, or is nested too deeply; names the line.
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
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._declared
        self.parser.SkippedEntityHandler = self._skipped
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
            raise FormatError(self.file, None, f"not XML ({error})") from None
        [root] = self.root.elements()
        return root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) > DEEPEST:
            raise self._error(f"found elements nested more than {DEEPEST} deep")
        local = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        element = Element(name.rpartition(":")[2], local, self.line + self.parser.CurrentLineNumber)
        self.open[-1].content.append(element)
        self.open.append(element)

    def _end(self, _: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        self.open[-1].content.append(text)

    def _declared(self, name: str, *_: object) -> None:
        raise self._error(
            f"found the declaration of the entity {shorten(name)}, which is refused; write the characters "
            "themselves"
        )

    def _skipped(self, name: str, _: bool) -> None:
        raise self._error(f"found the unknown entity {shorten(name)}; write the characters themselves")

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
    for character in text:
        if (ord(character) < _LAST_CONTROL and character not in "\t\n") or character in _NO_CHARACTERS:
            raise InputError(
                f"{shorten(text)} contains {character!r}, which XML cannot hold; remove it or choose another format"
            )
