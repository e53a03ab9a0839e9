"""Conversions of arguments and results."""

from __future__ import annotations

from typing import Any, Sequence, TypeAlias, Union

import numpy as np

from ..sparse import Sparse

# The versions of the standard that the namespace follows.
SUPPORTED = ("2021.12", "2022.12", "2023.12", "2024.12")

# A type of elements, as tensors have it or as NumPy names it.
DType: TypeAlias = Union[np.dtype[Any], type[np.generic]]
# A tensor, or anything that becomes one.
Array: TypeAlias = Union[Sparse, "np.ndarray[Any, np.dtype[Any]]", "np.generic[Any]"]
Number: TypeAlias = Union[bool, int, float, complex]
Operand: TypeAlias = Union[Array, Number]
Axes: TypeAlias = Union[int, tuple[int, ...], None]


def tensor(x: Any) -> Sparse:
    """Returns a tensor itself, and a tensor with the elements of anything else."""
    return x if isinstance(x, Sparse) else Sparse.from_numpy(np.asarray(x))


def operand(x: Operand) -> Any:
    """Returns a number of Python itself, so that it takes the type of the other operand, and a tensor otherwise."""
    return x if type(x) in (bool, int, float, complex) else tensor(x)


def dense(x: Array) -> np.ndarray[Any, np.dtype[Any]]:
    """Returns the dense array of a tensor. Raises ValueError if it is much larger than the tensor."""
    return np.asarray(x)


def on_cpu(device: Any) -> None:
    """Raises ValueError unless the device is the processor."""
    if device not in (None, "cpu"):
        raise ValueError(f"device {device!r} is unknown; tensors are on the device 'cpu'")


def filled(shape: int | Sequence[int], value: Any, dtype: DType) -> Sparse:
    """Returns a tensor whose elements are all `value`. It stores none."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    fill = np.asarray(value).astype(dtype)
    if not shape:
        return Sparse.from_numpy(fill)
    none = np.zeros(0, np.uint8)
    return Sparse.from_coo([none] * len(shape), np.zeros(0, dtype), shape, fill_value=fill[()])
