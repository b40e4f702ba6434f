"""Pages that are written to a file."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath

from jperrant.io.files import open_output


class SavedPage:
    """A finished page.

    Attributes:
        html: The whole page.
    """

    html: str

    def save(self, path: str | PathLike[str], inputs: Sequence[str] = ()) -> None:
        """Write the page to a file.

        Args:
            path: The file; ``-`` is standard output.
            inputs: Files that must not be overwritten.

        Raises:
            UsageError: The file is one of the inputs.
            InputError: The file cannot be written.
        """
        with open_output(fspath(path), inputs) as stream:
            stream.write(self.html)
