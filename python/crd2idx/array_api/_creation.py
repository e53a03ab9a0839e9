"""Functions that create tensors."""

from __future__ import annotations

import builtins
from typing import Any, Literal, Sequence

import numpy as np

from .. import _arrange
from ..sparse import Sparse
from ._common import Array, DType, Number, filled, on_cpu, tensor


def asarray(obj: Any, /, *, dtype: DType | None = None, device: Any = None, copy: builtins.bool | None = None) -> Sparse:
    """Converts numbers, nested sequences and arrays to a tensor with the fill value 0. A tensor stays as it is, unless it needs another type."""
    on_cpu(device)
    if isinstance(obj, Sparse):
        if dtype is not None and obj.dtype != dtype:
            if copy is False:
                raise ValueError(f"a tensor of {obj.dtype} has no elements of {np.dtype(dtype)} without a copy")
            return obj.astype(dtype)
        return obj.copy() if copy else obj
    if hasattr(obj, "__binsparse__"):
        made = Sparse.from_binsparse(obj, copy=copy)
        return made if dtype is None else made.astype(dtype, copy=False)
    if copy is False:
        raise ValueError("a tensor of dense elements is always a copy")
    return Sparse.from_numpy(np.asarray(obj, dtype=dtype))


def full(shape: int | Sequence[int], fill_value: Number, *, dtype: DType | None = None, device: Any = None) -> Sparse:
    """Returns a tensor that has `fill_value` as its fill value and stores no elements."""
    on_cpu(device)
    return filled(shape, fill_value, np.asarray(fill_value).dtype if dtype is None else np.dtype(dtype))


def zeros(shape: int | Sequence[int], *, dtype: DType | None = None, device: Any = None) -> Sparse:
    """Returns a tensor of zeros."""
    return full(shape, 0, dtype=np.dtype(np.float64) if dtype is None else dtype, device=device)


def ones(shape: int | Sequence[int], *, dtype: DType | None = None, device: Any = None) -> Sparse:
    """Returns a tensor whose fill value is 1."""
    return full(shape, 1, dtype=np.dtype(np.float64) if dtype is None else dtype, device=device)


def empty(shape: int | Sequence[int], *, dtype: DType | None = None, device: Any = None) -> Sparse:
    """Returns a tensor of zeros: tensors do not change, so none waits for its elements."""
    return zeros(shape, dtype=dtype, device=device)


def full_like(x: Array, /, fill_value: Number, *, dtype: DType | None = None, device: Any = None) -> Sparse:
    """Returns a tensor with the shape of another that stores no elements."""
    return full(x.shape, fill_value, dtype=x.dtype if dtype is None else dtype, device=device)


def zeros_like(x: Array, /, *, dtype: DType | None = None, device: Any = None) -> Sparse:
    """Returns a tensor of zeros with the shape of another."""
    return full_like(x, 0, dtype=dtype, device=device)


def ones_like(x: Array, /, *, dtype: DType | None = None, device: Any = None) -> Sparse:
    """Returns a tensor with the shape of another whose fill value is 1."""
    return full_like(x, 1, dtype=dtype, device=device)


def empty_like(x: Array, /, *, dtype: DType | None = None, device: Any = None) -> Sparse:
    """Returns a tensor of zeros with the shape of another."""
    return zeros_like(x, dtype=dtype, device=device)


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DType | None = None, device: Any = None) -> Sparse:
    """Returns a matrix with ones on diagonal `k`."""
    on_cpu(device)
    columns = n_rows if n_cols is None else n_cols
    first = max(-k, 0)
    length = max(min(n_rows, columns - k) - first, 0)
    diagonal = np.arange(length)
    values = np.ones(length, np.float64 if dtype is None else dtype)
    return Sparse.from_coo([diagonal + (first if length else 0), diagonal + (max(k, 0) if length else 0)], values, (n_rows, columns))


def arange(
    start: int | float,
    /,
    stop: int | float | None = None,
    step: int | float = 1,
    *,
    dtype: DType | None = None,
    device: Any = None,
) -> Sparse:
    """Returns the numbers from `start` up to `stop`, without it, at a distance of `step`."""
    on_cpu(device)
    begin, end = (0, start) if stop is None else (start, stop)
    if builtins.any(isinstance(number, float) for number in (begin, end, step)):
        return tensor(np.arange(begin, end, step, dtype=dtype))
    made = np.arange(int(begin), int(end), int(step), dtype=np.int64)
    return tensor(made if dtype is None else made.astype(dtype))


def linspace(
    start: Number,
    stop: Number,
    /,
    num: int,
    *,
    dtype: DType | None = None,
    device: Any = None,
    endpoint: builtins.bool = True,
) -> Sparse:
    """Returns `num` numbers at equal distances."""
    on_cpu(device)
    return tensor(np.linspace(start, stop, num, dtype=dtype, endpoint=endpoint))


def meshgrid(*arrays: Array, indexing: Literal["xy", "ij"] = "xy") -> list[Sparse]:
    """Repeats each vector along the axes of the others."""
    vectors = [tensor(x) for x in arrays]
    if builtins.any(x.ndim > 1 for x in vectors):
        raise ValueError("a grid is made of vectors")
    places = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        places[:2] = 1, 0
    shape = [0] * len(vectors)
    for x, place in zip(vectors, places):
        shape[place] = x.size
    made = [x.reshape([x.size if k == place else 1 for k in range(len(vectors))]) for x, place in zip(vectors, places)]
    return [_arrange.broadcast_to(x, shape) for x in made]


def tril(x: Array, /, *, k: int = 0) -> Sparse:
    """Returns the elements of the last two axes at and below diagonal `k`; the others are 0."""
    return _triangle(tensor(x), k, True)


def triu(x: Array, /, *, k: int = 0) -> Sparse:
    """Returns the elements of the last two axes at and above diagonal `k`; the others are 0."""
    return _triangle(tensor(x), k, False)


def _triangle(a: Sparse, k: int, lower: builtins.bool) -> Sparse:
    if a.ndim < 2:
        raise ValueError(f"a tensor of {a.ndim} axes has no triangle")
    made: Sparse = (_arrange.tril if lower else _arrange.triu)(a, k)
    return made


def from_dlpack(x: Any, /, *, device: Any = None, copy: builtins.bool | None = None) -> Sparse:
    """Converts a dense array that supports DLPack to a tensor. A tensor stays as it is."""
    return asarray(x if isinstance(x, Sparse) else np.from_dlpack(x), device=device, copy=copy)
