"""The parts of tensors that moves read and write: arrays of NumPy and tensors of PyTorch, as flat memory."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np


class NumPyParts:
    """Arrays of NumPy with one type."""

    REDUCTIONS: dict[str, Any] = {"sum": np.add, "mean": np.add, "min": np.minimum, "max": np.maximum}

    def __init__(self, dtype: np.dtype[Any]):
        self.dtype, self.itemsize = dtype, dtype.itemsize

    @staticmethod
    def fault(array: Any) -> dict[str, Any] | None:
        """Returns the reason for which an array cannot be a part, or None."""
        if array.dtype.hasobject or array.dtype.itemsize == 0 or isinstance(array, np.ma.MaskedArray):
            return {"kind": "type", "message": f"is a {type(array).__name__} of {array.dtype}, and a move copies plain bytes"}
        if not array.flags.c_contiguous:
            return {"kind": "layout", "message": f"is not contiguous in C order: its strides are {array.strides}"}
        return None

    def flat(self, array: Any) -> Any:
        """Returns a part as a flat array without a copy."""
        return np.asarray(array).reshape(-1)

    def empty(self, shape: Sequence[int]) -> Any:
        """Returns a new array without values."""
        return np.empty(tuple(shape), self.dtype)

    def bytes(self, flat: Any) -> np.ndarray:
        """Returns the bytes of a flat array."""
        return flat.view(np.uint8)

    def view(self, flat: Any, offset: int, shape: Sequence[int], strides: Sequence[int]) -> Any:
        """Returns a strided view of a flat array; the numbers count elements."""
        size = self.itemsize
        return np.ndarray(shape, self.dtype, self.bytes(flat), offset * size, [stride * size for stride in strides])

    def combine(self, reduction: str, into: Any, value: Any) -> None:
        """Combines the elements of `into` with those of `value`."""
        self.REDUCTIONS[reduction](into, value, out=into)

    def divide(self, into: Any, count: int) -> None:
        """Divides all elements by a number."""
        np.divide(into, into.dtype.type(count), out=into, casting="same_kind")


class TorchParts:
    """Tensors of PyTorch on the CPU with one type."""

    def __init__(self, dtype: Any):
        self.torch = sys.modules["torch"]
        self.dtype, self.itemsize = dtype, dtype.itemsize

    @staticmethod
    def fault(array: Any) -> dict[str, Any] | None:
        """Returns the reason for which a tensor cannot be a part, or None."""
        if array.device.type != "cpu" or array.layout != sys.modules["torch"].strided or array.is_quantized:
            return {"kind": "type", "message": f"is a tensor of {array.dtype} on {array.device} in the layout {array.layout}; it must be dense and on the CPU"}
        if array.is_conj() or array.is_neg():
            return {"kind": "layout", "message": "is a lazy conjugate or negative; `resolve_conj` and `resolve_neg` compute it"}
        if not array.is_contiguous():
            return {"kind": "layout", "message": f"is not contiguous in C order: its strides are {tuple(array.stride())}"}
        return None

    def flat(self, array: Any) -> Any:
        """Returns a part as a flat tensor without a copy, outside of any graph of gradients."""
        # The stride of an axis of extent 1 may be any number.
        return array.detach().as_strided((array.numel(),), (1,))

    def empty(self, shape: Sequence[int]) -> Any:
        """Returns a new tensor without values."""
        return self.torch.empty(tuple(shape), dtype=self.dtype)

    def bytes(self, flat: Any) -> np.ndarray:
        """Returns the bytes of a flat tensor."""
        return flat.view(self.torch.uint8).numpy()

    def view(self, flat: Any, offset: int, shape: Sequence[int], strides: Sequence[int]) -> Any:
        """Returns a strided view of a flat tensor; the numbers count elements."""
        return flat.as_strided(tuple(shape), tuple(strides), flat.storage_offset() + offset)

    def combine(self, reduction: str, into: Any, value: Any) -> None:
        """Combines the elements of `into` with those of `value`."""
        name = {"sum": "add", "mean": "add", "min": "minimum", "max": "maximum"}[reduction]
        getattr(self.torch, name)(into, value, out=into)

    def divide(self, into: Any, count: int) -> None:
        """Divides all elements by a number."""
        into.div_(count)


Parts = NumPyParts | TorchParts


def kind_of(array: Any) -> type[Parts] | None:
    """Returns the class of parts that an object belongs to, or None."""
    if isinstance(array, np.ndarray):
        return NumPyParts
    torch = sys.modules.get("torch")
    return TorchParts if torch is not None and isinstance(array, torch.Tensor) else None


def of_type(dtype: Any) -> Parts:
    """Returns the parts of a type of NumPy or PyTorch."""
    if isinstance(dtype, np.dtype):
        return NumPyParts(dtype)
    import torch  # noqa: F401

    return TorchParts(dtype)


def fault_of(array: Any, shape: Sequence[int]) -> dict[str, Any] | None:
    """Returns the reason for which an object is not the part of this shape, flat or not, or None."""
    kind = kind_of(array)
    if kind is None:
        return {"kind": "type", "message": f"is a {type(array).__name__}, and neither a NumPy array nor a tensor of PyTorch"}
    found = tuple(array.shape)
    if found not in (tuple(shape), (prod(shape),)):
        sizes = {"found": prod(found), "needed": prod(shape)}
        return {"kind": "shape", "message": f"has the shape {found}, and the plan needs {tuple(shape)}", **sizes}
    return kind.fault(array)


def reduction_fault(parts: Parts, reduction: str, summands: int) -> dict[str, Any] | None:
    """Returns the reason for which elements of a type cannot be combined, or None."""
    try:
        for _ in range(2 if summands > 1 else 0):
            into, value = parts.flat(parts.empty((1,))), parts.flat(parts.empty((1,)))
            parts.bytes(into)[:], parts.bytes(value)[:] = 0, 0
            parts.combine(reduction, into, value)
            if reduction == "mean":
                parts.divide(into, summands)
    except (TypeError, RuntimeError, NotImplementedError) as error:
        return {"kind": "type", "message": f"no {reduction} of elements of {parts.dtype}: {str(error).splitlines()[0]}"}
    return None
