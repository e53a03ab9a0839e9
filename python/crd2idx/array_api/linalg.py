"""Products, and the functions of the extension `linalg` that have a sparse form."""

from __future__ import annotations

import builtins
import string
from typing import Any, Sequence

import numpy as np

from .. import _arrange
from .._einsum import einsum
from ..sparse import Sparse
from ._common import Array, Axes, DType, filled, tensor
from ._elements import abs, conj, multiply, pow, sqrt, subtract
from ._shapes import take
from ._sums import count_nonzero, max, min, sum

__all__ = [
    "cross",
    "diagonal",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_transpose",
    "outer",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


def matmul(x1: Array, x2: Array, /) -> Sparse:
    """Multiplies vectors, matrices or stacks of them, as `numpy.matmul` does. The fill values must be 0."""
    a, b = tensor(x1), tensor(x2)
    dtype = np.result_type(a.dtype, b.dtype)
    if a.ndim and b.ndim and not (a.size and b.size):
        # Without elements, NumPy knows the shape.
        shape = np.matmul(np.zeros(a.shape, np.int8), np.zeros(b.shape, np.int8)).shape if _arrange.product(a.shape[:-1]) * b.shape[-1] < 1 << 24 else None
        if shape is not None:
            return filled(shape, 0, dtype)
    return tensor(a @ b).astype(dtype, copy=False)


def matrix_transpose(x: Array, /) -> Sparse:
    """Exchanges the last two axes."""
    a = tensor(x)
    if a.ndim < 2:
        raise ValueError(f"a tensor of {a.ndim} axes has no matrices")
    return a.mT


def tensordot(x1: Array, x2: Array, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Sparse:
    """Sums products over axes: the last of `x1` and the first of `x2`, or those that are named. The fill values must be 0."""
    a, b = tensor(x1), tensor(x2)
    named = (range(a.ndim - axes, a.ndim), range(axes)) if isinstance(axes, int) else axes
    left = [_arrange.axis_of(axis, a.ndim) for axis in named[0]]
    right = [_arrange.axis_of(axis, b.ndim) for axis in named[1]]
    if len(left) != len(right):
        raise ValueError(f"{len(left)} axes of one tensor are summed with {len(right)} of the other")
    if a.ndim + b.ndim > len(string.ascii_letters):
        raise ValueError(f"tensors of {a.ndim} and {b.ndim} axes have too many of them")
    first, second = string.ascii_letters[: a.ndim], list(string.ascii_letters[a.ndim : a.ndim + b.ndim])
    for p, q in zip(left, right):
        if a.shape[p] != b.shape[q]:
            raise ValueError(f"axes {p} and {q} have the extents {a.shape[p]} and {b.shape[q]}")
        second[q] = first[p]
    kept = [letter for k, letter in enumerate(first) if k not in left] + [letter for k, letter in enumerate(second) if k not in right]
    made = einsum(f"{first},{''.join(second)}->{''.join(kept)}", a, b)
    return tensor(made).astype(np.result_type(a.dtype, b.dtype), copy=False)


def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Sparse:
    """Sums the products of the conjugates of `x1` and of `x2` along an axis."""
    a, b = tensor(x1), tensor(x2)
    rank = builtins.min(a.ndim, b.ndim)
    if not -rank <= axis < 0:
        raise np.exceptions.AxisError(axis, rank)
    if a.shape[axis] != b.shape[axis]:
        raise ValueError(f"axis {axis} has the extents {a.shape[axis]} and {b.shape[axis]}")
    return sum(multiply(conj(a), b), axis=axis, dtype=np.result_type(a.dtype, b.dtype))


def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Sparse:
    """Returns the vector products of the vectors of three elements along an axis."""
    a, b = tensor(x1), tensor(x2)
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise ValueError(f"vectors of 3 elements are needed, but they have {a.shape[axis]} and {b.shape[axis]}")
    p, q, r, s = (take(x, np.roll(np.arange(3), -turn), axis=axis) for x, turn in ((a, 1), (b, 2), (a, 2), (b, 1)))
    return subtract(multiply(p, q), multiply(r, s))


def outer(x1: Array, x2: Array, /) -> Sparse:
    """Returns the products of all pairs of elements of two vectors."""
    a, b = tensor(x1), tensor(x2)
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"vectors are needed, but the tensors have {a.ndim} and {b.ndim} axes")
    return tensor(a.reshape(-1, 1) * b.reshape(1, -1))


def diagonal(x: Array, /, *, offset: int = 0) -> Sparse:
    """Returns the elements `x[..., i, i + offset]` of the last two axes."""
    return tensor(x).diagonal(offset)


def trace(x: Array, /, *, offset: int = 0, dtype: DType | None = None) -> Sparse:
    """Sums the elements `x[..., i, i + offset]` of the last two axes."""
    return sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def matrix_power(x: Array, n: int, /) -> Sparse:
    """Multiplies square matrices by themselves. Raises ValueError for inverses, which are dense."""
    a = tensor(x)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"square matrices are needed, but the shape is {a.shape}")
    if n < 0:
        raise ValueError("a negative power is an inverse, which has no sparse form")
    made: Sparse | None = None
    while n:
        if n & 1:
            made = a if made is None else matmul(made, a)
        n >>= 1
        a = matmul(a, a) if n else a
    if made is not None:
        return made
    count = np.arange(a.shape[-1])
    one = Sparse.from_coo([count, count], np.ones(len(count), a.dtype), a.shape[-2:])
    return tensor(_arrange.broadcast_to(one, a.shape))


def vector_norm(x: Array, /, *, axis: Axes = None, keepdims: builtins.bool = False, ord: int | float = 2) -> Sparse:
    """Returns the norms of the vectors along axes."""
    a = abs(x)
    if ord == 0:
        return count_nonzero(a, axis=axis, keepdims=keepdims).astype(a.dtype)
    if ord == np.inf:
        return max(a, axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return min(a, axis=axis, keepdims=keepdims)
    if ord == 1:
        return sum(a, axis=axis, dtype=a.dtype, keepdims=keepdims)
    if ord == 2:
        return sqrt(sum(multiply(a, a), axis=axis, dtype=a.dtype, keepdims=keepdims))
    return pow(sum(pow(a, ord), axis=axis, dtype=a.dtype, keepdims=keepdims), 1 / ord)


def matrix_norm(x: Array, /, *, keepdims: builtins.bool = False, ord: Any = "fro") -> Sparse:
    """Returns the norms of the matrices in the last two axes. Raises ValueError for norms by singular values, which have no sparse form."""
    a = tensor(x)
    if a.ndim < 2:
        raise ValueError(f"a tensor of {a.ndim} axes has no matrices")
    if ord == "fro":
        return vector_norm(a, axis=(-2, -1), keepdims=keepdims)
    if ord not in (1, -1, np.inf, -np.inf):
        raise ValueError(f"the norm {ord!r} needs singular values, which have no sparse form")
    inner = -2 if builtins.abs(ord) == 1 else -1
    sums = vector_norm(a, axis=inner, keepdims=True, ord=1)
    made = (max if ord > 0 else min)(sums, axis=(-2, -1), keepdims=keepdims)
    return made


_DENSE = ("cholesky", "det", "eigh", "eigvalsh", "inv", "matrix_rank", "pinv", "qr", "slogdet", "solve", "svd", "svdvals")


def __getattr__(name: str) -> Any:
    if name in _DENSE:
        raise AttributeError(f"`linalg.{name}` has no sparse form here; use `scipy.sparse.linalg` with `a.to_scipy()`, or `numpy.linalg` with `a.to_numpy()`")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
