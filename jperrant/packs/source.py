"""Reading the YAML of packs: safely, with the line of every key, and with no key twice."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from jperrant.errors import FormatError, PackError
from jperrant.io.files import read_lines
from jperrant.located import Located

FILE = "pack.yaml"
#: The C parser where PyYAML has it, which is ten times as fast.
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """Makes Located mappings; everything else is as in safe YAML."""

    file = ""

    def construct_located(self, node: yaml.MappingNode) -> Located:
        """Make a mapping that knows its lines."""
        found = Located(self.file, node.start_mark.line + 1)
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            line = key_node.start_mark.line + 1
            if not isinstance(key, Hashable):
                raise FormatError(self.file, line, f"a list or mapping cannot be a key: {key!r}")
            if key in found.lines:
                raise FormatError(
                    self.file,
                    line,
                    f"key {key!r} is there twice, first in line {found.lines[key]}; remove one",
                )
            found.lines[key] = line
        self.flatten_mapping(node)
        found.update({self.construct_object(k, deep=True): self.construct_object(v, deep=True)
                      for k, v in node.value})  # fmt: skip
        return found


_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.construct_located)


def read_pack(folder: Path) -> Located:
    """Return the content of a folder's pack.yaml, whatever its keys are.

    Raises:
        PackError: There is none, or it is no mapping.
        FormatError: It is no YAML, or has a key twice; names the line.
    """
    path = folder / FILE
    if not path.is_file():
        raise PackError(f"{folder}: no {FILE} there, so it is no language pack")
    stat = path.stat()
    content = _parse(str(path), stat.st_mtime_ns, stat.st_size)
    if not isinstance(content, Located):
        raise PackError(f"{path}: expected a mapping")
    return content


def read_yaml(path: Path) -> Any:
    """Return the content of another YAML (or JSON) file of a pack.

    Raises:
        InputError: It cannot be read.
        FormatError: It is no YAML, or has a key twice; names the line.
    """
    return _parse.__wrapped__(str(path), 0, 0)


@lru_cache(maxsize=64)
def _parse(path: str, _changed: int, _size: int) -> Any:
    text = "\n".join(read_lines(path))
    try:
        loader = _Loader(text)
        loader.file = path
        return loader.get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise FormatError(path, mark.line + 1 if mark else None, f"not YAML: {problem}") from None
    except RecursionError:
        raise FormatError(path, None, "not YAML: nested too deeply, or it contains itself") from None
