"""Ragged arrays: nested lists of different lengths, of any depth, over NumPy arrays."""

from __future__ import annotations

from operator import index
from typing import Any, Sequence

import numpy as np

from . import _native


class Ragged:
    """A ragged array: its leaves, and for each axis but the first the offsets at which the lists begin.

    Every call checks the arrays. No other thread may write to them during a call.

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
        self.offsets = [np.ascontiguousarray(level, dtype=np.int64) for level in offsets]
        self.leaves = np.ascontiguousarray(leaves)
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
        """Converts an `awkward.Array` of nested lists of numbers. Shares the leaves, and offsets of 64 bits."""
        offsets = []
        layout = array.layout
        while not layout.is_numpy:
            if not layout.is_list and not layout.is_regular:
                raise ValueError(f"{type(layout).__name__} is neither a list nor an array of numbers")
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
        content = awkward.contents.NumpyArray(self.leaves)
        for level in reversed(self.offsets):
            content = awkward.contents.ListOffsetArray(awkward.index.Index64(level), content)
        return awkward.Array(content)

    @classmethod
    def from_arrow(cls, array: Any) -> Ragged:
        """Converts an Arrow array of lists, nested or not, without nulls. Shares the offsets of large lists."""
        offsets = []
        while hasattr(array, "offsets"):
            if array.null_count:
                raise ValueError(f"the array has {array.null_count} nulls, but a ragged array has none")
            level = array.offsets.to_numpy()
            offsets.append(np.zeros(1, np.int64) if not len(level) else level if level[0] == 0 else level - level[0])
            array = array.flatten()
        return cls(offsets, array.to_numpy())

    def to_arrow(self) -> Any:
        """Converts to large lists of Arrow over the same memory."""
        import pyarrow

        self._check()
        array = pyarrow.array(self.leaves)
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
        return _native.ragged_parents(self.offsets, len(self.leaves), index(level) % max(len(self.offsets), 1))

    def flatten(self, axis: int = 1) -> Ragged:
        """Joins the lists along `axis` with the lists of the axis before it."""
        return Ragged(*_native.ragged_flatten(self.offsets, self.leaves, axis))

    def padded(self, fill: Any = 0) -> np.ndarray:
        """Returns the smallest dense array with all elements; `fill` stands where there is none."""
        shape, data = _native.ragged_pad(self.offsets, self.leaves, fill)
        return data.reshape(shape)

    def _reduce(self, how: str, axis: int) -> Ragged:
        offsets, leaves, mask = _native.ragged_reduce(self.offsets, self.leaves, how, index(axis) % self.depth)
        made = Ragged(offsets, leaves)
        if mask is not None and mask.any():
            made.leaves = np.ma.masked_array(leaves, mask)
        return made

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
