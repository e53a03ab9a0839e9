"""Leaves of ragged arrays, by numbers that native functions choose."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _native


def leaves_of(leaves: Any) -> np.ndarray:
    """Returns leaves in contiguous memory, as a masked array only if one is missing."""
    mask = np.ma.getmaskarray(leaves) if np.ma.isMaskedArray(leaves) else None
    data = np.ascontiguousarray(np.ma.getdata(leaves))
    return data if mask is None or not mask.any() else np.ma.masked_array(data, mask.copy())


def moved(leaves: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Returns the leaves with these numbers. Number -1 stands for a missing leaf."""
    missing = numbers < 0
    if not missing.any():
        return leaves[numbers]
    data, known = np.ma.getdata(leaves), np.ma.getmaskarray(leaves)
    if not len(data):
        data, known = np.zeros(1, data.dtype), np.ones(1, bool)
    return np.ma.masked_array(data[numbers], known[numbers] | missing)


def packed(a: Any) -> tuple[list[np.ndarray], np.ndarray]:
    """Returns offsets from 0 on without unused elements, and the numbers of the leaves. Arrays with missing lists always have these."""
    below = [*(len(level) - 1 for level in a.offsets[1:]), len(a.leaves)]
    if all(level[0] == 0 and level[-1] == count for level, count in zip(a.offsets, below)):
        return a.offsets, np.arange(len(a.leaves))
    return _native.ragged_slice(a.offsets, len(a.leaves), 0, None, None, 1)


def asked(work: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a native function, whose ValueError becomes an IndexError."""
    try:
        return work(*arguments)
    except (ValueError, OverflowError) as error:
        raise IndexError(str(error)) from None
