"""Operations on the lists of ragged arrays: order, padding, joins, tuples, runs, and segments."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _native
from ._arrange import axis_of
from ._ragged_elementwise import operand, where
from ._ragged_leaves import leaves_of, moved, packed
from ._ragged_option import along, below, count, has_missing, marks, met, refuse
from ._ragged_reduce import computed


def order(a: Any, axis: int, descending: bool) -> tuple[Any, np.ndarray, np.ndarray]:
    """Returns the packed array, the numbers of its leaves in the order along an axis, and their coordinates on it. Missing leaves come last.

    Raises ValueError if the order would move missing lists."""
    a = operand(a)
    axis = axis_of(axis, a.depth)
    refuse(a, "sort", axis)
    if np.ma.isMaskedArray(a.leaves) or a.leaves.dtype.kind not in "biuf" or a.leaves.dtype.itemsize > 8:
        mask = np.ma.getmaskarray(a.leaves)
        keys = np.unique(np.ma.getdata(a.leaves), return_inverse=True)[1].reshape(-1).astype(np.int64)
        keys[mask] = -1 if descending else len(keys)
    else:
        keys = computed(a.leaves, "min")
    return (a, *_native.ragged_order(a.offsets, keys, axis, descending))


def pad_to(a: Any, target: int, axis: int, clip: bool, value: Any) -> Any:
    """Lengthens the lists of an axis, by missing leaves, by `value`, or by missing lists."""
    axis = axis_of(axis, a.depth)
    if axis < a.depth - 1 or has_missing(a):
        a = operand(a)
        padded = along(a, axis, 0, _native.ragged_pad_to, axis, target, clip)
        if axis < a.depth - 1 or value is None:
            return padded
        # The new leaves are those that are missing for other leaves, too.
        new = along(type(a)._made(a.offsets, np.zeros(len(a.leaves), bool), a.missing), axis, 0, _native.ragged_pad_to, axis, target, clip)
        offsets, leaves, added = padded.offsets, padded.leaves, np.ma.getmaskarray(new.leaves)
    else:
        offsets, numbers = _native.ragged_pad_to(a.offsets, len(a.leaves), axis, target, clip)
        offsets, leaves, added = offsets, moved(a.leaves, numbers), numbers < 0
    if value is not None and added.any():
        # Leaves that were missing before stay missing.
        leaves = leaves.astype(np.result_type(leaves.dtype, value))
        leaves[added] = value
    return type(a)(offsets, leaves, a.missing)


def concatenate(arrays: Sequence[Any], axis: int) -> Any:
    """Joins corresponding lists of an axis. A list is missing if all of its parts are, or if a list that holds it is missing in any array."""
    from .ragged import Ragged

    operands = [one if isinstance(one, Ragged) else _of_numpy(np.ma.asarray(one)) for one in map(operand, arrays)]
    if not operands:
        raise ValueError("there are no arrays to concatenate")
    axis = axis_of(axis, max(one.depth for one in operands))
    operands = met(operands, axis - 1)
    parts = _native.ragged_concatenate([(one.offsets, len(one.leaves)) for one in operands], axis)
    masked = any(np.ma.isMaskedArray(one.leaves) for one in operands)
    leaves = (np.ma.concatenate if masked else np.concatenate)([one.leaves for one in operands])
    return Ragged._made(parts[0], leaves[parts[1]], _joined(operands, axis))


def _joined(operands: list[Any], axis: int) -> list[Any]:
    """Returns the marks of the lists of arrays joined along an axis."""
    first = operands[0]
    if not any(map(has_missing, operands)):
        return [None] * (first.depth - 1)
    missing = first.missing[: max(axis - 1, 0)]
    if axis:
        each = [one.missing[axis - 1] for one in operands]
        missing.append(None if any(lists is None for lists in each) else marks(np.logical_and.reduce(each)))
    for q in range(axis, first.depth - 1):
        # The marks of a level are joined as the leaves of an array of its lists.
        lists = [np.zeros(count(one, q), bool) if one.missing[q] is None else one.missing[q] for one in operands]
        numbers = _native.ragged_concatenate([(one.offsets[:q], count(one, q)) for one in operands], axis)[1]
        missing.append(marks(np.concatenate(lists)[numbers]))
    return missing


def _of_numpy(array: np.ma.MaskedArray) -> Any:
    """Returns an array of NumPy as a ragged array of the same axes."""
    from .ragged import Ragged

    if not array.ndim:
        raise ValueError("a number has no axis")
    offsets, lists = [], array.shape[0]
    for size in array.shape[1:]:
        offsets.append(np.arange(lists + 1) * size)
        lists *= size
    return Ragged(offsets, array.reshape(-1))


def cartesian(arrays: Sequence[Any], axis: int) -> tuple[Any, ...]:
    """Returns the Cartesian product of corresponding lists of an axis, as one array for each operand."""
    from .ragged import Ragged

    operands = [one if isinstance(one, Ragged) else _of_numpy(np.ma.asarray(one)) for one in map(operand, arrays)]
    if not operands:
        raise ValueError("there are no arrays to multiply")
    axis = axis_of(axis, min(one.depth for one in operands))
    operands = met(operands, axis)
    made = _native.ragged_cartesian([(one.offsets[:axis], count(one, axis)) for one in operands], axis)
    return tuple(below(one, axis, *parts, one.missing[:axis]) for one, parts in zip(operands, made))


def unflatten(a: Any, sizes: Any, axis: int) -> Any:
    """Groups the elements of an axis by sizes, or all by one size, into lists of a new axis."""
    axis = axis_of(axis, a.depth)
    sizes = sizes.leaves if isinstance(sizes, type(a)) else sizes
    if np.ma.isMaskedArray(sizes) and np.ma.getmaskarray(sizes).any():
        raise ValueError("a size of a group is missing")
    sizes = np.asarray(sizes)
    if sizes.size and sizes.dtype.kind not in "iu":
        raise TypeError(f"sizes have the type {sizes.dtype}, but must be integers")
    if not sizes.ndim:
        size = int(sizes)
        elements = len(packed(a)[1]) if axis == a.depth - 1 else len(a) if axis == 0 else int(packed(a)[0][axis - 1][-1])
        if size <= 0 or elements % size:
            raise ValueError(f"{elements} elements are not a multiple of {size}, the size of a group")
        sizes = np.full(elements // size, size)
    offsets, numbers = _native.ragged_unflatten(a.offsets, len(a.leaves), axis, np.ascontiguousarray(sizes, np.int64))
    lists = a.missing[axis - 1] if axis else None
    if lists is not None and np.diff(offsets[axis - 1])[lists].any():
        raise ValueError(f"axis {axis - 1}: a missing list would get groups of size 0; leave these out")
    return type(a)._made(offsets, moved(a.leaves, numbers), [*a.missing[:axis], None, *a.missing[axis:]])


def _runs(a: Any, equal_nan: bool) -> tuple[Any, Any]:
    """Returns the lengths and the first leaves of the runs of equal leaves in each list of the last axis."""
    a = operand(a)
    data, mask = np.ma.getdata(a.leaves), np.ma.getmaskarray(a.leaves)
    with np.errstate(invalid="ignore"):
        different = data[1:] != data[:-1]
    if equal_nan and data.dtype.kind in "fc":
        different &= ~(np.isnan(data[1:]) & np.isnan(data[:-1]))
    different = np.where(mask[1:] | mask[:-1], mask[1:] != mask[:-1], different)
    numbers = np.concatenate([np.zeros(min(len(data), 1), np.int64), np.cumsum(different, dtype=np.int64)])
    (offsets, lengths), firsts = _native.ragged_run_lengths(a.offsets, numbers)
    return type(a)._made(offsets, lengths, a.missing), type(a)._made(offsets, a.leaves[firsts], a.missing)


def run_lengths(a: Any) -> Any:
    """Returns the lengths of the runs of equal leaves in each list of the last axis."""
    return _runs(a, False)[0]


def unique(a: Any) -> Any:
    """Returns the distinct leaves of each list of the last axis, in ascending order."""
    packed_array, numbers, _ = order(a, -1, False)
    return _runs(type(a)._made(packed_array.offsets, packed_array.leaves[numbers], packed_array.missing), True)[1]


def softmax(a: Any) -> Any:
    """Returns exp(x) divided by the sum of exp over the list, for each leaf x. The greatest leaf of a list is subtracted first, so exp does not overflow."""
    a = operand(a)
    if a.leaves.dtype.kind not in "biuf":
        raise TypeError(f"leaves have the type {a.leaves.dtype}, but `softmax` needs real numbers")
    a = type(a)._made(a.offsets, a.leaves if a.leaves.dtype.kind == "f" else a.leaves.astype(np.float64), a.missing)
    if not len(a.leaves):
        return a
    one_list = a.depth == 1
    with np.errstate(invalid="ignore"):
        powers = np.exp(a - (a.max().leaves[0] if one_list else a.max()))
        return powers / (powers.sum().leaves[0] if one_list else powers.sum())


def group(values: Any, ids: Any, rows: int | None) -> Any:
    """Returns the values with the same number as a row, for each number from 0 on."""
    from .ragged import Ragged

    values, ids = leaves_of(values), np.asarray(ids)
    if ids.size and ids.dtype.kind not in "iu":
        raise TypeError(f"ids have the type {ids.dtype}, but must be integers")
    if ids.shape != values.shape:
        raise ValueError(f"there are {ids.size} ids for {values.size} values")
    if ids.size and ids.min() < 0:
        raise ValueError(f"id {int(ids.min())} is negative")
    count = (int(ids.max()) + 1 if ids.size else 0) if rows is None else rows
    offsets, numbers = _native.ragged_group(np.ascontiguousarray(ids, np.int64), count)
    return Ragged._made(offsets, values[numbers])


def array_function(function: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Calls the function of ragged arrays that corresponds to one of NumPy."""
    from .ragged import Ragged

    if function is np.concatenate:
        return concatenate(*arguments, **{**options, "axis": options.get("axis", 0)} if len(arguments) < 2 else options)
    if function is np.where and len(arguments) == 3:
        return where(*arguments, **options)
    name = {"amin": "min", "amax": "max"}.get(function.__name__, function.__name__)
    if name not in _METHODS or not isinstance(arguments[0], Ragged):
        return NotImplemented
    if name in _REDUCTIONS and len(arguments) == 1:
        # NumPy reduces all axes if none is named.
        options = {"axis": None, **options}
    return getattr(arguments[0], name)(*arguments[1:], **options)


_REDUCTIONS = ("sum", "prod", "mean", "min", "max", "argmin", "argmax", "any", "all", "count_nonzero")
_METHODS = (*_REDUCTIONS, "argsort", "clip", "sort")
