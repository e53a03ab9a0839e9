"""The protocols by which Python, NumPy and the array API standard treat a tensor as an array."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

if TYPE_CHECKING:
    from typing_extensions import Self


class Protocols(np.lib.mixins.NDArrayOperatorsMixin):
    """Operators, conversions to numbers, and the methods of the array API standard."""

    __slots__ = ()

    if TYPE_CHECKING:
        _values: np.ndarray

        @property
        def shape(self) -> tuple[int, ...]: ...

    def _not_in_place(self, other: Any) -> Any:
        """Leaves `a += b` to `a = a + b`, because a tensor does not change."""
        return NotImplemented

    __iadd__ = __isub__ = __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = __ipow__ = _not_in_place
    __iand__ = __ior__ = __ixor__ = __ilshift__ = __irshift__ = __imatmul__ = _not_in_place

    def _number(self, kind: str) -> Any:
        """Returns the element of a tensor without axes."""
        if self.shape:
            raise TypeError(f"only a tensor without axes is a number, but this has the shape {self.shape}")
        if self._values.dtype.kind not in kind:
            raise TypeError(f"an element of {self._values.dtype} does not become a number of that type")
        return self._values[0]

    def __float__(self) -> float:
        return float(self._number("biuf"))

    def __int__(self) -> int:
        return int(self._number("biuf"))

    def __index__(self) -> int:
        return int(self._number("iu"))

    def __complex__(self) -> complex:
        return complex(self._number("biufc"))

    def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType:
        """Returns the functions of the array API standard for tensors."""
        from . import array_api
        from .array_api._common import SUPPORTED

        if api_version not in (None, *SUPPORTED):
            raise ValueError(f"version {api_version!r} of the array API standard is unknown; `{SUPPORTED[-1]}` is the latest here")
        return array_api

    @property
    def device(self) -> str:
        """The device of the arrays, which is the processor."""
        return "cpu"

    def to_device(self, device: str, /, *, stream: None = None) -> Self:
        """Returns the tensor itself. Raises ValueError for a device other than `"cpu"`."""
        if device != "cpu" or stream is not None:
            raise ValueError(f"device {device!r} is unknown; tensors are on the device 'cpu', without streams")
        return self

    def __dlpack__(
        self,
        /,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> NoReturn:
        raise BufferError("DLPack has dense arrays only; export the parts of a tensor: `a.values`, `a.pointers[k]`, `a.indices[k]`, or `a.to_numpy()`")

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)
