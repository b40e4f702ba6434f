"""How a process of jperrant's own manages memory; who calls jperrant from Python decides for their own."""

from __future__ import annotations

import gc

_OBJECTS = 500_000
#: The largest block whose release changes what glibc keeps, with room for the object's own fields.
_BLOCK = (32 << 20) - (64 << 10)


def manage_memory() -> None:
    """Have this process look for cycles less often and keep freed memory; call it where a program or worker begins.

    Edits, rows and candidates are many, small and never in cycles: by default looking for cycles among them takes a
    third of the time of scoring.

    What networks compute of a batch are arrays of some megabytes. glibc hands each back to the system when it is
    freed, and to fetch and clear the next ones takes a tenth of annotation's time. Once a large block has been
    freed, it keeps up to 64 MB (mallopt(3) on M_MMAP_THRESHOLD). Nothing of that block is touched, so it takes no
    memory itself; other C libraries do as they did.
    """
    gc.set_threshold(_OBJECTS)
    bytes(_BLOCK)


def skip_last_collection() -> None:
    """Have Python not look for cycles when it ends; call it where a program of jperrant's own ends.

    Otherwise it looks through all objects before it frees modules and again after, a tenth of the time of a short
    command. The system takes the memory back at once. Functions registered for the end still run; files must be
    closed before.
    """
    gc.freeze()
