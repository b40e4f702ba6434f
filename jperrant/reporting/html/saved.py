"""Pages that are written to a file."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import PurePath

from jperrant.core.errors import UsageError
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
            UsageError: The file is one of the inputs, or named for something else than a page.
            InputError: The file cannot be written.
        """
        check_page(fspath(path))
        with open_output(fspath(path), inputs) as stream:
            stream.write(self.html)


#: Endings of files that are no pages.
_NO_PAGES = (".pdf", ".ps", ".png", ".jpg", ".svg", ".docx", ".odt", ".md", ".tex", ".csv", ".tsv", ".json")


def check_page(path: str) -> None:
    """Check that a file is not named for something other than a page.

    Raises:
        UsageError: It is; says how to print the page.
    """
    name = PurePath(path)
    if name.suffix.lower() in _NO_PAGES:
        page = name.with_suffix(".html")
        raise UsageError(
            f"{path}: the page is HTML, not {name.suffix[1:]}; write it with -o {page}, open it in a browser and "
            "print it there (to PDF, too)"
        )
