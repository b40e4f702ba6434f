"""Model files as ``torch.save`` writes them, read without torch: arrays, settings and vocabularies.

A file is a zip archive that holds a pickle and the raw numbers of each tensor. The pickle may only build plain
values, ordered dictionaries and tensors; it cannot call anything else.
"""

from __future__ import annotations

import io
import math
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jperrant.core.errors import CorruptModelError

_STORAGES = {"HalfStorage": "<f2", "FloatStorage": "<f4", "DoubleStorage": "<f8", "LongStorage": "<i8"}
DAMAGE = (
    OSError, ValueError, KeyError, IndexError, EOFError, TypeError, AttributeError, OverflowError, MemoryError,
    RecursionError, NotImplementedError, StopIteration, pickle.UnpicklingError, zipfile.BadZipFile,
)  # fmt: skip
"""The errors that reading a damaged file can raise."""


class OtherFormatError(Exception):
    """A model file has a format that is not supported here; Stanza may still read it."""


def read_model(path: Path) -> dict[str, Any]:
    """Read a model file.

    Args:
        path: A file written by ``torch.save`` in its zip format.

    Returns:
        The saved dictionary, with tensors as arrays of their saved type.

    Raises:
        CorruptModelError: The file is damaged.
        OtherFormatError: The file holds values of other types, or is in torch's older format.
    """
    try:
        # The file is read as a whole: after freeing one large block, the C library reuses memory for smaller
        # arrays.
        content = path.read_bytes()
        if content.startswith(b"\x80\x02"):
            raise OtherFormatError("torch's older format")
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            pickled = next(name for name in names if name.rpartition("/")[2] == "data.pkl")
            folder = pickled.removesuffix("data.pkl")
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()):
                raise OtherFormatError("compressed archive")  # torch writes none, and it may hide any size
            if f"{folder}byteorder" in names and archive.read(f"{folder}byteorder") != b"little":
                raise OtherFormatError("big-endian numbers")
            model = _Unpickler(archive, pickled).load()
        if not isinstance(model, dict):
            raise ValueError(f"found {type(model).__name__}, expected a dictionary")
    except DAMAGE as error:
        raise damaged(path, error) from None
    return model


def damaged(path: Path, error: Exception) -> CorruptModelError:
    """Return the error for a model file that cannot be used, with a message in one line."""
    reason = (str(error).splitlines() or [""])[0][:200]
    return CorruptModelError(
        f"model file {path} cannot be loaded ({type(error).__name__}: {reason}); download it again"
    )


def check_settings(model: Mapping[str, Any], expected: Mapping[str, object]) -> None:
    """Check that the settings of a model are supported here; a missing setting counts as None.

    Raises:
        OtherFormatError: A setting differs.
    """
    for name, value in expected.items():
        found = model["config"].get(name)
        if (found or None) != (value or None):
            raise OtherFormatError(f"found {name} {found!r:.80}, expected {value!r}")


def parts_of(state: Mapping[str, Any], name: str) -> list[str]:
    """Return the names of the layers under a name: one for each part of a tag, or the name itself."""
    weights = [key for key in state if key.startswith(f"{name}.") and key.endswith(".weight")]
    return [key.removesuffix(".weight") for key in weights]


class _Unpickler(pickle.Unpickler):
    """Builds plain values, and tensors whose numbers are in the same archive."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        super().__init__(io.BytesIO(archive.read(name)), encoding="utf-8")
        self._archive, self._folder = archive, name.removesuffix("data.pkl")

    def find_class(self, module: str, name: str) -> Any:
        """Return the replacement for a global of the pickle."""
        if module == "torch" and name in _STORAGES:
            return np.dtype(_STORAGES[name])
        known = _GLOBALS.get(f"{module}.{name}")
        if known is None:
            raise OtherFormatError(f"{module}.{name}")
        return known

    def persistent_load(self, pid: Any) -> Any:
        """Return the array of a storage."""
        _, dtype, key, _, count, *_ = pid
        return np.frombuffer(self._archive.read(f"{self._folder}data/{key}"), dtype, count)


def _tensor(storage: Any, offset: int, shape: Sequence[int], strides: Sequence[int], *_: Any) -> Any:
    """Return a tensor as a view of its storage."""
    count = math.prod(shape)
    inside = all(n >= 0 for n in (offset, *shape, *strides)) and len(shape) == len(strides)
    last = offset + sum((n - 1) * stride for n, stride in zip(shape, strides, strict=False))
    if not inside or count > len(storage) or (count and last >= len(storage)):
        raise ValueError("a tensor reaches beyond its storage")
    steps = [stride * storage.itemsize for stride in strides]
    return np.lib.stride_tricks.as_strided(storage[offset:] if count else storage[:0], shape, steps)


_GLOBALS = {
    "collections.OrderedDict": OrderedDict,
    "_codecs.encode": lambda text, _: text.encode("latin1"),  # this pickle protocol stores bytes as text
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_parameter": lambda tensor, *_: tensor,
}


# Vocabularies

PAD, UNKNOWN, EMPTY, ROOT = range(4)
"""The reserved numbers at the beginning of every vocabulary of Stanza."""
START, END = EMPTY, ROOT
"""The names of two of these numbers in lemmatizers and expanders."""
PREFIX = 4


class Vocabulary:
    """Maps words, characters, lemmas or tags to numbers.

    Attributes:
        units: The unit of each number.
        width: The number of parts of a tag.

    Args:
        state: The vocabulary as Stanza saves it: ``_unit2id``, ``_id2unit``, ``lower``, ``ignore``.
    """

    width = 1

    def __init__(self, state: Mapping[str, Any]) -> None:
        self.units: list[str] = list(state["_id2unit"])
        self._ids: dict[str, int] = dict(state["_unit2id"])
        self._lower, self._ignored = bool(state.get("lower")), frozenset(state.get("ignore") or ())
        if not all(isinstance(n, int) and 0 <= n < len(self.units) for n in self._ids.values()):
            raise ValueError("a vocabulary has numbers beyond its size")
        self._ids |= dict.fromkeys(self._ignored, EMPTY)

    def number(self, unit: str) -> int:
        """Return the number of a unit, or ``UNKNOWN``."""
        return self._ids.get(unit.lower() if self._lower else unit, UNKNOWN)

    def numbers(self, units: Sequence[str]) -> list[int]:
        """Return the numbers of units."""
        known = self._ids.get
        return [known(unit.lower() if self._lower else unit, UNKNOWN) for unit in units]

    def parts(self, tag: str) -> list[int]:
        """Return the number of a tag, as a list of one part."""
        return [self.number(tag)]

    def tag(self, numbers: Sequence[int]) -> str:
        """Return the tag of a number, given as a list of one part; an empty string for ``_``."""
        unit = self.units[numbers[0]]
        return "" if unit == "_" or (self._ignored and numbers[0] == EMPTY) else unit


class CompositeVocabulary:
    """Maps the parts of a tag to numbers: the features of FEATS, or the morpheme tags of Korean XPOS.

    Attributes:
        width: The number of parts of a tag.

    Args:
        state: The vocabulary as Stanza saves it: ``_unit2id``, ``_id2unit``, ``sep`` and ``keyed``.
    """

    def __init__(self, state: Mapping[str, Any]) -> None:
        self._separator, self._keyed = str(state["sep"]), bool(state["keyed"])
        units = state["_id2unit"]
        self._parts = {
            key: Vocabulary({"_unit2id": ids, "_id2unit": units[key]})
            for key, ids in state["_unit2id"].items()
        }
        self.width = len(self._parts)

    def parts(self, tag: str) -> list[int]:
        """Return the numbers of the parts of a tag that has no keys (such as XPOS)."""
        found = [] if tag == "_" else tag.split(self._separator)
        numbers = [part.number(unit) for part, unit in zip(self._parts.values(), found, strict=False)]
        return numbers + [EMPTY] * (self.width - len(numbers))

    def tag(self, numbers: Sequence[int]) -> str:
        """Return the tag with these numbers of parts."""
        named = [
            f"{key}={part.units[number]}" if self._keyed else part.units[number]
            for number, (key, part) in zip(numbers, self._parts.items(), strict=True)
            if number != EMPTY
        ]
        return self._separator.join(named)


def read_vocabularies(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the vocabularies of a model by name, each a ``Vocabulary`` or a ``CompositeVocabulary``."""
    kinds = {"XPOSVocab": CompositeVocabulary, "FeatureVocab": CompositeVocabulary}
    return {
        name: kinds.get(state["_key2class"][name], Vocabulary)(saved)
        for name, saved in state.items()
        if name != "_key2class"
    }
