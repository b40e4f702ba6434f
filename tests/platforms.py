"""What a test needs of the system it runs on; elsewhere it is skipped, with the reason."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHELL = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
SIGNALS = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and process groups")
LINKS = pytest.mark.skipif(os.name != "posix", reason="needs symbolic links, which Windows keeps from users")
FULL_DEVICE = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
STDOUT_DEVICE = pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
FIFOS = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
