"""Indexing of ragged arrays: integers, slices, `...`, `None`, arrays of integers and bools, and ragged arrays of them."""

from __future__ import annotations

from operator import index
from typing import Any, Callable

import numpy as np

from . import _native
from . import _ragged_option as option
from ._ragged_leaves import asked, moved, packed

# The numbers beyond which the end of a slice is out of every list.
_FAR = 1 << 62


def getitem(a: Any, key: Any) -> Any:
    """Returns a ragged array, an array of NumPy if one axis is left, or a leaf."""
    keys = [_key(one) for one in (key if isinstance(key, tuple) else (key,))]
    if any(isinstance(one, type(a)) for one in keys):
        if len(keys) > 1:
            raise IndexError("a ragged array of indices or bools must be the only index: apply the others to its result")
        return _chosen(a, keys[0])
    return _several(a, _whole(a, keys))


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


def _chosen(a: Any, key: Any) -> Any:
    """Chooses elements by a ragged array of integers or bools."""
    leaves = np.ma.getdata(key.leaves)
    missing = np.ascontiguousarray(np.ma.getmaskarray(key.leaves)) if np.ma.isMaskedArray(key.leaves) else None
    work = _native.ragged_filter if leaves.dtype == bool else _native.ragged_gather
    if leaves.dtype != bool:
        if leaves.size and leaves.dtype.kind not in "iu":
            raise IndexError(f"ragged arrays of indices have integers or bools, not {leaves.dtype}")
        leaves = leaves.astype(np.int64)
    if option.has_missing(a) or option.has_missing(key) or missing is not None and key.depth < a.depth:
        return _end(option.chosen(a, key, work, leaves, missing))
    offsets, numbers = asked(work, a.offsets, len(a.leaves), key.offsets, leaves, missing)
    return _end(type(a)._made(offsets, moved(a.leaves, numbers)))


def _end(a: Any) -> Any:
    """Returns a ragged array, or an array of NumPy if it has one axis."""
    return a if a.offsets else a.leaves


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
    """The elements chosen so far: a ragged array, and the number of axes, 0 for a single leaf. `lost` is true for a row that is missing."""

    def __init__(self, a: Any):
        offsets, numbers = packed(a)
        self.array = a if offsets is a.offsets else type(a)._made(offsets, a.leaves[numbers])
        self.depth: int = a.depth
        self.lost = False

    def lists(self, axis: int) -> int:
        """Returns the number of lists of an axis that are present. Axis 0 is one list."""
        if not axis:
            return 1
        lists = self.array.missing[axis - 1] if axis < self.depth else None
        return option.count(self.array, axis - 1) - (0 if lists is None else int(lists.sum()))

    def missing(self, axis: int) -> np.ndarray | None:
        """Returns the marks of the lists of an axis, if some are missing."""
        return self.array.missing[axis - 1] if axis else None

    def apply(self, work: Callable[..., Any], axis: int, *arguments: Any) -> None:
        """Chooses elements of an axis by a native function of offsets, the number of leaves, the axis, and these arguments."""
        a = self.array
        if not option.has_missing(a):
            offsets, numbers = asked(work, a.offsets, len(a.leaves), axis, *arguments)
            self.array = type(a)._made(offsets, moved(a.leaves, numbers))
            return
        offsets, numbers = asked(work, a.offsets[:axis], option.count(a, axis), axis, *arguments)
        self.array = option.below(a, axis, offsets, numbers, a.missing[: len(offsets)])

    def index(self, axis: int, indices: np.ndarray, each: bool) -> None:
        """Chooses one element of each list of an axis, and removes the axis. The element of a missing list is missing."""
        missing, a = self.missing(axis), self.array
        self.depth -= 1
        if missing is None and (axis or a.depth == 1 or not option.has_missing(a)):
            self.apply(_native.ragged_index, axis, indices, each)
        elif missing is None:
            row = int(asked(_native.ragged_index, [], len(a), 0, indices, each)[1][0])
            found = a[row]
            self.lost = found is np.ma.masked
            self.array = a if self.lost else found if isinstance(found, type(a)) else type(a)._made([], found)
        else:
            wanted = np.zeros(len(missing), np.int64)
            wanted[:] = indices
            above = [*a.offsets[: axis - 1], np.arange(len(missing) + 1)]
            offsets, numbers = asked(_native.ragged_gather, a.offsets[:axis], option.count(a, axis), above, wanted, missing)
            self.array = option.below(a, axis, offsets[:-1], numbers, a.missing[: axis - 1])

    def take(self, axis: int, indices: np.ndarray) -> None:
        """Chooses the same elements of each list of an axis. Missing lists stay missing."""
        missing, a = self.missing(axis), self.array
        if missing is None:
            return self.apply(_native.ragged_take, axis, indices)
        above = [*a.offsets[: axis - 1], np.concatenate([[0], np.cumsum(np.where(missing, 0, len(indices)))]).astype(np.int64)]
        offsets, numbers = asked(
            _native.ragged_gather, a.offsets[:axis], option.count(a, axis), above, np.tile(indices, int((~missing).sum())), None
        )
        self.array = option.below(a, axis, offsets, numbers, a.missing[:axis])

    def insert(self, axis: int, sizes: tuple[int, ...]) -> None:
        """Makes axes of fixed sizes of `axis`, whose lists have as many elements as the product of the sizes. Missing lists have none."""
        a, missing = self.array, self.missing(axis)
        lists, levels = option.count(a, axis - 1) if axis else 1, []
        for k, size in enumerate(sizes):
            lengths = np.where(missing, 0, size) if not k and missing is not None else np.full(lists, size)
            levels.append(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
            lists = int(levels[-1][-1])
        offsets = [*a.offsets[: max(axis - 1, 0)], *(levels if axis else levels[1:]), *a.offsets[axis:]]
        self.array = type(a)._made(offsets, a.leaves, [*a.missing[:axis], *[None] * (len(sizes) - 1), *a.missing[axis:]])
        self.depth += len(sizes) - 1

    def add(self, axis: int) -> None:
        """Adds an axis of one element for each element of the axis before."""
        a, at = self.array, max(axis - 1, 0)
        above = [np.arange(option.count(a, axis - 1) + 1)] if axis else [np.array([0, len(a) if self.depth else 1])] if self.depth else []
        self.array = type(a)._made([*a.offsets[:at], *above, *a.offsets[at:]], a.leaves, [*a.missing[:at], *[None] * len(above), *a.missing[at:]])
        self.depth += 1

    def found(self) -> Any:
        """Returns a ragged array, an array of NumPy if one axis is left, or a leaf."""
        if self.lost:
            return np.ma.masked
        return _end(self.array) if self.depth else self.array.leaves[0]


def _several(a: Any, keys: list[Any]) -> Any:
    """Applies one index after the other."""
    choice = _Choice(a)
    arrays = np.broadcast_arrays(*[one for one in keys if isinstance(one, np.ndarray)])
    axis = done = lists = 0
    for one in keys:
        if choice.lost:
            break
        if one is None:
            choice.add(axis)
            axis += 1
        elif isinstance(one, slice):
            start, stop, step = (None if end is None else _near(end) for end in (one.start, one.stop, one.step))
            if step == 0:
                raise ValueError("the step of a slice is 0")
            if (start, stop, step) not in ((None, None, None), (None, None, 1)):
                choice.apply(_native.ragged_slice, axis, start, stop, 1 if step is None else step)
            axis += 1
        elif isinstance(one, int):
            choice.index(axis, np.array([_near(one)]), False)
        elif done == 0:
            lists, done = choice.lists(axis), 1
            choice.take(axis, np.array(arrays[0]).reshape(-1))
            axis += 1
        else:
            choice.index(axis, np.tile(np.array(arrays[done]).reshape(-1), lists), True)
            done += 1
        if done and done == len(arrays) and arrays[0].ndim > 1:
            choice.insert(axis - 1, arrays[0].shape)
            axis += arrays[0].ndim - 1
            done = -1
    return choice.found()


def _near(end: Any) -> int:
    """Returns an integer as the nearest one of 63 bits."""
    return max(-_FAR, min(index(end), _FAR))
