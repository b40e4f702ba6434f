"""Stanza's own log and prints, kept off the terminal."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path


@contextmanager
def quiet_stanza() -> Iterator[None]:
    """Let Stanza say nothing for a while."""
    import stanza

    logger = logging.getLogger(stanza.__name__)
    level = logger.level
    logger.addFilter(_nothing)  # some of Stanza's modules set the level anew, and enable the logger
    try:
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):  # its data preparation prints
            yield
    finally:
        logger.removeFilter(_nothing)
        logger.setLevel(level)


def _nothing(record: logging.LogRecord) -> bool:  # noqa: ARG001 - a filter's signature
    return False
