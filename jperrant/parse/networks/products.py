"""Products of rows with weights, in as many rows at a time as the BLAS multiplies soonest.

OpenBLAS copies both sides of a product into the order in which its kernels read them. For processors with AVX-512
it has kernels that read small matrices where they are, which makes narrow products a tenth faster
(interface/gemm.c, ``SMALL_MATRIX_OPT``; kernel/x86_64/sgemm_small_kernel_permit_skylakex.c). Nothing is rounded in
these products, so the bits are the same either way.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

_LARGEST = 1_000_000
"""Most numbers that a small product multiplies: rows times terms times columns."""
_FEWEST = 16
"""Rows below which a product is slower than in larger parts."""
_AVX512 = frozenset(["Cooperlake", "SapphireRapids", "SkylakeX"])


def rows_at_once(weight: Any) -> int:
    """Return how many rows are best multiplied at a time by weights of shape ``(…, terms, columns)``; 0 for all."""
    rows = _LARGEST // max(1, weight.shape[-2] * weight.shape[-1])
    return rows if rows >= _FEWEST and has_small_kernels() else 0


@cache
def has_small_kernels() -> bool:
    """Whether numpy multiplies by an OpenBLAS that has kernels for small matrices."""
    from threadpoolctl import threadpool_info

    return any(
        library.get("internal_api") == "openblas" and library.get("architecture") in _AVX512
        for library in threadpool_info()
    )


def multiply(rows: Any, weight: Any, out: Any, at_once: int) -> None:
    """Multiply rows by weights.

    Args:
        rows: Shape ``(…, rows, terms)``.
        weight: Shape ``(…, terms, columns)``.
        out: Takes the result, shape ``(…, rows, columns)``.
        at_once: What ``rows_at_once`` returns.
    """
    count = rows.shape[-2]
    whole = count - count % at_once if at_once and count > at_once else 0
    if whole:
        parts, place = (_in_parts(table[..., :whole, :], at_once) for table in (rows, out))
        np.matmul(parts, weight[..., None, :, :], out=place)
    if whole < count:
        np.matmul(rows[..., whole:, :], weight, out=out[..., whole:, :])


def _in_parts(table: Any, size: int) -> Any:
    """Return a view of a table with its rows in parts of a size, shape ``(…, parts, size, columns)``."""
    *others, count, columns = table.shape
    return table.reshape(*others, count // size, size, columns)
