"""Reductions of ragged arrays: the types in which they compute, and missing leaves."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _native
from ._arrange import axis_of
from ._ragged_leaves import leaves_of
from ._ragged_option import folded


def computed(leaves: np.ndarray, how: str) -> np.ndarray:
    """Returns leaves in a type that reductions compute in: NumPy's type of a sum for small numbers, float32 for half-precision ones."""
    kind = leaves.dtype.kind
    if kind not in "biuf" or leaves.dtype.itemsize > 8:
        raise TypeError(f"leaves have the type {leaves.dtype}, but reductions need bools, integers or floating-point numbers")
    if kind == "f":
        return leaves.astype(np.float32) if leaves.dtype.itemsize == 2 else leaves
    if how == "mean":
        return leaves.astype(np.float64)
    if kind == "u" and leaves.dtype.itemsize == 8:
        # Sums have the same bits for both signs. An order has the same results after the exchange of both halves of the numbers.
        return leaves.view(np.int64) if how in ("sum", "prod") else (leaves ^ np.uint64(1 << 63)).view(np.int64)
    return leaves.astype(np.int64)


def _returned(found: np.ndarray, leaves: np.ndarray, how: str) -> np.ndarray:
    """Returns what a reduction of `computed` leaves found, in the type that it has for `leaves`."""
    if how in ("argmin", "argmax"):
        return found
    if how in ("min", "max"):
        if leaves.dtype == np.uint64:
            return found.view(np.uint64) ^ np.uint64(1 << 63)
        return found.astype(leaves.dtype)
    if how == "mean":
        return found.astype(leaves.dtype) if leaves.dtype.kind == "f" else found
    if leaves.dtype.kind == "u":
        return found.view(np.uint64)
    return found.astype(leaves.dtype) if leaves.dtype.kind == "f" else found


# The leaf that changes no result of a reduction, for a missing one.
_NEUTRAL: dict[str, Any] = {
    "sum": lambda dtype: 0,
    "mean": lambda dtype: 0,
    "prod": lambda dtype: 1,
    "min": lambda dtype: np.inf if dtype.kind == "f" else dtype.kind == "b" or np.iinfo(dtype).max,
    "max": lambda dtype: -np.inf if dtype.kind == "f" else dtype.kind != "b" and np.iinfo(dtype).min,
}


def reduce(a: Any, how: str, axis: int | None) -> Any:
    """Reduces an axis, or all leaves to one for `None`. Missing leaves and lists are skipped. The result for a missing list of the last axis is missing."""
    if axis is None:
        return reduce(a.flatten(None), how, 0).leaves[0]
    axis = axis_of(axis, a.depth)
    return folded(a, axis, _along(a, how, axis))


def _along(a: Any, how: str, axis: int) -> Any:
    """Reduces an axis. Missing lists have the result of empty ones."""
    if not np.ma.isMaskedArray(a.leaves):
        return _reduced(a.offsets, a.leaves, how, axis)
    mask, leaves = np.ma.getmaskarray(a.leaves), np.ma.getdata(a.leaves)
    if axis == a.depth - 1:
        # Leave the missing leaves out.
        kept = np.flatnonzero(~mask)
        below = np.concatenate([[0], np.cumsum(~mask)])
        found = _reduced([*a.offsets[:-1], *(below[level] for level in a.offsets[-1:])], leaves[kept], how, axis)
        if how in ("argmin", "argmax"):
            begins = a.offsets[-1][:-1] if a.offsets else np.zeros(1, np.int64)
            place = np.ma.getdata(found.leaves) + below[begins]
            place = kept[np.minimum(place, max(len(kept) - 1, 0))] - begins if len(kept) else place
            found.leaves = leaves_of(np.ma.masked_array(place, np.ma.getmaskarray(found.leaves)))
        return found
    if how in ("argmin", "argmax"):
        raise ValueError(f"`{how}` of missing leaves needs the last axis, {a.depth - 1}, not {axis}")
    present = _reduced(a.offsets, (~mask).astype(np.int64), "sum", axis)
    filled = np.where(mask, np.asarray(_NEUTRAL[how](leaves.dtype)).astype(leaves.dtype), leaves)
    found = _reduced(a.offsets, filled, "sum" if how == "mean" else how, axis)
    if how == "mean":
        with np.errstate(all="ignore"):
            found.leaves = found.leaves / present.leaves
    elif how in ("min", "max"):
        found.leaves = leaves_of(np.ma.masked_array(np.ma.getdata(found.leaves), present.leaves == 0))
    return found


def _reduced(offsets: Sequence[np.ndarray], leaves: np.ndarray, how: str, axis: int) -> Any:
    """Reduces an axis of leaves of which none is missing."""
    from .ragged import Ragged

    made, found, mask = _native.ragged_reduce(offsets, computed(leaves, how), how, axis)
    found = _returned(found, leaves, how)
    return Ragged(made, found if mask is None else np.ma.masked_array(found, mask))


def known(a: Any, axis: int | None, found: Any, empty: bool) -> Any:
    """Returns bools that a reduction of `a` found, with `empty` for the missing ones of empty lists. Those of missing lists stay missing."""
    if axis is None:
        return empty if found is np.ma.masked else found
    return folded(a, axis_of(axis, a.depth), found.fill_none(empty))


def tested(a: Any) -> Any:
    """Returns whether each leaf differs from 0."""
    found = np.ma.getdata(a.leaves) != 0
    return type(a)._made(a.offsets, np.ma.masked_array(found, np.ma.getmaskarray(a.leaves)) if np.ma.isMaskedArray(a.leaves) else found, a.missing)
