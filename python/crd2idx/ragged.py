"""Arrays whose lists differ in length, of any depth, over arrays of NumPy."""

from __future__ import annotations

from operator import index
from typing import Any, Sequence

import numpy as np

from . import _native


class Ragged:
    """A ragged array: leaves, and for each axis but the first the offsets at which its lists begin.

    Arrays are checked whenever they are used; no thread may write to them meanwhile.

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
            raise ValueError(f"leaves of one dimension are needed, not of {self.leaves.ndim}")
        self._check()

    def _check(self) -> None:
        """Refuses offsets that are none of these leaves: others read where these say."""
        _native.ragged_check(self.offsets, len(self.leaves))

    @classmethod
    def from_list(cls, lists: Any) -> Ragged:
        """The array of nested lists, all of one depth."""
        offsets = []
        level = list(lists)
        while level and any(isinstance(entry, (list, tuple, np.ndarray)) for entry in level):
            if not all(isinstance(entry, (list, tuple, np.ndarray)) for entry in level):
                raise ValueError("lists and numbers stand side by side")
            offsets.append(np.concatenate([[0], np.cumsum([len(entry) for entry in level])]).astype(np.int64))
            level = [leaf for entry in level for leaf in entry]
        return cls(offsets, np.asarray(level if level else np.empty(0)))

    @classmethod
    def from_awkward(cls, array: Any) -> Ragged:
        """An array of `awkward` whose lists nest to numbers; offsets of 64 bits and leaves are shared."""
        offsets = []
        layout = array.layout
        while not layout.is_numpy:
            if not layout.is_list and not layout.is_regular:
                raise ValueError(f"{type(layout).__name__} is no list of numbers")
            own = getattr(layout, "offsets", None)
            if own is None or own.dtype != np.int64 or own[0] != 0:
                layout = layout.to_ListOffsetArray64(True)
            offsets.append(np.asarray(layout.offsets.data))
            layout = layout.content[: offsets[-1][-1]]
        return cls(offsets, np.asarray(layout.data))

    def to_awkward(self) -> Any:
        """The array as `awkward.Array`, over the same memory."""
        import awkward

        self._check()
        content = awkward.contents.NumpyArray(self.leaves)
        for level in reversed(self.offsets):
            content = awkward.contents.ListOffsetArray(awkward.index.Index64(level), content)
        return awkward.Array(content)

    @classmethod
    def from_arrow(cls, array: Any) -> Ragged:
        """A list array of Arrow without nulls, nested or not; large lists share their offsets."""
        offsets = []
        while hasattr(array, "offsets"):
            if array.null_count:
                raise ValueError(f"{array.null_count} nulls: lists without them are needed")
            level = array.offsets.to_numpy()
            offsets.append(np.zeros(1, np.int64) if not len(level) else level if level[0] == 0 else level - level[0])
            array = array.flatten()
        return cls(offsets, array.to_numpy())

    def to_arrow(self) -> Any:
        """The array as large lists of Arrow, over the same memory."""
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
        """Row `row`: a ragged array of one axis less, an array of NumPy, or a leaf."""
        row = index(row)
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
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
        """The array as nested lists."""
        level: list[Any] = self.leaves.tolist()
        for offsets in reversed(self.offsets):
            level = [level[begin:end] for begin, end in zip(offsets[:-1], offsets[1:])]
        return level

    def parents(self, level: int = -1) -> np.ndarray:
        """For each element below a level, the number of the list of that level that has it."""
        return _native.ragged_parents(self.offsets, len(self.leaves), index(level) % max(len(self.offsets), 1))

    def flatten(self, axis: int = 1) -> Ragged:
        """The array whose lists along `axis` are joined."""
        return Ragged(*_native.ragged_flatten(self.offsets, self.leaves, axis))

    def padded(self, fill: Any = 0) -> np.ndarray:
        """The smallest regular array that has all elements, `fill` elsewhere."""
        shape, data = _native.ragged_pad(self.offsets, self.leaves, fill)
        return data.reshape(shape)

    def _reduce(self, how: str, axis: int) -> Ragged:
        offsets, leaves, mask = _native.ragged_reduce(self.offsets, self.leaves, how, index(axis) % self.depth)
        made = Ragged(offsets, leaves)
        if mask is not None and mask.any():
            made.leaves = np.ma.masked_array(leaves, mask)
        return made

    def sum(self, axis: int = -1) -> Ragged:
        """Sums along an axis; 0 of empty lists."""
        return self._reduce("sum", axis)

    def prod(self, axis: int = -1) -> Ragged:
        """Products along an axis; 1 of empty lists."""
        return self._reduce("prod", axis)

    def mean(self, axis: int = -1) -> Ragged:
        """Means along an axis; not a number of empty lists."""
        return self._reduce("mean", axis)

    def min(self, axis: int = -1) -> Ragged:
        """The least along an axis; masked where lists are empty."""
        return self._reduce("min", axis)

    def max(self, axis: int = -1) -> Ragged:
        """The greatest along an axis; masked where lists are empty."""
        return self._reduce("max", axis)

    def argmin(self, axis: int = -1) -> Ragged:
        """The place of the first least element in its list; masked where lists are empty."""
        return self._reduce("argmin", axis)

    def argmax(self, axis: int = -1) -> Ragged:
        """The place of the first greatest element in its list; masked where lists are empty."""
        return self._reduce("argmax", axis)

    def __repr__(self) -> str:
        return f"Ragged(rows={len(self)}, depth={self.depth}, leaves={len(self.leaves)}, dtype={self.leaves.dtype})"
