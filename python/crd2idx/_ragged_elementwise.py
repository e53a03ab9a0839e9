"""Functions of elements of ragged arrays: NumPy's ufuncs, and alignment of operands with fewer axes."""

from __future__ import annotations

from functools import reduce
from typing import Any, Sequence

import numpy as np

from . import _native
from ._ragged_leaves import packed
from ._ragged_option import met


def array_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Applies a ufunc to operands of which at least one is a ragged array."""
    if options.pop("out", None) is not None:
        raise TypeError(f"`{ufunc.__name__}` cannot write to `out`: a ragged array has no memory of its own")
    if method != "__call__" or ufunc.signature is not None or options.pop("where", True) is not True:
        return NotImplemented
    shape, leaves = aligned(inputs)
    masks = [np.ma.getmaskarray(one) for one in leaves if np.ma.isMaskedArray(one)]
    if not masks:
        return _of(shape, ufunc(*leaves, **options), None)
    # Masked leaves have arbitrary values, whose warnings mean nothing. `np.ma` itself would also mask results such as sqrt(-1).
    with np.errstate(all="ignore"):
        found = ufunc(*(np.ma.getdata(one) if np.ma.isMaskedArray(one) else one for one in leaves), **options)
    return _of(shape, found, reduce(np.logical_or, masks, np.zeros(len(shape.leaves), bool)))


def where(condition: Any, x: Any, y: Any) -> Any:
    """Chooses leaves of `x` where the condition is true, and of `y` elsewhere. The leaf of a missing condition is missing."""
    shape, (chosen, *both) = aligned((condition, x, y))
    known = np.asarray(np.ma.filled(chosen, False), bool)
    left, right = (np.ma.getdata(one) if np.ma.isMaskedArray(one) else one for one in both)
    found = np.where(known, left, right)
    if not any(np.ma.isMaskedArray(one) for one in (chosen, *both)):
        return _of(shape, found, None)
    masks = [np.broadcast_to(np.ma.getmaskarray(np.ma.asarray(one)), found.shape) for one in both]
    return _of(shape, found, np.ma.getmaskarray(np.ma.asarray(chosen)) | np.where(known, *masks))


def _of(shape: Any, found: Any, mask: np.ndarray | None) -> Any:
    """Returns an array of the lists of `shape`, or a tuple of arrays for several results."""
    if isinstance(found, tuple):
        return tuple(_of(shape, one, mask) for one in found)
    return type(shape)._made(shape.offsets, found if mask is None else np.ma.masked_array(found, mask), shape.missing)


def operand(value: Any) -> Any:
    """Returns a ragged array, an array of NumPy, or a single number."""
    from .ragged import Ragged

    if isinstance(value, Ragged):
        offsets, numbers = packed(value)
        return value if offsets is value.offsets else Ragged._made(offsets, value.leaves[numbers], value.missing)
    if hasattr(value, "layout"):
        return operand(Ragged.from_awkward(value))
    if isinstance(value, (list, tuple)):
        try:
            value = np.asarray(value)
        except ValueError:
            return operand(Ragged.from_list(value))
        return operand(Ragged.from_list(value.tolist())) if value.dtype == object else value
    return value


def aligned(values: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Returns the operand with the most axes, and the leaves of each operand as one array for each leaf of that operand.

    Axes are aligned from the first on: an operand with fewer axes has one value for all leaves below one of its elements. In
    arrays of NumPy, an axis of one element has the same value for all. A list that is missing in any operand is missing in all.
    """
    from .ragged import Ragged

    operands = [operand(value) for value in values]
    operands = met(operands, max(one.depth for one in operands if isinstance(one, Ragged)) - 1)
    shape = max((one for one in operands if isinstance(one, Ragged)), key=lambda one: one.depth)
    leaves = []
    for one in operands:
        if isinstance(one, Ragged):
            leaves.append(_below(shape, one))
        elif np.ndim(one):
            leaves.append(_regular(shape, one if np.ma.isMaskedArray(one) else np.asarray(one)))
        else:
            leaves.append(one)
    return shape, leaves


def _below(shape: Any, one: Any) -> np.ndarray:
    """Returns the leaves of an operand, each for the leaves of `shape` below its element."""
    if one.depth == shape.depth:
        if one is not shape and any(a is not b for a, b in zip(one.offsets, shape.offsets)) or len(one.leaves) != len(shape.leaves):
            _native.ragged_same(shape.offsets, len(shape.leaves), one.offsets, len(one.leaves))
        return one.leaves
    return one.leaves[_native.ragged_rows_below(shape.offsets, len(shape.leaves), one.offsets, len(one.leaves))]


def _regular(shape: Any, array: np.ndarray) -> np.ndarray:
    """Returns the elements of an array of NumPy for the leaves of `shape`. Raises ValueError if a list has another length."""
    if array.ndim > shape.depth:
        raise ValueError(f"an array of {array.ndim} axes does not fit a ragged array of {shape.depth} axes")
    columns = []
    for axis, extent in enumerate(array.shape):
        lengths = _native.ragged_num(shape.offsets, len(shape.leaves), axis)[1]
        differs = lengths != extent
        if axis and shape.missing[axis - 1] is not None:
            differs &= ~shape.missing[axis - 1]
        wrong = np.flatnonzero(differs)
        if extent == 1:
            columns.append(np.zeros(len(shape.leaves), np.int64))
            continue
        if len(wrong):
            raise ValueError(f"axis {axis}: list {wrong[0]} has {lengths[wrong[0]]} elements, but the array of NumPy has {extent}")
        offsets, places = _native.ragged_local_index(shape.offsets, len(shape.leaves), axis)
        columns.append(places[_native.ragged_rows_below(shape.offsets, len(shape.leaves), offsets, len(places))])
    return array[tuple(columns)]
