"""Which packs have Python of their own, and whether it may be run; running it is the work of ``hooks``."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from jperrant.core.messages import spoken

FILE = "hooks.py"


class HookFile(NamedTuple):
    """A ``hooks.py``.

    Attributes:
        folder: The folder it is in.
        named: Whether its pack is installed or the user named the folder.
    """

    folder: Path
    named: bool


class HooksNotRunWarning(UserWarning):
    """A pack that the user did not name has Python, which was not run."""


def allowed(files: Iterable[HookFile], run: bool | None) -> Iterator[Path]:
    """Yield the folders of those files that may be run.

    Args:
        files: All files of a pack and its ancestors.
        run: True for all, False for none; None for those that the user named or installed, with a warning for
            others.
    """
    for file in files:
        if run or (run is None and file.named):
            yield file.folder
        elif run is None:
            warnings.warn(
                spoken(
                    f"{file.folder / FILE} is not run, because its pack is neither installed nor given with "
                    "--pack; add --hooks to run it, or --no-hooks to silence this"
                ),
                HooksNotRunWarning,
                stacklevel=2,
            )
