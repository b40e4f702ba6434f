"""Annotations kept on disk by content, so that a text is annotated once, whatever is scored."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.errors import InputError, JperrantError
from jperrant.core.installed import versions_of
from jperrant.core.values import Block
from jperrant.core.version import VERSION
from jperrant.io.files import open_output, reason
from jperrant.io.m2 import read_m2, write_m2


@dataclass(frozen=True, slots=True)
class Entry:
    """What was annotated: the lines of a source and of its corrections."""

    source: tuple[str, ...]
    corrections: tuple[tuple[str, ...], ...]


class AnnotationCache:
    """A folder of M2 files, each named after what it depends on and after its own checksum.

    A file appears whole or not at all, so that several processes may share the folder; one that is damaged is
    not used, and written again.

    Args:
        folder: The folder; made if it is missing.
        options: How texts are annotated; the contents of pack and models belong to it.
        raw: Whether texts are raw.

    Raises:
        InputError: The folder cannot be made.
        JperrantError: The pack or the models cannot be found.
    """

    def __init__(self, folder: str, options: AnnotatorOptions, raw: bool) -> None:
        self._folder = Path(folder) / "annotations"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cache {folder}: the folder cannot be created ({reason(error)})") from None
        from jperrant.annotation.fingerprint import fingerprint, packages  # with the rule language

        described = [
            VERSION, asdict(replace(options, lang=options.language)), raw, *fingerprint(options),
            versions_of(packages(options)),
        ]  # fmt: skip
        self._signature = json.dumps(described, sort_keys=True)

    def get(self, entry: Entry) -> tuple[Block, ...] | None:
        """Return the blocks of an entry; None if it is not there or is damaged."""
        for path in self._folder.glob(f"{self._key(entry)}-*.m2"):
            try:
                if path.stem.endswith(_checksum(path.read_bytes())):
                    return tuple(read_m2(str(path), strict=True))
            except (JperrantError, OSError):
                continue
        return None

    def put(self, entry: Entry, blocks: tuple[Block, ...]) -> None:
        """Keep the blocks of an entry.

        Raises:
            InputError: The folder cannot be written.
        """
        text = io.StringIO()
        write_m2(blocks, text)
        body = text.getvalue()
        path = self._folder / f"{self._key(entry)}-{_checksum(body.encode('utf-8'))}.m2"
        with open_output(str(path)) as stream:
            stream.write(body)

    def _key(self, entry: Entry) -> str:
        content = json.dumps([self._signature, entry.source, entry.corrections])
        return _sha256(content.encode("utf-8", "surrogatepass"))


def _checksum(body: bytes) -> str:
    return _sha256(body)[:16]


def _sha256(content: bytes) -> str:
    import hashlib  # with OpenSSL, a tenth of the start of a command that needs no cache

    return hashlib.sha256(content).hexdigest()
