"""The side file ``NAME.jperrant.json``: what no tool carries, so that what nobody changed comes back byte for byte.

It holds, by document and sentence, the source, the annotations with their order, alternatives and who looked at the
sentence at all, and the exact text of blocks that are not in our dialect; and the checksum of the M2 file::

    {"format": "jperrant-side-file", "version": 1, "m2": "gold.m2", "sha256": "…", "exchange": "brat", "head": "",
     "documents": [{"name": "gold", "blocks": [
      {"source": ["Tihs", "is"], "annotations": [{"annotator": 0, "edits": [{"start": 0, …}]}]},
      {"source": [], "annotations": [], "text": "S \\r\\n\\r\\n"}]}]}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import Block, format_block
from jperrant.exchange.base import Document
from jperrant.io.files import decode_lines, open_input, read_raw
from jperrant.io.m2 import FormatDeviations, LineKind, kind_of, parse_m2, visible


@dataclass(frozen=True, slots=True)
class Original:
    """An M2 file.

    Attributes:
        path: Its name as the user gave it.
        head: What stands before the first S line: blank lines, a byte-order mark.
        blocks: Its blocks.
        texts: The exact text of each block up to the next; None where it is that of ``format_block``.
        sha256: The checksum of its bytes, after decompression.
        deviations: What was read leniently.
    """

    path: str
    head: str
    blocks: tuple[Block, ...]
    texts: tuple[str | None, ...]
    sha256: str
    deviations: FormatDeviations


def read_original(path: str, strict: bool = False) -> Original:
    """Read an M2 file, ``-`` meaning standard input.

    Raises:
        FormatError: A line cannot be read, or any deviation from the dialect if strict.
        InputError: The file cannot be read.
    """
    with open_input(path) as stream:
        raw = list(read_raw(path, stream))
    deviations = FormatDeviations(strict)
    lines = list(decode_lines(raw, path, lambda line, kind: deviations.add(path, line, kind)))
    blocks = tuple(parse_m2(lines, path, deviations))
    head, *texts = _block_texts(lines, raw)
    exact = [None if text == _format(block) else text for block, text in zip(blocks, texts, strict=True)]
    checksum = hashlib.sha256(b"".join(raw)).hexdigest()
    return Original(path, head, blocks, tuple(exact), checksum, deviations)


def text_of(block: Block, exact: str | None) -> str:
    """Return a block as its file has it.

    Raises:
        InputError: It cannot be written in M2.
    """
    return format_block(block) if exact is None else exact


def reads_as(text: str, block: Block) -> bool:
    """Whether our reader reads a text as one block and nothing else."""
    # Behind a blank line, so that nothing in it is taken for the beginning of a file.
    lines = ("\n" + text).encode("utf-8", "surrogatepass").split(b"\n")
    try:
        return list(parse_m2(decode_lines(lines, ""), "", FormatDeviations())) == [block]
    except InputError:
        return False


def _block_texts(lines: Sequence[str], raw: Sequence[bytes]) -> list[str]:
    """Return the text before the first S line, and that of each S line with what follows it."""
    texts: list[list[str]] = [[]]
    for number, line in enumerate(raw):
        if number < len(lines) and kind_of(visible(lines[number])) is LineKind.SOURCE:
            texts.append([])
        texts[-1].append(line.decode("utf-8"))
    return ["".join(text) for text in texts]


def _format(block: Block) -> str | None:
    try:
        return format_block(block)
    except InputError:  # what was read leniently may be nothing that can be written
        return None


SUFFIX = ".jperrant.json"
_FORMAT, _VERSION = "jperrant-side-file", 1


@dataclass(frozen=True, slots=True)
class SideFile:
    """What a side file holds.

    Attributes:
        path: Its name, for messages.
        m2: The name of the M2 file that was exported.
        sha256: The checksum of that file.
        exchange: The format that was written.
        head: What stands in the M2 file before its first block.
        documents: The documents that were exported.
        texts: For every sentence of all documents the exact text of its block, where it is not in our dialect.
    """

    path: str
    m2: str
    sha256: str
    exchange: str
    head: str
    documents: tuple[Document, ...]
    texts: tuple[str | None, ...]

    @property
    def annotators(self) -> set[int]:
        """The annotators of the M2 file."""
        return {
            a.annotator for document in self.documents for block in document.blocks for a in block.annotations
        }

    def is_intact(self) -> bool:
        """Whether the blocks are those of the M2 file, by its checksum."""
        blocks = [block for document in self.documents for block in document.blocks]
        try:
            texts = [text_of(block, exact) for block, exact in zip(blocks, self.texts, strict=True)]
            content = "".join([self.head, *texts]).encode()
        except (InputError, ValueError):
            return False
        return hashlib.sha256(content).hexdigest() == self.sha256


def side_file_lines(original: Original, documents: Iterable[Document], exchange: str) -> Iterator[str]:
    """Yield the lines of the side file of an export, one for each sentence."""
    header = {
        "format": _FORMAT,
        "version": _VERSION,
        "m2": Path(original.path).name,
        "sha256": original.sha256,
        "exchange": exchange,
        "head": original.head,
    }
    yield _json(header)[:-1] + ', "documents": ['
    between = "\n"
    for document in documents:
        yield between + f' {{"name": {_json(document.name)}, "blocks": ['
        yield ",".join(
            [
                "\n  " + _json(_record(block, original.texts[document.first + k]))
                for k, block in enumerate(document.blocks)
            ]
        )
        yield "]}"
        between = ",\n"
    yield "]}\n"


def read_side_file(path: str) -> SideFile:
    """Read a side file.

    Raises:
        FormatError: It is not a side file, or one of a version that this release does not know.
        InputError: It cannot be read.
    """
    with open_input(path) as stream:
        raw = b"".join(read_raw(path, stream))
    try:
        record = json.loads(raw)
        if not isinstance(record, dict) or record.get("format") != _FORMAT:
            raise FormatError(path, None, f'found no "format": "{_FORMAT}", expected a side file of jperrant')
        if record["version"] != _VERSION:
            problem = f"found version {record['version']!r}, expected {_VERSION}; update jperrant"
            raise FormatError(path, None, problem)
    except FormatError:
        raise
    except KeyError as error:
        raise FormatError(path, None, f"a damaged side file ({error!r}); export again") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, or numbers of thousands of digits
        raise FormatError(path, None, f"not JSON ({error})") from None
    return side_file_from(path, record)


def side_file_from(path: str, record: Mapping[str, Any]) -> SideFile:
    """Return a side file from its JSON.

    Args:
        path: The file, for messages.
        record: What it holds.

    Raises:
        FormatError: Something is missing or of another kind.
    """
    try:
        return _side_file(path, record)
    except InputError as error:
        raise FormatError(path, None, f"a damaged side file ({error}); export again") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(path, None, f"a damaged side file ({error!r}); export again") from None


def side_file_of(path: str, is_folder: bool, name: str = "") -> str:
    """Return where the side file of an export stands: in its folder, or beside its file.

    Args:
        path: The folder or the file.
        is_folder: Which of the two it is.
        name: The name of the M2 file without a suffix, for a folder.

    >>> side_file_of("out", True, "gold"), side_file_of("tasks.json", False)
    ('out/gold.jperrant.json', 'tasks.jperrant.json')
    """
    return str(Path(path) / f"{name}{SUFFIX}") if is_folder else str(Path(path).with_suffix(SUFFIX))


def find_side_file(path: str) -> str | None:
    """Return the side file of an export that is there, or None.

    Raises:
        InputError: A folder has several.
    """
    place = Path(path)
    if not place.is_dir():
        beside = Path(side_file_of(path, False))
        return str(beside) if beside.is_file() else None
    several = sorted(place.glob(f"*{SUFFIX}"))
    if len(several) > 1:
        names = ", ".join(file.name for file in several)
        raise InputError(f"{path}: found several side files ({names}); give one with --side")
    return str(several[0]) if several else None


def _record(block: Block, text: str | None) -> dict[str, Any]:
    return {**block.to_dict(), **({} if text is None else {"text": text})}


def _side_file(path: str, record: Mapping[str, Any]) -> SideFile:
    documents, texts, first = [], list[str | None](), 0
    for document in record["documents"]:
        blocks = tuple([Block.from_dict(block) for block in document["blocks"]])
        texts += [block.get("text") for block in document["blocks"]]
        documents.append(Document(str(document["name"]), blocks, first))
        first += len(blocks)
    return SideFile(
        path,
        str(record["m2"]),
        str(record["sha256"]),
        str(record["exchange"]),
        str(record["head"]),
        tuple(documents),
        tuple(texts),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
