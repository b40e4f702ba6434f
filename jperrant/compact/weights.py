"""Model files as Stanza writes them (``torch.save``), read without torch: vocabularies, settings, arrays.

A file is a pickle whose tensors are filled from raw storages, in a zip archive or, as Stanza's taggers and parsers
are still written, one after the other. The pickle may build plain values, ordered dictionaries, sets and tensors;
nothing else in it is ever called.
"""

from __future__ import annotations

import io
import math
import pickle
import struct
import zipfile
from collections import Counter, OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jperrant.core.errors import CorruptModelError

_MAGIC, _PROTOCOL = 0x1950A86A20F9469CFC6C, 1001
_STORAGES = {
    "HalfStorage": "<f2", "FloatStorage": "<f4", "DoubleStorage": "<f8", "ByteStorage": "u1", "BoolStorage": "?",
    "CharStorage": "i1", "ShortStorage": "<i2", "IntStorage": "<i4", "LongStorage": "<i8",
}  # fmt: skip
DAMAGE = (
    OSError, ValueError, KeyError, IndexError, EOFError, TypeError, AttributeError, OverflowError, MemoryError,
    RecursionError, NotImplementedError, pickle.UnpicklingError, struct.error, zipfile.BadZipFile,
)  # fmt: skip
"""What goes wrong where a file is not what it should be."""


class OtherFormatError(Exception):
    """A model file holds what is not read here; Stanza may still know it."""


def read_model(path: Path) -> dict[str, Any]:
    """Read a model file.

    Args:
        path: A file that ``torch.save`` wrote, in either of its formats.

    Returns:
        What was saved, its tensors as arrays of the saved type.

    Raises:
        CorruptModelError: The file is damaged.
        OtherFormatError: It holds values of other types.
    """
    try:
        content = path.read_bytes()
        model = _from_zip(content) if content[:2] == b"PK" else _from_stream(content)
        if not isinstance(model, dict):
            raise ValueError(f"found {type(model).__name__}, expected a dictionary")
    except DAMAGE as error:
        reason = (str(error).splitlines() or [""])[0][:200]
        raise CorruptModelError(
            f"model file {path} cannot be loaded ({type(error).__name__}: {reason}); download it again"
        ) from None
    return model


class _Unpickler(pickle.Unpickler):
    """Builds plain values and tensors; remembers the storages, to be filled by whoever called."""

    def __init__(self, file: io.BytesIO, limit: int) -> None:
        super().__init__(file, encoding="utf-8")
        self.storages: dict[str, Any] = {}
        self._left = limit  # bytes: storages are not larger than the file

    def find_class(self, module: str, name: str) -> Any:
        """Return what stands for a global of the pickle."""
        if module == "torch" and name in _STORAGES:
            return np.dtype(_STORAGES[name])
        known = _GLOBALS.get(f"{module}.{name}")
        if known is None:
            raise OtherFormatError(f"{module}.{name}")
        return known

    def persistent_load(self, pid: Any) -> Any:
        """Return a storage of the right size, not filled yet."""
        _, dtype, key, _, count, *_ = pid
        if key not in self.storages:
            self._left -= count * dtype.itemsize
            if count < 0 or self._left < 0:
                raise ValueError(f"storage {key!r} is larger than the file")
            self.storages[key] = np.empty(count, dtype)
        return self.storages[key]


def _tensor(storage: Any, offset: int, shape: Sequence[int], strides: Sequence[int], *_: Any) -> Any:
    """Return a tensor as an array over a storage, if it lies within it."""
    count = math.prod(shape)
    inside = all(n >= 0 for n in (offset, *shape, *strides)) and len(shape) == len(strides)
    last = offset + sum((n - 1) * stride for n, stride in zip(shape, strides, strict=False))
    if not inside or count > len(storage) or (count and last >= len(storage)):
        raise ValueError("a tensor reaches beyond its storage")
    steps = [stride * storage.itemsize for stride in strides]
    return np.lib.stride_tricks.as_strided(storage[offset:] if count else storage[:0], shape, steps)


def _parameter(tensor: Any, *_: Any) -> Any:
    return tensor


def _bytes(text: str, encoding: str) -> bytes:
    """Return bytes, which pickles of this protocol hold as text."""
    if encoding != "latin1":
        raise ValueError(f"bytes in {encoding!r:.80}")
    return text.encode("latin1")


_GLOBALS = {
    "collections.OrderedDict": OrderedDict,
    "collections.Counter": Counter,
    "builtins.set": set,
    "_codecs.encode": _bytes,
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_parameter": _parameter,
}


def _from_zip(content: bytes) -> Any:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        pickled = next(name for name in names if name.rpartition("/")[2] == "data.pkl")
        folder = pickled.removesuffix("data.pkl")
        if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()):
            raise OtherFormatError("compressed archive")
        if f"{folder}byteorder" in names and archive.read(f"{folder}byteorder") != b"little":
            raise OtherFormatError("big-endian numbers")
        reader = _Unpickler(io.BytesIO(archive.read(pickled)), len(content))
        model = reader.load()
        for key, storage in reader.storages.items():
            storage[:] = np.frombuffer(archive.read(f"{folder}data/{key}"), storage.dtype, len(storage))
    return model


def _from_stream(content: bytes) -> Any:
    file = io.BytesIO(content)
    header = [_Unpickler(file, 0).load() for _ in range(3)]
    if header[:2] != [_MAGIC, _PROTOCOL]:
        raise ValueError("not a file of torch.save")
    if not header[2].get("little_endian", True):
        raise OtherFormatError("big-endian numbers")
    reader = _Unpickler(file, len(content))
    model = reader.load()
    for key in _Unpickler(file, 0).load():
        storage = reader.storages[key]
        (count,) = struct.unpack("<q", file.read(8))
        if count != len(storage):
            raise ValueError(f"storage {key!r} has {count} numbers, expected {len(storage)}")
        storage[:] = np.frombuffer(file.read(storage.nbytes), storage.dtype, count)
        reader.storages.pop(key)
    if reader.storages:
        raise EOFError("the file ends too early")
    return model
