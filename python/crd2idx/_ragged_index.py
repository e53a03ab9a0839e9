"""Indexing of ragged arrays: integers, slices, `...`, `None`, arrays of integers and bools, and ragged arrays of them."""

from __future__ import annotations

from operator import index
from typing import Any, Callable

import numpy as np

from . import _native

# The numbers beyond which the end of a slice is out of every list.
_FAR = 1 << 62


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
    """Returns offsets from 0 on without unused elements, and the numbers of the leaves."""
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


def getitem(a: Any, key: Any) -> Any:
    """Returns a ragged array, an array of NumPy if one axis is left, or a leaf."""
    keys = [_key(one) for one in (key if isinstance(key, tuple) else (key,))]
    if any(isinstance(one, type(a)) for one in keys):
        if len(keys) > 1:
            raise IndexError("a ragged array of indices or bools must be the only index: apply the others to its result")
        return _result(a, *_chosen(a, keys[0]))
    return _result(a, *_several(a, _whole(a, keys)))


def _key(key: Any) -> Any:
    """Returns one index as an int, a slice, `None`, `...`, an array of NumPy, or a ragged array."""
    from .ragged import Ragged

    if key is None or key is Ellipsis or isinstance(key, slice):
        return key
    if isinstance(key, (bool, np.bool_)):
        raise IndexError("a single bool is not an index")
    if not isinstance(key, Ragged) and hasattr(key, "layout"):
        key = Ragged.from_awkward(key)
    if isinstance(key, np.ma.MaskedArray):
        key = Ragged([], key) if np.ma.getmaskarray(key).any() else np.asarray(key)
    if isinstance(key, list):
        key = Ragged.from_list(key) if _is_uneven(key) else np.asarray(key)
    if isinstance(key, Ragged):
        return key if key.offsets or np.ma.isMaskedArray(key.leaves) else key.leaves
    if isinstance(key, np.ndarray) and key.ndim:
        if key.dtype.kind not in "iub" and key.size:
            raise IndexError(f"arrays of indices are integers or bools, not {key.dtype}")
        return key if key.dtype == bool else key.astype(np.int64)
    try:
        return index(key)
    except TypeError:
        raise IndexError(f"{type(key).__name__} is not an index: use integers, slices, `...`, `None`, or arrays of integers or bools") from None


def _is_uneven(key: list[Any]) -> bool:
    """Tests whether nested lists have different lengths, or missing leaves."""
    try:
        return np.asarray(key).dtype == object
    except ValueError:
        return True


def _chosen(a: Any, key: Any) -> tuple[list[np.ndarray], np.ndarray]:
    """Chooses elements by a ragged array of integers or bools."""
    leaves = np.ma.getdata(key.leaves)
    missing = np.ascontiguousarray(np.ma.getmaskarray(key.leaves)) if np.ma.isMaskedArray(key.leaves) else None
    if leaves.dtype == bool:
        return asked(_native.ragged_filter, a.offsets, len(a.leaves), key.offsets, leaves, missing)
    if leaves.size and leaves.dtype.kind not in "iu":
        raise IndexError(f"ragged arrays of indices have integers or bools, not {leaves.dtype}")
    return asked(_native.ragged_gather, a.offsets, len(a.leaves), key.offsets, leaves.astype(np.int64), missing)


def _whole(a: Any, keys: list[Any]) -> list[Any]:
    """Replaces bools by the indices at which they are true, and `...` by slices."""
    expanded: list[Any] = []
    for one in keys:
        if isinstance(one, np.ndarray) and one.dtype == bool:
            if not expanded and len(one) != len(a):
                raise IndexError(f"a mask of {len(one)} rows does not fit an array of {len(a)} rows")
            expanded.extend(np.nonzero(one))
        else:
            expanded.append(one)
    dots = [k for k, one in enumerate(expanded) if one is Ellipsis]
    named = sum(one is not None and one is not Ellipsis for one in expanded)
    if len(dots) > 1:
        raise IndexError("an index can have only one `...`")
    if named > a.depth:
        raise IndexError(f"too many indices: the array has {a.depth} axes, but {named} are indexed")
    if dots:
        expanded[dots[0] : dots[0] + 1] = [slice(None)] * (a.depth - named)
    arrays = [k for k, one in enumerate(expanded) if isinstance(one, np.ndarray)]
    # Beside arrays, an integer is an array of one number.
    fixed = [k for k, one in enumerate(expanded) if isinstance(one, (np.ndarray, int))]
    if arrays and fixed != list(range(fixed[0], fixed[0] + len(fixed))):
        raise IndexError("arrays of indices and integers must stand side by side: no slice, `...` or `None` between them")
    return expanded


class _Choice:
    """Leaves chosen so far: their offsets, their numbers, and the number of axes, 0 for a single leaf."""

    def __init__(self, a: Any):
        self.offsets, self.numbers = packed(a)
        self.depth: int = a.depth

    def lists(self, axis: int) -> int:
        """Returns the number of lists of an axis. Axis 0 is one list."""
        return 1 if axis == 0 else len(self) if axis == 1 else int(self.offsets[axis - 2][-1])

    def __len__(self) -> int:
        return len(self.offsets[0]) - 1 if self.offsets else len(self.numbers)

    def apply(self, work: Callable[..., Any], *arguments: Any) -> None:
        """Chooses by a native function of offsets, the number of leaves, and these arguments."""
        self.offsets, numbers = asked(work, self.offsets, len(self.numbers), *arguments)
        self.numbers = self.numbers[numbers]

    def insert(self, axis: int, sizes: tuple[int, ...]) -> None:
        """Makes axes of fixed sizes of `axis`, whose lists have as many elements as the product of the sizes."""
        lists, levels = self.lists(axis), []
        for size in sizes:
            levels.append(np.arange(lists + 1) * size)
            lists *= size
        self.offsets = [*self.offsets[: max(axis - 1, 0)], *(levels if axis else levels[1:]), *self.offsets[axis:]]
        self.depth += len(sizes) - 1


def _several(a: Any, keys: list[Any]) -> tuple[list[np.ndarray] | None, np.ndarray]:
    """Applies one index after the other. Returns offsets, `None` for a single leaf, and the numbers of leaves."""
    choice = _Choice(a)
    arrays = np.broadcast_arrays(*[one for one in keys if isinstance(one, np.ndarray)])
    axis = done = lists = 0
    for one in keys:
        if one is None:
            size = len(choice) if choice.depth else 1
            above = [np.arange(choice.lists(axis) + 1)] if axis else [np.array([0, size])] if choice.depth else []
            choice.offsets = [*choice.offsets[: max(axis - 1, 0)], *above, *choice.offsets[max(axis - 1, 0) :]]
            choice.depth += 1
            axis += 1
        elif isinstance(one, slice):
            start, stop, step = (None if end is None else _near(end) for end in (one.start, one.stop, one.step))
            if step == 0:
                raise ValueError("the step of a slice is 0")
            if (start, stop, step) not in ((None, None, None), (None, None, 1)):
                choice.apply(_native.ragged_slice, axis, start, stop, 1 if step is None else step)
            axis += 1
        elif isinstance(one, int):
            choice.apply(_native.ragged_index, axis, np.array([_near(one)]), False)
            choice.depth -= 1
        elif done == 0:
            lists, done = choice.lists(axis), 1
            choice.apply(_native.ragged_take, axis, np.array(arrays[0]).reshape(-1))
            axis += 1
        else:
            choice.apply(_native.ragged_index, axis, np.tile(np.array(arrays[done]).reshape(-1), lists), True)
            choice.depth -= 1
            done += 1
        if done and done == len(arrays) and arrays[0].ndim > 1:
            choice.insert(axis - 1, arrays[0].shape)
            axis += arrays[0].ndim - 1
            done = -1
    return choice.offsets if choice.depth else None, choice.numbers


def _near(end: Any) -> int:
    """Returns an integer as the nearest one of 63 bits."""
    return max(-_FAR, min(index(end), _FAR))


def _result(a: Any, offsets: list[np.ndarray] | None, numbers: np.ndarray) -> Any:
    """Returns the leaves with these numbers: as a leaf, as an array of NumPy, or as a ragged array."""
    leaves = moved(a.leaves, numbers)
    if offsets is None:
        return leaves[0]
    return type(a)._made(offsets, leaves) if offsets else leaves
