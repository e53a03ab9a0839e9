"""Reductions, and sums and differences along an axis."""

from __future__ import annotations

import builtins
from typing import Any, Protocol

import numpy as np

from .. import _arrange
from ..sparse import Sparse
from ._common import Array, Axes, DType, dense, tensor


class _Reduction(Protocol):
    def __call__(self, x: Array, /, *, axis: Axes = None, keepdims: builtins.bool = False) -> Sparse: ...


class _Sum(Protocol):
    def __call__(self, x: Array, /, *, axis: Axes = None, dtype: DType | None = None, keepdims: builtins.bool = False) -> Sparse: ...


class _Variance(Protocol):
    def __call__(self, x: Array, /, *, axis: Axes = None, correction: int | float = 0.0, keepdims: builtins.bool = False) -> Sparse: ...


class _Position(Protocol):
    def __call__(self, x: Array, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> Sparse: ...


class _Cumulative(Protocol):
    def __call__(
        self, x: Array, /, *, axis: int | None = None, dtype: DType | None = None, include_initial: builtins.bool = False
    ) -> Sparse: ...


def _documented(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = str(getattr(Sparse, name).__doc__).partition("\n")[0]
    return function


def _reduction(name: str) -> _Reduction:
    """Returns a function that calls a method of tensors."""

    def function(x: Array, /, *, axis: Axes = None, keepdims: builtins.bool = False) -> Sparse:
        return tensor(getattr(tensor(x), name)(axis, keepdims=keepdims))

    made: _Reduction = _documented(function, name)
    return made


def _sum(name: str) -> _Sum:
    def function(x: Array, /, *, axis: Axes = None, dtype: DType | None = None, keepdims: builtins.bool = False) -> Sparse:
        return tensor(getattr(tensor(x), name)(axis, dtype, keepdims=keepdims))

    made: _Sum = _documented(function, name)
    return made


def _variance(name: str) -> _Variance:
    def function(x: Array, /, *, axis: Axes = None, correction: int | float = 0.0, keepdims: builtins.bool = False) -> Sparse:
        return tensor(getattr(tensor(x), name)(axis, ddof=correction, keepdims=keepdims))

    made: _Variance = _documented(function, name)
    return made


def _position(name: str) -> _Position:
    def function(x: Array, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> Sparse:
        a = tensor(x)
        if not a.ndim:
            return tensor(np.int64(0))
        return tensor(getattr(a, name)(axis, keepdims=keepdims))

    made: _Position = _documented(function, name)
    return made


def _cumulative(name: str, ufunc: np.ufunc) -> _Cumulative:
    def function(
        x: Array, /, *, axis: int | None = None, dtype: DType | None = None, include_initial: builtins.bool = False
    ) -> Sparse:
        elements = dense(x)
        if axis is None:
            if elements.ndim > 1:
                raise ValueError(f"`{name}` needs an axis for a tensor of {elements.ndim} axes")
            elements, axis = elements.reshape(-1), 0
        made = ufunc.accumulate(elements, axis, dtype or ufunc.reduce(np.zeros(1, elements.dtype)).dtype)
        if include_initial:
            shape = [1 if k == axis % made.ndim else extent for k, extent in enumerate(made.shape)]
            made = np.concatenate([np.full(shape, ufunc.identity, made.dtype), made], axis)
        return tensor(made)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Returns the results of `numpy.{ufunc.__name__}.accumulate` along an axis, computed with a dense array."
    return function


all = _reduction("all")
any = _reduction("any")
count_nonzero = _reduction("count_nonzero")
max = _reduction("max")
mean = _reduction("mean")
min = _reduction("min")
prod = _sum("prod")
sum = _sum("sum")
std = _variance("std")
var = _variance("var")
argmax = _position("argmax")
argmin = _position("argmin")
cumulative_prod = _cumulative("cumulative_prod", np.multiply)
cumulative_sum = _cumulative("cumulative_sum", np.add)


def diff(x: Array, /, *, axis: int = -1, n: int = 1, prepend: Array | None = None, append: Array | None = None) -> Sparse:
    """Subtracts from each element the one before it along an axis, `n` times."""
    a = tensor(x)
    axis = _arrange.axis_of(axis, a.ndim)
    joined = [tensor(part) for part in (prepend, a, append) if part is not None]
    made: Sparse = _arrange.concatenate(joined, axis) if len(joined) > 1 else a
    front: list[Any] = [slice(None)] * axis
    for _ in range(n):
        later, earlier = made[(*front, slice(1, None))], made[(*front, slice(None, -1))]
        made = later != earlier if made.dtype == builtins.bool else later - earlier
    return made
