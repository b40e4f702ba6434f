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
    # Some of Stanza's modules set the level anew, and enable the logger; others have loggers below it.
    mute = [logger, *logger.handlers]
    for part in mute:
        part.addFilter(_nothing)
    try:
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):  # its data preparation prints
            yield
    finally:
        for part in mute:
            part.removeFilter(_nothing)
        logger.setLevel(level)


def _nothing(record: logging.LogRecord) -> bool:  # noqa: ARG001 - a filter's signature
    return False
