"""Ragged arrays: nested lists of different lengths, of any depth, over NumPy arrays."""

from __future__ import annotations

from operator import index
from typing import Any, Sequence

import numpy as np

from . import _native, _ragged_exchange, _ragged_lists
from . import _ragged_option as option
from ._arrange import axis_of
from ._ragged_elementwise import array_ufunc, operand
from ._ragged_elementwise import where as _where
from ._ragged_index import getitem
from ._ragged_leaves import leaves_of, packed
from ._ragged_reduce import known, reduce, tested


def _offsets(level: Any) -> np.ndarray:
    """Returns offsets as int64. Raises TypeError for numbers that are not integers."""
    level = np.asarray(level)
    if level.size and level.dtype.kind not in "iu":
        raise TypeError(f"offsets have the type {level.dtype}, but must be integers")
    return np.ascontiguousarray(level, dtype=np.int64)


def _is_list(entry: Any) -> bool:
    return isinstance(entry, (list, tuple, np.ndarray)) and entry is not np.ma.masked


def _is_missing(entry: Any) -> bool:
    return entry is None or entry is np.ma.masked


class Ragged(np.lib.mixins.NDArrayOperatorsMixin):
    """A ragged array: its leaves, and for each axis but the first the offsets at which the lists begin.

    Leaves in a masked array may be missing. Lists may be missing, too: `missing` has for each level an array of bools, true for missing lists, or `None` if
    all of them are present. A missing list has no elements, but differs from an empty one. Reductions skip missing leaves and lists, and `to_list` has `None`
    for them. Every call checks the arrays. No other thread may write to them during a call.

    Indices choose elements of any axis, as in NumPy and Awkward Array: integers, slices, `...`, `None`, arrays of integers or bools, or one ragged array
    of them. NumPy's functions of elements apply to leaves. An operand with fewer axes has one value for all leaves below one of its elements.

    >>> a = Ragged([[0, 3, 3, 4]], [6, 5, 5, 2])
    >>> a.to_list()
    [[6, 5, 5], [], [2]]
    >>> a.sum().leaves
    array([16,  0,  2])
    >>> a.padded()
    array([[6, 5, 5],
           [0, 0, 0],
           [2, 0, 0]])
    >>> a[::2, ::-1].to_list()
    [[5, 5, 6], [2]]
    >>> (a - a.max())[a > 2].to_list()
    [[0, -1, -1], [], []]
    >>> some = Ragged.from_list([[1, 2], None, []])
    >>> some.sum().to_list(), (some + 1).to_list()
    ([3, None, 0], [[2, 3], None, []])
    """

    __slots__ = ("offsets", "leaves", "missing")
    __array_priority__ = 100

    def __init__(self, offsets: Sequence[Any], leaves: Any, missing: Sequence[Any] | None = None):
        """Makes an array of these parts. Elements of missing lists are dropped."""
        self.offsets = [_offsets(level) for level in offsets]
        self.leaves = leaves_of(leaves)
        if self.leaves.ndim != 1:
            raise ValueError(f"leaves have {self.leaves.ndim} dimensions, but one is needed")
        self.missing: option.Missing = [None] * len(self.offsets) if missing is None else list(missing)
        self._check()
        if option.has_missing(self):
            made = option.below(self, 0, [], np.arange(len(self)), [])
            self.offsets, self.leaves, self.missing = made.offsets, made.leaves, made.missing

    def _check(self) -> None:
        """Raises ValueError if the offsets do not fit the leaves. Other packages trust the offsets that they get."""
        _native.ragged_check(self.offsets, len(self.leaves))
        self.missing = option.checked(self.missing, self.offsets)

    @classmethod
    def _made(cls, offsets: Sequence[np.ndarray], leaves: np.ndarray, missing: Sequence[Any] | None = None) -> Ragged:
        """Returns an array of parts that the native module made."""
        made = cls.__new__(cls)
        made.offsets, made.leaves = list(offsets), leaves_of(leaves)
        made.missing = [None] * len(made.offsets) if missing is None else list(missing)
        return made

    @classmethod
    def from_ids(cls, ids: Any, values: Any, rows: int | None = None) -> Ragged:
        """Makes a row of the values with the same number in `ids`, for each number from 0 to `rows`, by default to the greatest. Values keep their order."""
        return _ragged_lists.group(values, ids, rows)

    @classmethod
    def from_views(cls, starts: Any, sizes: Any, leaves: Any) -> Ragged:
        """Copies rows that lie anywhere in `leaves`: row `i` has the `sizes[i]` leaves from `starts[i]` on."""
        leaves = leaves_of(leaves)
        offsets, numbers = _native.ragged_views(_offsets(starts), _offsets(sizes), len(leaves))
        return cls._made(offsets, leaves[numbers])

    @classmethod
    def from_list(cls, lists: Any) -> Ragged:
        """Converts nested lists, in which all leaves have the same depth. `None` is a missing leaf, and beside lists a missing list."""
        offsets, missing = [], []
        level = list(lists)
        while level and any(map(_is_list, level)):
            if not all(_is_list(entry) or _is_missing(entry) for entry in level):
                raise ValueError("a list contains both lists and leaves: all leaves need the same depth")
            missing.append([_is_missing(entry) for entry in level])
            level = [() if _is_missing(entry) else entry for entry in level]
            offsets.append(np.concatenate([[0], np.cumsum([len(entry) for entry in level])]).astype(np.int64))
            level = [leaf for entry in level for leaf in entry]
        mask = [_is_missing(leaf) for leaf in level]
        if any(mask):
            fill = next((leaf for leaf, missing in zip(level, mask) if not missing), 0.0)
            return cls(offsets, np.ma.masked_array([fill if missing else leaf for leaf, missing in zip(level, mask)], mask), missing)
        return cls(offsets, np.asarray(level if level else np.empty(0)), missing)

    @classmethod
    def from_awkward(cls, array: Any, missing_lists: str = "keep") -> Ragged:
        """Converts an `awkward.Array` of nested lists of numbers. Shares the leaves, and offsets of 64 bits, unless a list is missing.

        Missing leaves become masked. Missing lists stay missing, become empty with `missing_lists="empty"`, and are a ValueError with `"refuse"`. Raises
        TypeError for strings, records and unions.
        """
        return _ragged_exchange.from_awkward(array, missing_lists)

    def to_awkward(self) -> Any:
        """Converts to an `awkward.Array` over the same memory. Levels with missing lists have an option type."""
        return _ragged_exchange.to_awkward(self)

    @classmethod
    def from_arrow(cls, array: Any, missing_lists: str = "keep") -> Ragged:
        """Converts an Arrow array of lists of any kind, nested or not. Shares the offsets of large lists, and leaves but bools, unless a list is missing.

        Leaves that are null become masked. Lists that are null stay missing, become empty with `missing_lists="empty"`, and are a ValueError with `"refuse"`.
        """
        return _ragged_exchange.from_arrow(array, missing_lists)

    def to_arrow(self) -> Any:
        """Converts to large lists of Arrow over the same memory. Missing leaves and lists are null."""
        return _ragged_exchange.to_arrow(self)

    @property
    def depth(self) -> int:
        """The number of axes."""
        return len(self.offsets) + 1

    def __len__(self) -> int:
        return len(self.offsets[0]) - 1 if self.offsets else len(self.leaves)

    def __getitem__(self, key: Any) -> Any:
        """Returns the chosen elements: a ragged array, a NumPy array if one axis is left, or a leaf. A missing leaf or list is `numpy.ma.masked`."""
        if isinstance(key, (bool, np.bool_)) or not isinstance(key, (int, np.integer)):
            return getitem(self, key)
        row = index(key)
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} is out of range: the array has {len(self)} rows")
        row %= max(len(self), 1)
        if not self.offsets:
            return self.leaves[row]
        if self.missing[0] is not None and self.missing[0][row]:
            return np.ma.masked
        begin, end = (int(offset) for offset in self.offsets[0][row : row + 2])
        rest, missing = [], []
        for level, lists in zip(self.offsets[1:], self.missing[1:]):
            part = level[begin : end + 1]
            rest.append(part - part[0])
            missing.append(None if lists is None else lists[begin:end])
            begin, end = int(part[0]), int(part[-1])
        return Ragged(rest, self.leaves[begin:end], missing) if rest else self.leaves[begin:end]

    def to_list(self) -> list[Any]:
        """Converts to nested lists, with `None` for missing leaves and lists."""
        level: list[Any] = self.leaves.tolist()
        for offsets, missing in zip(reversed(self.offsets), reversed(self.missing)):
            level = [level[begin:end] for begin, end in zip(offsets[:-1], offsets[1:])]
            if missing is not None:
                level = [None if gone else entry for entry, gone in zip(level, missing)]
        return level

    def parents(self, level: int = -1) -> np.ndarray:
        """Returns, for each element below a level, the number of its list in that level."""
        return _native.ragged_parents(self.offsets, len(self.leaves), axis_of(level, len(self.offsets)))

    def flatten(self, axis: int | None = 1) -> Ragged:
        """Joins the lists along `axis` with the lists of the axis before it. `None` joins all axes. Missing lists of this axis are dropped."""
        if axis is None:
            return Ragged._made([], self.leaves[packed(self)[1]])
        axis = axis_of(axis, self.depth)
        offsets, numbers = _native.ragged_flatten(self.offsets, np.arange(len(self.leaves)), axis)
        missing = [*self.missing[: axis - 1], *self.missing[axis:]]
        return Ragged(offsets, self.leaves if len(numbers) == len(self.leaves) else self.leaves[numbers], missing)

    def unflatten(self, sizes: Any, axis: int = 0) -> Ragged:
        """Groups the elements of `axis` by these sizes, or by one size, into lists of a new axis. The inverse of `flatten`."""
        return _ragged_lists.unflatten(self, sizes, axis)

    def num(self, axis: int = 1) -> Ragged:
        """Returns the length of every list of `axis`, masked for missing lists. Axis 0 has one list."""
        axis = axis_of(axis, self.depth)
        offsets, lengths = _native.ragged_num(self.offsets, len(self.leaves), axis)
        missing = self.missing[axis - 1] if axis else None
        if missing is not None:
            lengths = np.ma.masked_array(lengths, missing)
        return Ragged._made(offsets, lengths, self.missing[: max(axis - 1, 0)])

    def local_index(self, axis: int = -1) -> Ragged:
        """Returns the position of every element of `axis` in its list."""
        axis = axis_of(axis, self.depth)
        return Ragged._made(*_native.ragged_local_index(self.offsets, len(self.leaves), axis), self.missing[:axis])

    def sort(self, axis: int = -1, descending: bool = False) -> Ragged:
        """Sorts along an axis. Equal leaves keep their order, NaN is the greatest number, and missing leaves come last.

        Raises ValueError if an axis before the last is sorted, and one of its elements or of the next axes is a missing list."""
        a, numbers, _ = _ragged_lists.order(self, axis, descending)
        return Ragged._made(a.offsets, a.leaves[numbers], a.missing)

    def argsort(self, axis: int = -1, descending: bool = False) -> Ragged:
        """Returns the positions along an axis of the leaves in the order of `sort`."""
        a, _, places = _ragged_lists.order(self, axis, descending)
        return Ragged._made(a.offsets, places, a.missing)

    def unique(self) -> Ragged:
        """Returns the distinct leaves of each list of the last axis, in ascending order. NaN equals NaN."""
        return _ragged_lists.unique(self)

    def run_lengths(self) -> Ragged:
        """Returns the lengths of the runs of equal leaves in each list of the last axis."""
        return _ragged_lists.run_lengths(self)

    def pad_to(self, n: int, axis: int = -1, clip: bool = False, value: Any = None) -> Ragged:
        """Lengthens the lists of `axis` to `n` elements, and with `clip` cuts longer ones. New leaves are missing, or `value`; new lists are missing."""
        return _ragged_lists.pad_to(self, n, axis, clip, value)

    def clip(self, least: Any = None, most: Any = None) -> Ragged:
        """Replaces leaves below `least` by it, and leaves above `most`."""
        made: Any = self
        made = made if least is None else np.maximum(made, least)
        return made if most is None else np.minimum(made, most)

    def combinations(self, n: int, axis: int = 1, replacement: bool = False) -> Ragged:
        """Returns all combinations of `n` elements of every list of `axis`. Each is a list of `n` elements on a new axis after it."""
        axis = axis_of(axis, self.depth)
        if option.has_missing(self):
            return option.along(self, axis, 1, _native.ragged_combinations, axis, n, replacement)
        parts = _native.ragged_combinations(self.offsets, len(self.leaves), axis, n, replacement)
        return Ragged._made(parts[0], self.leaves[parts[1]])

    @staticmethod
    def cartesian(arrays: Sequence[Any], axis: int = 1) -> tuple[Ragged, ...]:
        """Returns the Cartesian product of corresponding lists of `axis`: an array for each operand, all with the same lists there. The last varies fastest."""
        return _ragged_lists.cartesian(arrays, axis)

    @staticmethod
    def concatenate(arrays: Sequence[Any], axis: int = 0) -> Ragged:
        """Joins corresponding lists of `axis`."""
        return _ragged_lists.concatenate(arrays, axis)

    @staticmethod
    def where(condition: Any, x: Any, y: Any) -> Ragged:
        """Chooses leaves of `x` where the condition is true, and of `y` elsewhere. Operands are aligned as those of NumPy's functions."""
        return _where(condition, x, y)

    def softmax(self) -> Ragged:
        """Returns exp(x) divided by the sum of exp over the list, for each leaf x of each list of the last axis."""
        return _ragged_lists.softmax(self)

    def is_none(self, axis: int = -1) -> Ragged:
        """Returns whether each element of `axis` is missing: a leaf, or a list for an axis before the last."""
        return option.is_none(operand(self), axis_of(axis, self.depth))

    def fill_none(self, value: Any, axis: int = -1) -> Ragged:
        """Replaces missing leaves by `value`, or missing lists that are elements of another `axis` by the list `value`, such as []."""
        return option.fill_none(self, value, axis_of(axis, self.depth))

    def drop_none(self, axis: int = -1) -> Ragged:
        """Removes missing elements of `axis` from their lists: leaves, or lists for an axis before the last."""
        return option.drop_none(self, axis_of(axis, self.depth))

    def padded(self, fill: Any = 0) -> np.ndarray:
        """Returns the smallest dense array with all elements; `fill` stands where there is none, and for missing leaves and lists."""
        shape, numbers = _native.ragged_pad(self.offsets, np.arange(len(self.leaves)), -1)
        leaves = np.ma.filled(self.leaves, fill)
        made = np.full(len(numbers), fill, leaves.dtype)
        made[numbers >= 0] = leaves[numbers[numbers >= 0]]
        return made.reshape(shape)

    def _reduce(self, how: str, axis: int | None) -> Any:
        return reduce(self, how, axis)

    def sum(self, axis: int | None = -1) -> Any:
        """Sums along an axis. The sum of an empty list is 0."""
        return self._reduce("sum", axis)

    def prod(self, axis: int | None = -1) -> Any:
        """Multiplies along an axis. The product of an empty list is 1."""
        return self._reduce("prod", axis)

    def mean(self, axis: int | None = -1) -> Any:
        """Averages along an axis. The mean of an empty list is NaN."""
        return self._reduce("mean", axis)

    def min(self, axis: int | None = -1) -> Any:
        """Returns the least element along an axis, masked for empty lists."""
        return self._reduce("min", axis)

    def max(self, axis: int | None = -1) -> Any:
        """Returns the greatest element along an axis, masked for empty lists."""
        return self._reduce("max", axis)

    def argmin(self, axis: int | None = -1) -> Any:
        """Returns the position of the first least element in its list, masked for empty lists."""
        return self._reduce("argmin", axis)

    def argmax(self, axis: int | None = -1) -> Any:
        """Returns the position of the first greatest element in its list, masked for empty lists."""
        return self._reduce("argmax", axis)

    def any(self, axis: int | None = -1) -> Any:
        """Tests whether any element along an axis differs from 0; false for an empty list."""
        return known(self, axis, tested(self)._reduce("max", axis), False)

    def all(self, axis: int | None = -1) -> Any:
        """Tests whether all elements along an axis differ from 0; true for an empty list."""
        return known(self, axis, tested(self)._reduce("min", axis), True)

    def count(self, axis: int | None = -1) -> Any:
        """Counts the leaves along an axis that are not missing."""
        return Ragged(self.offsets, (~np.ma.getmaskarray(self.leaves)).astype(np.int64), self.missing)._reduce("sum", axis)

    def count_nonzero(self, axis: int | None = -1) -> Any:
        """Counts the leaves along an axis that differ from 0."""
        return tested(self)._reduce("sum", axis)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return array_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        return _ragged_lists.array_function(function, arguments, options)

    def __repr__(self) -> str:
        return f"Ragged(rows={len(self)}, depth={self.depth}, leaves={len(self.leaves)}, dtype={self.leaves.dtype})"


def segment_sum(values: Any, ids: Any, rows: int | None = None) -> np.ndarray:
    """Sums the values with each number in `ids`, from 0 to `rows`, by default to the greatest number."""
    return Ragged.from_ids(ids, values, rows).sum().leaves


def segment_mean(values: Any, ids: Any, rows: int | None = None) -> np.ndarray:
    """Averages the values with each number in `ids`; NaN without values."""
    return Ragged.from_ids(ids, values, rows).mean().leaves


def segment_min(values: Any, ids: Any, rows: int | None = None) -> np.ndarray:
    """Returns the least of the values with each number in `ids`, masked without values."""
    return Ragged.from_ids(ids, values, rows).min().leaves


def segment_max(values: Any, ids: Any, rows: int | None = None) -> np.ndarray:
    """Returns the greatest of the values with each number in `ids`, masked without values."""
    return Ragged.from_ids(ids, values, rows).max().leaves
