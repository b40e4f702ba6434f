"""What has been done with which shards: checksums, counts and the signature of the run, in one JSON file."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jperrant.core.errors import FormatError, InputError
from jperrant.io.files import open_output, reason

#: Version of the file's layout.
_LAYOUT = 1
#: Writing the manifest takes at most this share of the time.
_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file by its content.

    Attributes:
        name: Its name, without folders.
        bytes: Its size.
        sha256: Its checksum.
    """

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """A shard that is done.

    Attributes:
        inputs: Its files.
        output: Its M2 file.
        rejected: The file of the records that were set aside; None if there are none.
        sentences: Blocks of the M2 file.
        edits: Edits of all annotators.
        rejections: Records that were set aside.
    """

    inputs: tuple[FileContent, ...]
    output: FileContent
    rejected: FileContent | None
    sentences: int
    edits: int
    rejections: int


def content_of(path: Path) -> FileContent:
    """Return a file by its content.

    Raises:
        InputError: It cannot be read.
    """
    try:
        with path.open("rb") as stream:
            checksum = hashlib.file_digest(stream, "sha256").hexdigest()
            return FileContent(path.name, stream.tell(), checksum)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None


def is_there(path: Path, content: FileContent) -> bool:
    """Whether a file has a content; its size is looked at first."""
    try:
        return path.stat().st_size == content.bytes and content_of(path).sha256 == content.sha256
    except (OSError, InputError):
        return False


class Manifest:
    """The manifest of a folder, or of the part of it that this run makes.

    Args:
        path: Its file.
        signature: What the results depend on besides the files.
        shards: What is done, by the name of the M2 file.
    """

    def __init__(
        self, path: Path, signature: Mapping[str, str], shards: Mapping[str, ShardRecord] | None = None
    ) -> None:
        self.path, self.signature = path, dict(signature)
        self.shards: dict[str, ShardRecord] = dict(shards or {})
        self._wait = 0.0
        self._written = float("-inf")

    def add(self, name: str, record: ShardRecord) -> None:
        """Note a shard that is done, and write the manifest unless it was written a moment ago.

        Raises:
            OutputError: It cannot be written.
        """
        self.shards[name] = record
        if time.monotonic() - self._written >= self._wait:
            self.write()

    def write(self) -> None:
        """Write the file; it is whole at every moment.

        Raises:
            OutputError: It cannot be written.
        """
        begin = time.monotonic()
        head = {"layout": _LAYOUT, "signature": self.signature, "totals": self.totals()}
        lines = [f"{_json(name)}: {_json(asdict(self.shards[name]))}" for name in sorted(self.shards)]
        with open_output(str(self.path)) as stream:
            stream.write(f'{_json(head)[:-1]}, "shards": {{\n')
            stream.write(",\n".join(lines) + "\n}}\n")
        self._written = time.monotonic()
        self._wait = (self._written - begin) / _SHARE

    def totals(self) -> dict[str, int]:
        """Return the counts of all shards together."""
        done = self.shards.values()
        return {
            "shards": len(done),
            "sentences": sum(one.sentences for one in done),
            "edits": sum(one.edits for one in done),
            "rejections": sum(one.rejections for one in done),
        }


def read_manifest(path: Path) -> Manifest:
    """Return a manifest.

    Raises:
        InputError: It cannot be read.
        FormatError: It is not one.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["layout"] != _LAYOUT:
            raise FormatError(
                str(path),
                None,
                f"found layout {document['layout']}, expected {_LAYOUT}; start over with --force",
            )
        signature = {str(name): str(value) for name, value in document["signature"].items()}
        shards = {str(name): _record(one) for name, one in document["shards"].items()}
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(
            str(path), None, f"not a manifest of shards ({type(error).__name__}: {error}); "
            "give another folder, or start over with --force"
        ) from None  # fmt: skip
    return Manifest(path, signature, shards)


def merged(manifests: Iterable[Manifest]) -> dict[str, ShardRecord]:
    """Return the shards of several manifests."""
    return {name: record for manifest in manifests for name, record in manifest.shards.items()}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _record(document: Mapping[str, Any]) -> ShardRecord:
    rejected = document["rejected"]
    return ShardRecord(
        tuple([_content(one) for one in document["inputs"]]),
        _content(document["output"]),
        None if rejected is None else _content(rejected),
        int(document["sentences"]),
        int(document["edits"]),
        int(document["rejections"]),
    )


def _content(document: Mapping[str, Any]) -> FileContent:
    return FileContent(str(document["name"]), int(document["bytes"]), str(document["sha256"]))
