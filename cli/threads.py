"""How many threads numerical libraries use, and how those wait for each other."""

from __future__ import annotations

from collections.abc import MutableMapping

#: By default a waiting thread of OpenMP keeps its core busy. Where other programs want the cores too, annotation,
#: whose matrices are small, then takes many times as long. Sleeping threads cost little; encoders keep all cores.
_WAITING = ("OMP_WAIT_POLICY", "PASSIVE")
#: Who sets one of these has decided.
_DECIDED = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")
#: Threads of numpy's products always keep their cores busy: on busy ones annotation takes twenty times as long.
_PRODUCTS = ("OPENBLAS_NUM_THREADS", "1")
_PRODUCTS_DECIDED = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


def let_threads_sleep(environment: MutableMapping[str, str]) -> None:
    """Ask torch's threads to sleep while they wait, and numpy for one; call it before these are imported.

    Args:
        environment: The environment of this process; left as it is where it says how threads wait, and how many
            there are.
    """
    for (name, value), decided in ((_WAITING, _DECIDED), (_PRODUCTS, _PRODUCTS_DECIDED)):
        if not any(known in environment for known in decided):
            environment[name] = value
