"""Searching, sorting and sets."""

from __future__ import annotations

import builtins
from typing import Any, Literal, NamedTuple

import numpy as np

from .. import _arrange
from ..sparse import Sparse
from ._common import Array, dense, tensor


class UniqueAll(NamedTuple):
    """The distinct elements, their first positions, the position among them of each element, and their numbers."""

    values: Sparse
    indices: Sparse
    inverse_indices: Sparse
    counts: Sparse


class UniqueCounts(NamedTuple):
    """The distinct elements and their numbers."""

    values: Sparse
    counts: Sparse


class UniqueInverse(NamedTuple):
    """The distinct elements, and the position among them of each element."""

    values: Sparse
    inverse_indices: Sparse


def nonzero(x: Array, /) -> tuple[Sparse, ...]:
    """Returns the coordinates of the elements that are not 0, in row-major order."""
    a = tensor(x)
    if not a.ndim:
        raise ValueError("a tensor without axes has no coordinates")
    return tuple(tensor(column) for column in _arrange.nonzero(a))


def searchsorted(x1: Array, x2: Array, /, *, side: Literal["left", "right"] = "left", sorter: Array | None = None) -> Sparse:
    """Returns the positions in the sorted vector `x1` before which the elements of `x2` belong, computed with dense arrays."""
    order = None if sorter is None else dense(sorter)
    return tensor(np.asarray(np.searchsorted(dense(x1), dense(x2), side, order)))


def argsort(x: Array, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Sparse:
    """Returns the positions of the elements in sorted order, computed with a dense array."""
    elements = dense(x)
    if not descending:
        return tensor(np.argsort(elements, axis, kind="stable"))
    # Equal elements keep their order if both the elements and the result are reversed.
    order = np.argsort(np.flip(elements, axis), axis, kind="stable")
    return tensor(np.flip(elements.shape[axis] - 1 - order, axis))


def sort(x: Array, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Sparse:
    """Sorts the elements along an axis. NaN comes last."""
    a = tensor(x)._canonical()
    axis = _arrange.axis_of(axis, a.ndim)
    columns = _arrange.columns_of(a)
    values, extent = np.append(a.values, a.fill_value), a.shape[axis]
    # The rank of each value among all; the last is the fill value's.
    _, ranks = np.unique(values, return_inverse=True)
    ranks = ranks.reshape(-1)
    fill, ranks = ranks[-1], ranks[:-1]
    others = [column for k, column in enumerate(columns) if k != axis]
    order = np.lexsort([ranks, *others[::-1]])
    others = [column[order] for column in others]
    ranks = ranks[order]
    changes = np.zeros(len(order), dtype=builtins.bool)
    changes[:1] = True
    for column in others:
        changes[1:] |= column[1:] != column[:-1]
    starts = np.flatnonzero(changes)
    counts = np.diff(np.append(starts, len(order)))
    place = np.arange(len(order)) - np.repeat(starts, counts)
    # Elements that are not stored lie between the smaller and the greater ones.
    place += np.where(ranks > fill, extent - np.repeat(counts, counts), 0)
    others.insert(axis, extent - 1 - place if descending else place)
    return tensor(_arrange.build(others, a.values[order], a.shape, a.fill_value))


def unique_all(x: Array, /) -> UniqueAll:
    """Returns the distinct elements in ascending order, their first positions in row-major order, the position among them of each element, and their
    numbers. Each NaN is distinct.
    """
    a = tensor(x)._canonical()
    flat = a.reshape(-1)
    places = _arrange.columns_of(flat)[0]
    order = np.argsort(places, kind="stable")
    places, values = places[order], flat.values[order]
    missing = flat.size - len(values)
    if missing and flat.fill_value != flat.fill_value:
        # Each element that is not stored is a NaN of its own.
        values, places, missing = dense(flat), np.arange(flat.size), 0
    if missing:
        gaps = np.flatnonzero(places != np.arange(len(places)))
        values = np.append(values, flat.fill_value)
        places = np.append(places, gaps[0] if len(gaps) else len(places))
    distinct, inverse = np.unique(values, return_inverse=True, equal_nan=False)
    inverse = inverse.reshape(-1)
    first = np.full(len(distinct), flat.size, np.int64)
    np.minimum.at(first, inverse, places)
    counts = np.bincount(inverse, minlength=len(distinct)).astype(np.int64)
    fill: Any = 0
    if missing:
        fill = inverse[-1]
        counts[fill] += missing - 1
        inverse, places = inverse[:-1], places[:-1]
    positions: Sparse = _arrange.build([places], inverse.astype(np.int64), flat.shape, fill)
    return UniqueAll(tensor(distinct), tensor(first), positions.reshape(a.shape), tensor(counts))


def unique_counts(x: Array, /) -> UniqueCounts:
    """Returns the distinct elements in ascending order, and their numbers."""
    made = unique_all(x)
    return UniqueCounts(made.values, made.counts)


def unique_inverse(x: Array, /) -> UniqueInverse:
    """Returns the distinct elements in ascending order, and the position among them of each element."""
    made = unique_all(x)
    return UniqueInverse(made.values, made.inverse_indices)


def unique_values(x: Array, /) -> Sparse:
    """Returns the distinct elements in ascending order."""
    return unique_all(x).values
