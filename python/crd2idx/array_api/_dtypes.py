"""Types of elements, and what the namespace says about itself."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..sparse import Sparse
from ._common import Array, DType, Number, on_cpu, tensor

# NumPy's names: a `numpy.dtype` of 64-bit floats equals `None`, and these types do not.
bool = np.bool_
int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
float32, float64, complex64, complex128 = np.float32, np.float64, np.complex64, np.complex128

_ALL = (bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128)
# The letters that NumPy gives the kinds of the standard.
_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


@dataclass(frozen=True)
class FloatInfo:
    """The limits of a type of floating-point numbers."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: np.dtype[Any]


@dataclass(frozen=True)
class IntegerInfo:
    """The limits of a type of integers."""

    bits: int
    max: int
    min: int
    dtype: np.dtype[Any]


def _type_of(x: Any) -> np.dtype[Any]:
    made: np.dtype[Any] = x.dtype if isinstance(x, (Sparse, np.ndarray, np.generic)) else np.dtype(x)
    return made


def finfo(type: DType | Array, /) -> FloatInfo:
    """Returns the limits of a floating-point type, for complex numbers those of their parts."""
    info = np.finfo(_type_of(type))
    return FloatInfo(
        int(info.bits), float(info.eps), float(info.max), float(info.min), float(info.tiny), np.dtype(info.dtype)
    )


def iinfo(type: DType | Array, /) -> IntegerInfo:
    """Returns the limits of a type of integers."""
    dtype = _type_of(type)
    info = np.iinfo(dtype)
    return IntegerInfo(int(info.bits), int(info.max), int(info.min), dtype)


def astype(x: Array, dtype: DType, /, *, copy: builtins.bool = True, device: Any = None) -> Sparse:
    """Converts the elements to another type."""
    on_cpu(device)
    a = tensor(x)
    if a.dtype.kind == "c" and np.dtype(dtype).kind not in "cb":
        raise TypeError(f"complex numbers become {np.dtype(dtype)} by `real`, `imag` or `abs`")
    return a.astype(dtype, copy=copy)


def can_cast(from_: DType | Array, to: DType, /) -> builtins.bool:
    """Tests whether one type holds all numbers of another."""
    return builtins.bool(np.can_cast(_type_of(from_), to))


def isdtype(dtype: DType, kind: DType | str | tuple[DType | str, ...]) -> builtins.bool:
    """Tests whether a type is of a kind."""
    if isinstance(kind, tuple):
        return builtins.any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"kind {kind!r} is unknown; the kinds are {', '.join(_KINDS)}")
        return np.dtype(dtype).kind in _KINDS[kind]
    return np.dtype(dtype) == np.dtype(kind)


def result_type(*arrays_and_dtypes: Array | DType | Number) -> np.dtype[Any]:
    """Returns the type of a result of these operands."""
    given: list[Any] = [x.dtype if isinstance(x, (Sparse, np.ndarray)) else x for x in arrays_and_dtypes]
    return np.result_type(*given)


class Info:
    """What the namespace supports."""

    def capabilities(self) -> dict[str, Any]:
        """Returns the optional parts of the standard that are here."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}

    def default_device(self) -> str:
        """Returns the device of new tensors."""
        return "cpu"

    def default_dtypes(self, *, device: Any = None) -> dict[str, np.dtype[Any]]:
        """Returns the types that numbers of Python have."""
        on_cpu(device)
        kinds = {"real floating": float64, "complex floating": complex128, "integral": int64, "indexing": int64}
        return {kind: np.dtype(name) for kind, name in kinds.items()}

    def dtypes(self, *, device: Any = None, kind: str | tuple[str, ...] | None = None) -> dict[str, np.dtype[Any]]:
        """Returns the types of a kind by name."""
        on_cpu(device)
        return {str(dtype): dtype for dtype in map(np.dtype, _ALL) if kind is None or isdtype(dtype, kind)}

    def devices(self) -> list[str]:
        """Returns all devices."""
        return ["cpu"]


def __array_namespace_info__() -> Info:
    """Returns what the namespace supports."""
    return Info()
