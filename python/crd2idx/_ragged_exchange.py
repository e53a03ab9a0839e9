"""Conversions between ragged arrays and those of Awkward Array and Arrow."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _ragged_option as option


class _Marks:
    """The marks of missing lists, level by level, and their treatment."""

    def __init__(self, treatment: str):
        if treatment not in ("keep", "empty", "refuse"):
            raise ValueError(f"missing_lists is {treatment!r}, but must be 'keep', 'empty' or 'refuse'")
        self.treatment = treatment
        self.levels: list[Any] = []

    def add(self, lists: np.ndarray | None) -> None:
        """Adds a level of which these lists are missing. Raises ValueError if missing lists are refused."""
        lists = option.marks(lists)
        if lists is not None and self.treatment == "refuse":
            raise ValueError(f"{int(lists.sum())} lists are missing or null: convert with missing_lists=\"keep\" or \"empty\"")
        self.levels.append(lists)

    def array(self, offsets: list[np.ndarray], leaves: Any) -> Any:
        """Returns the ragged array of these parts, without the elements of missing lists."""
        from .ragged import Ragged

        made = Ragged(offsets, leaves, self.levels)
        return made if self.treatment == "keep" else Ragged._made(made.offsets, made.leaves)


def from_awkward(array: Any, missing_lists: str) -> Any:
    """Converts an `awkward.Array`."""
    offsets: list[np.ndarray] = []
    marks, gone = _Marks(missing_lists), None
    layout = array.layout
    while not layout.is_numpy:
        if layout.parameter("__array__") in ("string", "bytestring"):
            raise TypeError(f"a {layout.parameter('__array__')} is no list of numbers")
        if layout.is_unknown:
            return marks.array(offsets, np.empty(0))
        if layout.is_indexed and not layout.is_option:
            layout = layout.project()
            continue
        if layout.is_option:
            # An option of an option is missing if either is.
            mask = np.asarray(layout.mask_as_bool(valid_when=False))
            gone = mask if gone is None else gone | mask
            if layout.content.is_unknown:
                return marks.array(offsets, np.ma.masked_array(np.zeros(len(gone)), gone))
            layout = (layout.to_ByteMaskedArray(False) if layout.is_indexed else layout).content[: len(mask)]
            continue
        if not layout.is_list and not layout.is_regular:
            raise TypeError(f"{type(layout).__name__} is neither a list nor an array of numbers")
        own = getattr(layout, "offsets", None)
        if own is None or own.dtype != np.int64 or own[0] != 0:
            layout = layout.to_ListOffsetArray64(True)
        marks.add(gone)
        offsets.append(np.asarray(layout.offsets.data))
        layout, gone = layout.content[: offsets[-1][-1]], None
    leaves = np.asarray(layout.data)
    return marks.array(offsets, leaves if gone is None else np.ma.masked_array(leaves, gone))


def to_awkward(a: Any) -> Any:
    """Converts to an `awkward.Array` over the same memory."""
    import awkward

    def option_of(content: Any, mask: np.ndarray) -> Any:
        return awkward.contents.ByteMaskedArray(awkward.index.Index8(mask.view(np.int8)), content, valid_when=False)

    a._check()
    content: Any = awkward.contents.NumpyArray(np.ma.getdata(a.leaves))
    if np.ma.isMaskedArray(a.leaves):
        content = option_of(content, np.ma.getmaskarray(a.leaves))
    for level, missing in zip(reversed(a.offsets), reversed(a.missing)):
        content = awkward.contents.ListOffsetArray(awkward.index.Index64(level), content)
        if missing is not None:
            content = option_of(content, missing)
    return awkward.Array(content)


def from_arrow(array: Any, missing_lists: str) -> Any:
    """Converts an Arrow array of lists of any kind."""
    import pyarrow as pa

    marks = _Marks(missing_lists)
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
        gone = array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None
        marks.add(gone)
        if gone is not None:
            # Flattening drops the elements of null lists.
            lengths = np.where(gone, 0, array.value_lengths().fill_null(0).to_numpy(zero_copy_only=False))
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
        return marks.array(offsets, array.to_numpy(zero_copy_only=False))
    mask = array.is_null().to_numpy(zero_copy_only=False)
    filled = array.fill_null(False if pa.types.is_boolean(array.type) else 0).to_numpy(zero_copy_only=False)
    return marks.array(offsets, np.ma.masked_array(filled, mask))


def to_arrow(a: Any) -> Any:
    """Converts to large lists of Arrow over the same memory."""
    import pyarrow

    a._check()
    mask = np.ma.getmaskarray(a.leaves) if np.ma.isMaskedArray(a.leaves) else None
    array = pyarrow.array(np.ma.getdata(a.leaves), mask=mask)
    for level, missing in zip(reversed(a.offsets), reversed(a.missing)):
        gone = None if missing is None else pyarrow.array(missing)
        array = pyarrow.LargeListArray.from_arrays(pyarrow.array(level), array, mask=gone)
    return array
