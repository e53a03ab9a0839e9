"""Indexing of sparse tensors, as NumPy has it: integers, slices, `...`, `None`, masks and arrays of integers."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from ._arrange import build, columns_of, product, reshape


def getitem(a: Any, key: Any) -> Any:
    """Returns a number if integers name all axes, and a tensor otherwise."""
    from .sparse import Sparse

    if isinstance(key, (np.bool_, np.ndarray, Sparse)) and key.shape == () and key.dtype == bool:
        # A mask without axes keeps all elements or none.
        return reshape(a, (1, *a.shape))[: int(bool(key))]
    keys = list(key) if isinstance(key, tuple) else [key]
    keys = [one.to_numpy() if isinstance(one, Sparse) and one.dtype != bool else one for one in keys]
    keys = [_mask(one) if isinstance(one, Sparse) else np.asarray(one) if isinstance(one, (list, np.ndarray)) else one for one in keys]
    # A mask stands for the coordinates where it is true.
    expanded: list[Any] = []
    axis = 0
    for one in keys:
        if isinstance(one, (bool, np.bool_)):
            raise IndexError("a single bool is not an index")
        if isinstance(one, tuple):
            shape, columns = one
            _fits(a, axis, shape)
            expanded.extend(columns)
            axis += len(columns)
        elif isinstance(one, np.ndarray) and one.dtype == bool:
            if Ellipsis not in [other for other in keys if not isinstance(other, (np.ndarray, tuple))]:
                _fits(a, axis, one.shape)
            expanded.extend(np.nonzero(one))
            axis += one.ndim
        else:
            if isinstance(one, np.ndarray) and one.size == 0 and one.dtype.kind == "f":
                one = one.astype(np.int64)
            if isinstance(one, np.ndarray) and one.dtype.kind not in "iu":
                raise IndexError(f"arrays of indices are integers or bools, not {one.dtype}")
            expanded.append(one)
            axis += one is not None and one is not Ellipsis
    keys = _whole(a, expanded)
    if not any(isinstance(one, np.ndarray) and one.ndim for one in keys):
        return _basic(a, [int(one) if isinstance(one, np.ndarray) else one for one in keys if one is not Ellipsis])
    return _fancy(a, keys)


def _mask(mask: Any) -> tuple[tuple[int, ...], tuple[np.ndarray, ...]]:
    """Returns the shape of a sparse mask and the coordinates where it is true."""
    from ._arrange import nonzero

    return mask.shape, nonzero(mask)


def _fits(a: Any, axis: int, shape: tuple[int, ...]) -> None:
    extents = a.shape[axis : axis + len(shape)]
    # As in NumPy, a mask without elements selects none.
    if len(extents) < len(shape) or any(one not in (0, extent) for one, extent in zip(shape, extents)):
        raise IndexError(f"a mask of the shape {shape} does not fit the extents {a.shape[axis:]}")


def _whole(a: Any, keys: list[Any]) -> list[Any]:
    """Replaces `...`, and adds a slice for each axis that has none. If all axes have one, `...` stays, because it parts arrays."""
    named = sum(one is not None and one is not Ellipsis for one in keys)
    dots = [k for k, one in enumerate(keys) if one is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can have only one `...`")
    if named > a.ndim:
        raise IndexError(f"too many indices: the tensor has {a.ndim} axes, but {named} are indexed")
    rest = [slice(None)] * (a.ndim - named)
    at = dots[0] if dots else len(keys)
    return [*keys[:at], *(rest if rest or not dots else [Ellipsis]), *keys[at + 1 :]]


def _within(number: Any, axis: int, extent: int) -> int:
    place: int = index(number)
    if not -extent <= place < extent:
        raise IndexError(f"index {place} is out of range for axis {axis} with the extent {extent}")
    return place % extent


def _basic(a: Any, keys: list[Any]) -> Any:
    """Indexes by integers, slices and `None`."""
    from .sparse import _words

    slices: list[tuple[int, int, int, bool]] = []
    reversed_axes: list[int] = []
    shape: list[int] = []
    axis = 0
    for key in keys:
        if key is None:
            shape.append(1)
            continue
        extent = a.shape[axis]
        if isinstance(key, slice):
            start, stop, step = key.indices(extent)
            count = len(range(start, stop, step))
            if step < 0:
                # The same elements from the last one on.
                start, step = start + (count - 1) * step if count else 0, -step
                reversed_axes.append(len([one for one in slices if one[3]]))
            end = start + (count - 1) * step + 1 if count else start
            slices.append((min(start, extent), min(end, extent) if count else min(start, extent), step, True))
            shape.append(count)
        else:
            start = _within(key, axis, extent)
            slices.append((start, start + 1, 1, False))
        axis += 1
    if not any(stays for *_, stays in slices):
        one = _element(a, [start for start, *_ in slices])
        return type(a).from_numpy(np.full(shape, one), fill_value=a._fill) if shape else one
    if all(stays and (start, end, step) == (0, extent, 1) for (start, end, step, stays), extent in zip(slices, a.shape)):
        made = a
    else:
        pattern, values = a._pattern.sliced(_words(a._values), slices)
        made = type(a)._of(pattern, values.view(a.dtype), a._fill)
    if reversed_axes:
        from ._arrange import flip

        made = flip(made, tuple(reversed_axes))
    return made if made.shape == tuple(shape) else reshape(made, tuple(shape))


def _element(a: Any, coordinate: list[int]) -> Any:
    """Returns one element: the sum of the values at a coordinate if it repeats."""
    if a._pattern.multigraph:
        a = a._canonical()
    number = a._pattern.find(coordinate)
    return a._fill if number is None else a._values[number]


def _fancy(a: Any, keys: list[Any]) -> Any:
    """Indexes by arrays of integers, broadcast against each other, beside integers, slices and `None`."""
    arrays, axes, plain, axis, places = [], [], [], 0, []
    for key in keys:
        if key is None or key is Ellipsis or isinstance(key, slice):
            plain.append(key)
        else:
            column = np.asarray(key).astype(np.int64)
            extent = a.shape[axis]
            if column.size and not (-extent <= column.min() and column.max() < extent):
                wrong = int(column[(column < -extent) | (column >= extent)].reshape(-1)[0])
                raise IndexError(f"index {wrong} is out of range for axis {axis} with the extent {extent}")
            arrays.append(column % max(extent, 1))
            axes.append(axis)
            places.append(len(plain))
            plain.append(slice(None))
        axis += key is not None and key is not Ellipsis
    together: Any = np.broadcast_arrays(*arrays)
    # First slice the other axes, whose number stays the same without `None`.
    a = _basic(a, [key for key in plain if isinstance(key, slice)])._canonical()
    columns = columns_of(a)
    extents = [a.shape[axis] for axis in axes]
    if product(extents) >= 1 << 63:
        raise IndexError(f"axes of the extents {extents} have too many elements to be indexed by arrays together")
    wanted = np.asarray(np.ravel_multi_index([array.reshape(-1) for array in together], extents)) if together[0].size else np.zeros(0, np.int64)
    held = np.asarray(np.ravel_multi_index([columns[axis] for axis in axes], extents)) if a.stored else np.zeros(0, np.int64)
    order = np.argsort(held, kind="stable")
    sorted_keys = held[order]
    begins, ends = np.searchsorted(sorted_keys, wanted, "left"), np.searchsorted(sorted_keys, wanted, "right")
    counts = ends - begins
    # Entry k of the result is element `order[begins + 0, 1, ..]` of the tensor.
    position = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    taken = order[np.repeat(begins, counts) + position]
    which = np.repeat(np.arange(len(wanted)), counts)
    front = np.unravel_index(which, together[0].shape)
    # Axes of arrays stand together where the arrays stood, or first if others are between them.
    adjacent = places == list(range(places[0], places[0] + len(places)))
    shape: list[int] = []
    made: list[np.ndarray] = []
    axis = 0

    def of_arrays() -> None:
        shape.extend(together[0].shape)
        made.extend(front)

    if not adjacent:
        of_arrays()
    for k, key in enumerate(plain):
        if k in places:
            if adjacent and k == places[0]:
                of_arrays()
            axis += 1
        elif key is Ellipsis:
            continue
        elif key is None:
            shape.append(1)
            made.append(np.zeros(len(taken), np.int64))
        else:
            shape.append(a.shape[axis])
            made.append(columns[axis][taken])
            axis += 1
    return build(made, a._values[taken], shape, a._fill)
