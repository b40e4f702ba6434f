"""How the threads of numerical libraries wait for each other."""

from __future__ import annotations

from collections.abc import MutableMapping

#: By default a waiting thread of OpenMP keeps its core busy. Where other programs want the cores too, annotation,
#: whose matrices are small, then takes many times as long. Sleeping threads cost little; encoders keep all cores.
_WAITING = ("OMP_WAIT_POLICY", "PASSIVE")
#: Who sets one of these has decided.
_DECIDED = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")


def let_threads_sleep(environment: MutableMapping[str, str]) -> None:
    """Ask the threads of torch to sleep while they wait; call it before torch is imported.

    Args:
        environment: The environment of this process; left as it is where it says how threads wait.
    """
    if not any(name in environment for name in _DECIDED):
        name, value = _WAITING
        environment[name] = value
