"""Functions that arrange elements."""

from __future__ import annotations

import builtins
from typing import Any, Sequence

import numpy as np

from .. import _arrange
from ..sparse import Sparse
from ._common import Array, Axes, dense, tensor


def broadcast_to(x: Array, /, shape: tuple[int, ...]) -> Sparse:
    """Repeats a tensor along axes of extent 1 and along new first axes."""
    return tensor(_arrange.broadcast_to(tensor(x), shape))


def broadcast_arrays(*arrays: Array) -> list[Sparse]:
    """Repeats tensors so that all have one shape."""
    shape = np.broadcast_shapes(*(x.shape for x in arrays))
    return [broadcast_to(x, shape) for x in arrays]


def concat(arrays: Sequence[Array], /, *, axis: int | None = 0) -> Sparse:
    """Joins tensors along an axis. All need one fill value."""
    return tensor(_arrange.concatenate([tensor(x) for x in arrays], axis))


def stack(arrays: Sequence[Array], /, *, axis: int = 0) -> Sparse:
    """Joins tensors of one shape along a new axis. All need one fill value."""
    return tensor(_arrange.stack([tensor(x) for x in arrays], axis))


def unstack(x: Array, /, *, axis: int = 0) -> tuple[Sparse, ...]:
    """Returns the slices along an axis."""
    a = tensor(x)
    front = [slice(None)] * _arrange.axis_of(axis, a.ndim)
    return tuple(tensor(a[(*front, k)]) for k in range(a.shape[axis]))


def expand_dims(x: Array, /, axis: int = 0) -> Sparse:
    """Adds an axis of extent 1."""
    return tensor(_arrange.expand_dims(tensor(x), axis))


def squeeze(x: Array, /, axis: int | tuple[int, ...]) -> Sparse:
    """Drops axes of extent 1."""
    return tensor(_arrange.squeeze(tensor(x), axis))


def flip(x: Array, /, *, axis: Axes = None) -> Sparse:
    """Reverses the order of the elements along axes."""
    return tensor(_arrange.flip(tensor(x), axis))


def moveaxis(x: Array, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) -> Sparse:
    """Moves axes to other places; the others keep their order."""
    return tensor(_arrange.moveaxis(tensor(x), source, destination))


def permute_dims(x: Array, /, axes: tuple[int, ...]) -> Sparse:
    """Returns the tensor with its axes in another order."""
    return tensor(x).transpose(axes)


def reshape(x: Array, /, shape: tuple[int, ...], *, copy: builtins.bool | None = None) -> Sparse:
    """Arranges the elements, in row-major order, in another shape. One extent may be -1."""
    a = tensor(x)
    if copy is False and tuple(shape) != a.shape:
        raise ValueError("coordinates in another shape are always a copy")
    return a.reshape(tuple(shape))


def roll(x: Array, /, shift: int | tuple[int, ...], *, axis: Axes = None) -> Sparse:
    """Moves the elements along axes; those that leave an end come in at the other."""
    a = tensor(x)._canonical()
    if axis is None:
        flat = roll(a.reshape(-1), shift, axis=0)
        return flat.reshape(a.shape)
    shifts, axes = np.broadcast_arrays(shift, axis)
    columns = _arrange.columns_of(a)
    for step, one in zip(shifts.reshape(-1), axes.reshape(-1)):
        place = _arrange.axis_of(one, a.ndim)
        columns[place] = (columns[place] + int(step)) % builtins.max(a.shape[place], 1)
    return tensor(_arrange.build(columns, a.values, a.shape, a.fill_value))


def _taken(a: Sparse, positions: np.ndarray[Any, Any], axis: int) -> Sparse:
    """Returns the slices at these positions of an axis."""
    return tensor(a[(*[slice(None)] * axis, positions)])


def take(x: Array, indices: Array, /, *, axis: int | None = None) -> Sparse:
    """Returns the slices at `indices` of an axis."""
    a = tensor(x)
    if axis is None:
        if a.ndim != 1:
            raise ValueError(f"`take` needs an axis for a tensor of {a.ndim} axes")
        axis = 0
    return _taken(a, dense(indices), _arrange.axis_of(axis, a.ndim))


def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Sparse:
    """Returns the elements at `indices` along an axis, computed with dense arrays."""
    return tensor(np.take_along_axis(dense(x), dense(indices), axis))


def repeat(x: Array, repeats: int | Array, /, *, axis: int | None = None) -> Sparse:
    """Repeats each slice along an axis, or each element."""
    a = tensor(x)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = _arrange.axis_of(axis, a.ndim)
    counts = repeats if isinstance(repeats, int) else dense(repeats)
    return _taken(a, np.repeat(np.arange(a.shape[axis]), counts), axis)


def tile(x: Array, repetitions: tuple[int, ...], /) -> Sparse:
    """Repeats a tensor as a whole along axes."""
    a = tensor(x)
    rank = builtins.max(a.ndim, len(repetitions))
    a = a.reshape((1,) * (rank - a.ndim) + a.shape)
    for axis, count in enumerate((1,) * (rank - len(repetitions)) + tuple(repetitions)):
        if count != 1:
            a = _taken(a, np.tile(np.arange(a.shape[axis]), count), axis)
    return a
