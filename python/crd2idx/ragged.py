"""Ragged arrays: nested lists of different lengths, of any depth, over NumPy arrays."""

from __future__ import annotations

from operator import index
from typing import Any, Sequence

import numpy as np

from . import _native, _ragged_lists
from ._arrange import axis_of
from ._ragged_elementwise import array_ufunc
from ._ragged_elementwise import where as _where
from ._ragged_index import getitem, leaves_of, packed
from ._ragged_reduce import known, reduce, tested


def _offsets(level: Any) -> np.ndarray:
    """Returns offsets as int64. Raises TypeError for numbers that are not integers."""
    level = np.asarray(level)
    if level.size and level.dtype.kind not in "iu":
        raise TypeError(f"offsets have the type {level.dtype}, but must be integers")
    return np.ascontiguousarray(level, dtype=np.int64)


def _is_list(entry: Any) -> bool:
    return isinstance(entry, (list, tuple, np.ndarray)) and entry is not np.ma.masked


def _empties(missing_lists: str) -> bool:
    """Tests whether missing lists become empty. Raises ValueError for other words than `empty` and `refuse`."""
    if missing_lists not in ("empty", "refuse"):
        raise ValueError(f"missing_lists is {missing_lists!r}, but must be 'empty' or 'refuse'")
    return missing_lists == "empty"


class Ragged(np.lib.mixins.NDArrayOperatorsMixin):
    """A ragged array: its leaves, and for each axis but the first the offsets at which the lists begin.

    Leaves in a masked array may be missing. Reductions skip them, and `to_list` has `None` for them. Every call checks the arrays. No other thread may write
    to them during a call.

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
    """

    __slots__ = ("offsets", "leaves")
    __array_priority__ = 100

    def __init__(self, offsets: Sequence[Any], leaves: Any):
        self.offsets = [_offsets(level) for level in offsets]
        self.leaves = leaves_of(leaves)
        if self.leaves.ndim != 1:
            raise ValueError(f"leaves have {self.leaves.ndim} dimensions, but one is needed")
        self._check()

    def _check(self) -> None:
        """Raises ValueError if the offsets do not fit the leaves. Other packages trust the offsets that they get."""
        _native.ragged_check(self.offsets, len(self.leaves))

    @classmethod
    def _made(cls, offsets: Sequence[np.ndarray], leaves: np.ndarray) -> Ragged:
        """Returns an array of parts that the native module made."""
        made = cls.__new__(cls)
        made.offsets, made.leaves = list(offsets), leaves_of(leaves)
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
        """Converts nested lists, in which all leaves have the same depth. `None` is a missing leaf."""
        offsets = []
        level = list(lists)
        while level and any(map(_is_list, level)):
            if not all(map(_is_list, level)):
                raise ValueError("a list contains both lists and leaves: all leaves need the same depth, and only leaves may be missing")
            offsets.append(np.concatenate([[0], np.cumsum([len(entry) for entry in level])]).astype(np.int64))
            level = [leaf for entry in level for leaf in entry]
        mask = [leaf is None or leaf is np.ma.masked for leaf in level]
        if any(mask):
            fill = next((leaf for leaf, missing in zip(level, mask) if not missing), 0.0)
            return cls(offsets, np.ma.masked_array([fill if missing else leaf for leaf, missing in zip(level, mask)], mask))
        return cls(offsets, np.asarray(level if level else np.empty(0)))

    @classmethod
    def from_awkward(cls, array: Any, missing_lists: str = "refuse") -> Ragged:
        """Converts an `awkward.Array` of nested lists of numbers. Shares the leaves, and offsets of 64 bits.

        Missing leaves become masked. Missing lists become empty with `missing_lists="empty"`, and are a ValueError otherwise. Raises TypeError for strings,
        records and unions.
        """
        if _empties(missing_lists):
            import awkward

            for axis in range(array.ndim - 1):
                array = awkward.fill_none(array, [], axis=axis)
        offsets: list[np.ndarray] = []
        layout = array.layout
        while not layout.is_numpy:
            if layout.parameter("__array__") in ("string", "bytestring"):
                raise TypeError(f"a {layout.parameter('__array__')} is no list of numbers")
            if layout.is_unknown:
                return cls(offsets, np.empty(0))
            if layout.is_indexed and not layout.is_option:
                layout = layout.project()
                continue
            if layout.is_option:
                content = layout.to_ByteMaskedArray(False)
                mask, leaves = np.asarray(content.mask.data) != 0, content.content
                if leaves.is_numpy:
                    return cls(offsets, np.ma.masked_array(np.asarray(leaves.data)[: len(mask)], mask))
                if mask.any():
                    raise ValueError(f"{int(mask.sum())} lists are missing, but only leaves may be: convert with missing_lists=\"empty\", or drop them before")
                layout = leaves[: len(mask)]
                continue
            if not layout.is_list and not layout.is_regular:
                raise TypeError(f"{type(layout).__name__} is neither a list nor an array of numbers")
            own = getattr(layout, "offsets", None)
            if own is None or own.dtype != np.int64 or own[0] != 0:
                layout = layout.to_ListOffsetArray64(True)
            offsets.append(np.asarray(layout.offsets.data))
            layout = layout.content[: offsets[-1][-1]]
        return cls(offsets, np.asarray(layout.data))

    def to_awkward(self) -> Any:
        """Converts to an `awkward.Array` over the same memory."""
        import awkward

        self._check()
        data: Any = np.ma.getdata(self.leaves)
        content = awkward.contents.NumpyArray(data)
        if np.ma.isMaskedArray(self.leaves):
            mask = np.ma.getmaskarray(self.leaves).view(np.int8)
            content = awkward.contents.ByteMaskedArray(awkward.index.Index8(mask), content, valid_when=False)
        for level in reversed(self.offsets):
            content = awkward.contents.ListOffsetArray(awkward.index.Index64(level), content)
        return awkward.Array(content)

    @classmethod
    def from_arrow(cls, array: Any, missing_lists: str = "refuse") -> Ragged:
        """Converts an Arrow array of lists of any kind, nested or not. Shares the offsets of large lists, and leaves but bools.

        Leaves that are null become masked. Lists that are null become empty with `missing_lists="empty"`, and are a ValueError otherwise.
        """
        import pyarrow as pa

        empties = _empties(missing_lists)

        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks()
        offsets = []
        while True:
            kind = array.type
            if pa.types.is_dictionary(kind):
                array = array.dictionary_decode()
                continue
            views = [getattr(pa.types, name)(kind) for name in ("is_list_view", "is_large_list_view") if hasattr(pa.types, name)]
            if any(views):
                array = pa.array(array.to_pylist(), pa.large_list(kind.value_type))
                continue
            fixed = pa.types.is_fixed_size_list(kind)
            if not fixed and not pa.types.is_list(kind) and not pa.types.is_large_list(kind):
                break
            if array.null_count and not empties:
                raise ValueError(f"the array has {array.null_count} nulls among its lists, but only leaves may be null: convert with missing_lists=\"empty\"")
            if array.null_count:
                lengths = np.where(array.is_null().to_numpy(zero_copy_only=False), 0, array.value_lengths().fill_null(0).to_numpy(zero_copy_only=False))
                offsets.append(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
            elif fixed:
                offsets.append(np.arange(len(array) + 1, dtype=np.int64) * kind.list_size)
            else:
                level = array.offsets.to_numpy()
                offsets.append(np.zeros(1, np.int64) if not len(level) else level if level[0] == 0 else level - level[0])
            array = array.flatten()
        if pa.types.is_null(array.type):
            array = array.cast(pa.float64())
        if not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type) or pa.types.is_boolean(array.type)):
            raise TypeError(f"leaves have the type {array.type}, but must be numbers or bools")
        if not array.null_count:
            return cls(offsets, array.to_numpy(zero_copy_only=False))
        mask = array.is_null().to_numpy(zero_copy_only=False)
        return cls(offsets, np.ma.masked_array(array.fill_null(False if pa.types.is_boolean(array.type) else 0).to_numpy(zero_copy_only=False), mask))

    def to_arrow(self) -> Any:
        """Converts to large lists of Arrow over the same memory."""
        import pyarrow

        self._check()
        mask = np.ma.getmaskarray(self.leaves) if np.ma.isMaskedArray(self.leaves) else None
        array = pyarrow.array(np.ma.getdata(self.leaves), mask=mask)
        for level in reversed(self.offsets):
            array = pyarrow.LargeListArray.from_arrays(pyarrow.array(level), array)
        return array

    @property
    def depth(self) -> int:
        """The number of axes."""
        return len(self.offsets) + 1

    def __len__(self) -> int:
        return len(self.offsets[0]) - 1 if self.offsets else len(self.leaves)

    def __getitem__(self, key: Any) -> Any:
        """Returns the chosen elements: a ragged array, a NumPy array if one axis is left, or a leaf."""
        if isinstance(key, (bool, np.bool_)) or not isinstance(key, (int, np.integer)):
            return getitem(self, key)
        row = index(key)
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} is out of range: the array has {len(self)} rows")
        row %= max(len(self), 1)
        if not self.offsets:
            return self.leaves[row]
        begin, end = (int(offset) for offset in self.offsets[0][row : row + 2])
        rest = []
        for level in self.offsets[1:]:
            part = level[begin : end + 1]
            rest.append(part - part[0])
            begin, end = int(part[0]), int(part[-1])
        return Ragged(rest, self.leaves[begin:end]) if rest else self.leaves[begin:end]

    def to_list(self) -> list[Any]:
        """Converts to nested lists."""
        level: list[Any] = self.leaves.tolist()
        for offsets in reversed(self.offsets):
            level = [level[begin:end] for begin, end in zip(offsets[:-1], offsets[1:])]
        return level

    def parents(self, level: int = -1) -> np.ndarray:
        """Returns, for each element below a level, the number of its list in that level."""
        return _native.ragged_parents(self.offsets, len(self.leaves), axis_of(level, len(self.offsets)))

    def flatten(self, axis: int | None = 1) -> Ragged:
        """Joins the lists along `axis` with the lists of the axis before it. `None` joins all axes."""
        if axis is None:
            return Ragged._made([], self.leaves[packed(self)[1]])
        offsets, numbers = _native.ragged_flatten(self.offsets, np.arange(len(self.leaves)), axis_of(axis, self.depth))
        return Ragged(offsets, self.leaves if len(numbers) == len(self.leaves) else self.leaves[numbers])

    def unflatten(self, sizes: Any, axis: int = 0) -> Ragged:
        """Groups the elements of `axis` by these sizes, or by one size, into lists of a new axis. The inverse of `flatten`."""
        return _ragged_lists.unflatten(self, sizes, axis)

    def num(self, axis: int = 1) -> Ragged:
        """Returns the length of every list of `axis`. Axis 0 has one list."""
        return Ragged._made(*_native.ragged_num(self.offsets, len(self.leaves), axis_of(axis, self.depth)))

    def local_index(self, axis: int = -1) -> Ragged:
        """Returns the position of every element of `axis` in its list."""
        return Ragged._made(*_native.ragged_local_index(self.offsets, len(self.leaves), axis_of(axis, self.depth)))

    def sort(self, axis: int = -1, descending: bool = False) -> Ragged:
        """Sorts along an axis. Equal leaves keep their order, NaN is the greatest number, and missing leaves come last."""
        a, numbers, _ = _ragged_lists.order(self, axis, descending)
        return Ragged._made(a.offsets, a.leaves[numbers])

    def argsort(self, axis: int = -1, descending: bool = False) -> Ragged:
        """Returns the positions along an axis of the leaves in the order of `sort`."""
        a, _, places = _ragged_lists.order(self, axis, descending)
        return Ragged._made(a.offsets, places)

    def unique(self) -> Ragged:
        """Returns the distinct leaves of each list of the last axis, in ascending order. NaN equals NaN."""
        return _ragged_lists.unique(self)

    def run_lengths(self) -> Ragged:
        """Returns the lengths of the runs of equal leaves in each list of the last axis."""
        return _ragged_lists.run_lengths(self)

    def pad_to(self, n: int, axis: int = -1, clip: bool = False, value: Any = None) -> Ragged:
        """Lengthens the lists of `axis` to `n` elements, and with `clip` cuts longer ones. New leaves are missing, or `value`; new lists are empty."""
        return _ragged_lists.pad_to(self, n, axis, clip, value)

    def clip(self, least: Any = None, most: Any = None) -> Ragged:
        """Replaces leaves below `least` by it, and leaves above `most`."""
        made: Any = self
        made = made if least is None else np.maximum(made, least)
        return made if most is None else np.minimum(made, most)

    def combinations(self, n: int, axis: int = 1, replacement: bool = False) -> Ragged:
        """Returns all combinations of `n` elements of every list of `axis`. Each is a list of `n` elements on a new axis after it."""
        parts = _native.ragged_combinations(self.offsets, len(self.leaves), axis_of(axis, self.depth), n, replacement)
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

    def is_none(self) -> Ragged:
        """Returns whether each leaf is missing."""
        return Ragged(self.offsets, np.ma.getmaskarray(self.leaves).copy())

    def fill_none(self, value: Any) -> Ragged:
        """Replaces missing leaves by `value`."""
        if not np.ma.isMaskedArray(self.leaves):
            return self
        kind = np.result_type(self.leaves.dtype, value)
        return Ragged(self.offsets, np.where(np.ma.getmaskarray(self.leaves), np.asarray(value).astype(kind), np.ma.getdata(self.leaves)))

    def drop_none(self) -> Ragged:
        """Removes missing leaves from their lists."""
        return _ragged_lists.drop_none(self)

    def padded(self, fill: Any = 0) -> np.ndarray:
        """Returns the smallest dense array with all elements; `fill` stands where there is none, and for missing leaves."""
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
        return known(tested(self)._reduce("max", axis), False)

    def all(self, axis: int | None = -1) -> Any:
        """Tests whether all elements along an axis differ from 0; true for an empty list."""
        return known(tested(self)._reduce("min", axis), True)

    def count(self, axis: int | None = -1) -> Any:
        """Counts the leaves along an axis that are not missing."""
        return Ragged(self.offsets, (~np.ma.getmaskarray(self.leaves)).astype(np.int64))._reduce("sum", axis)

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
