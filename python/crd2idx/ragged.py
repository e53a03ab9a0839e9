"""Ragged arrays: nested lists of different lengths, of any depth, over NumPy arrays."""

from __future__ import annotations

from operator import index
from typing import Any, Sequence

import numpy as np

from . import _native
from ._arrange import axis_of


def _offsets(level: Any) -> np.ndarray:
    """Returns offsets as int64. Raises TypeError for numbers that are not integers."""
    level = np.asarray(level)
    if level.size and level.dtype.kind not in "iu":
        raise TypeError(f"offsets have the type {level.dtype}, but must be integers")
    return np.ascontiguousarray(level, dtype=np.int64)


def _leaves(leaves: Any) -> np.ndarray:
    """Returns leaves in contiguous memory, as a masked array only if one is missing."""
    mask = np.ma.getmaskarray(leaves) if np.ma.isMaskedArray(leaves) else None
    data = np.ascontiguousarray(np.ma.getdata(leaves))
    return data if mask is None or not mask.any() else np.ma.masked_array(data, mask.copy())


def _computed(leaves: np.ndarray, how: str) -> np.ndarray:
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
    """Returns what a reduction of `_computed` leaves found, in the type that it has for `leaves`."""
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
    "min": lambda dtype: np.inf if dtype.kind == "f" else np.iinfo(dtype).max,
    "max": lambda dtype: -np.inf if dtype.kind == "f" else np.iinfo(dtype).min,
}


class Ragged:
    """A ragged array: its leaves, and for each axis but the first the offsets at which the lists begin.

    Leaves in a masked array may be missing. Reductions skip them, and `to_list` has `None` for them. Every call checks the arrays. No other thread may write
    to them during a call.

    >>> a = Ragged([[0, 3, 3, 4]], [6, 5, 5, 2])
    >>> a.to_list()
    [[6, 5, 5], [], [2]]
    >>> a.sum().leaves
    array([16,  0,  2])
    >>> a.padded()
    array([[6, 5, 5],
           [0, 0, 0],
           [2, 0, 0]])
    """

    __slots__ = ("offsets", "leaves")

    def __init__(self, offsets: Sequence[Any], leaves: Any):
        self.offsets = [_offsets(level) for level in offsets]
        self.leaves = _leaves(leaves)
        if self.leaves.ndim != 1:
            raise ValueError(f"leaves have {self.leaves.ndim} dimensions, but one is needed")
        self._check()

    def _check(self) -> None:
        """Raises ValueError if the offsets do not fit the leaves. Other packages trust the offsets that they get."""
        _native.ragged_check(self.offsets, len(self.leaves))

    @classmethod
    def from_list(cls, lists: Any) -> Ragged:
        """Converts nested lists, in which all leaves have the same depth."""
        offsets = []
        level = list(lists)
        while level and any(isinstance(entry, (list, tuple, np.ndarray)) for entry in level):
            if not all(isinstance(entry, (list, tuple, np.ndarray)) for entry in level):
                raise ValueError("a list contains both lists and numbers: all leaves need the same depth")
            offsets.append(np.concatenate([[0], np.cumsum([len(entry) for entry in level])]).astype(np.int64))
            level = [leaf for entry in level for leaf in entry]
        return cls(offsets, np.asarray(level if level else np.empty(0)))

    @classmethod
    def from_awkward(cls, array: Any) -> Ragged:
        """Converts an `awkward.Array` of nested lists of numbers. Shares the leaves, and offsets of 64 bits.

        Missing leaves become masked. Raises ValueError for missing lists, and TypeError for strings, records and unions.
        """
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
                    raise ValueError(f"{int(mask.sum())} lists are missing, but only leaves may be")
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
    def from_arrow(cls, array: Any) -> Ragged:
        """Converts an Arrow array of lists of any kind, nested or not. Shares the offsets of large lists, and leaves but bools.

        Leaves that are null become masked. Raises ValueError for lists that are null.
        """
        import pyarrow as pa

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
            if array.null_count:
                raise ValueError(f"the array has {array.null_count} nulls among its lists, but only leaves may be null")
            if fixed:
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

    def __getitem__(self, row: int) -> Any:
        """Returns row `row`: a ragged array with one axis less, a NumPy array, or a leaf."""
        row = index(row)
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

    def flatten(self, axis: int = 1) -> Ragged:
        """Joins the lists along `axis` with the lists of the axis before it."""
        offsets, numbers = _native.ragged_flatten(self.offsets, np.arange(len(self.leaves)), axis_of(axis, self.depth))
        return Ragged(offsets, self.leaves if len(numbers) == len(self.leaves) else self.leaves[numbers])

    def padded(self, fill: Any = 0) -> np.ndarray:
        """Returns the smallest dense array with all elements; `fill` stands where there is none, and for missing leaves."""
        shape, numbers = _native.ragged_pad(self.offsets, np.arange(len(self.leaves)), -1)
        leaves = np.ma.filled(self.leaves, fill)
        made = np.full(len(numbers), fill, leaves.dtype)
        made[numbers >= 0] = leaves[numbers[numbers >= 0]]
        return made.reshape(shape)

    def _reduce(self, how: str, axis: int) -> Ragged:
        axis = axis_of(axis, self.depth)
        if not np.ma.isMaskedArray(self.leaves):
            return self._reduced(self.offsets, self.leaves, how, axis)
        mask, leaves = np.ma.getmaskarray(self.leaves), np.ma.getdata(self.leaves)
        if axis == self.depth - 1:
            # Leave the missing leaves out.
            kept = np.flatnonzero(~mask)
            below = np.concatenate([[0], np.cumsum(~mask)])
            found = self._reduced([*self.offsets[:-1], *(below[level] for level in self.offsets[-1:])], leaves[kept], how, axis)
            if how in ("argmin", "argmax") and self.offsets:
                begins = self.offsets[-1][:-1]
                place = np.ma.getdata(found.leaves) + below[begins]
                place = kept[np.minimum(place, max(len(kept) - 1, 0))] - begins if len(kept) else place
                found.leaves = _leaves(np.ma.masked_array(place, np.ma.getmaskarray(found.leaves)))
            return found
        if how in ("argmin", "argmax"):
            raise ValueError(f"`{how}` of missing leaves needs the last axis, {self.depth - 1}, not {axis}")
        present = self._reduced(self.offsets, (~mask).astype(np.int64), "sum", axis)
        filled = np.where(mask, np.asarray(_NEUTRAL[how](leaves.dtype if leaves.dtype != bool else np.dtype(np.int8))).astype(leaves.dtype), leaves)
        found = self._reduced(self.offsets, filled, "sum" if how == "mean" else how, axis)
        if how == "mean":
            with np.errstate(all="ignore"):
                found.leaves = found.leaves / present.leaves
        elif how in ("min", "max"):
            found.leaves = _leaves(np.ma.masked_array(np.ma.getdata(found.leaves), present.leaves == 0))
        return found

    @staticmethod
    def _reduced(offsets: Sequence[np.ndarray], leaves: np.ndarray, how: str, axis: int) -> Ragged:
        made, found, mask = _native.ragged_reduce(offsets, _computed(leaves, how), how, axis)
        found = _returned(found, leaves, how)
        return Ragged(made, found if mask is None else np.ma.masked_array(found, mask))

    def sum(self, axis: int = -1) -> Ragged:
        """Sums along an axis. The sum of an empty list is 0."""
        return self._reduce("sum", axis)

    def prod(self, axis: int = -1) -> Ragged:
        """Multiplies along an axis. The product of an empty list is 1."""
        return self._reduce("prod", axis)

    def mean(self, axis: int = -1) -> Ragged:
        """Averages along an axis. The mean of an empty list is NaN."""
        return self._reduce("mean", axis)

    def min(self, axis: int = -1) -> Ragged:
        """Returns the least element along an axis, masked for empty lists."""
        return self._reduce("min", axis)

    def max(self, axis: int = -1) -> Ragged:
        """Returns the greatest element along an axis, masked for empty lists."""
        return self._reduce("max", axis)

    def argmin(self, axis: int = -1) -> Ragged:
        """Returns the position of the first least element in its list, masked for empty lists."""
        return self._reduce("argmin", axis)

    def argmax(self, axis: int = -1) -> Ragged:
        """Returns the position of the first greatest element in its list, masked for empty lists."""
        return self._reduce("argmax", axis)

    def __repr__(self) -> str:
        return f"Ragged(rows={len(self)}, depth={self.depth}, leaves={len(self.leaves)}, dtype={self.leaves.dtype})"
