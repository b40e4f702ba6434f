"""Models of the transformers library loaded without its progress bars and reports."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def quiet_loading(transformers: Any) -> Iterator[None]:
    """Keep the library from printing progress and load reports; what it was told before holds again afterwards.

    Args:
        transformers: The library.
    """
    logging = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
