"""Layouts: every operation as a method, NumPy's strides, pictures."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from . import _native
from ._native import Layout
from .batch import command

# Name, aliases, and every way to call it with its law.
OPERATIONS: dict[str, tuple[list[str], list[tuple[str, str]]]] = {
    name: (aliases, forms) for name, aliases, forms in _native.operations()
}


def _method(name: str, forms: list[tuple[str, str]]) -> Any:
    def method(self: Layout, *operands: Any) -> Any:
        return _native.apply(name, self, *operands)

    method.__name__ = name
    method.__qualname__ = f"Layout.{name}"
    method.__doc__ = "\n".join(f"{law}\n\n    {name}{form}" for form, law in forms)
    return method


def numpy_strides(self: Layout, itemsize: int = 1) -> tuple[int, ...]:
    """The strides of the leaves in bytes of an array whose elements have `itemsize` bytes."""
    itemsize = index(itemsize)
    return tuple(stride * itemsize for stride in self.strides)


def view(self: Layout, data: Any, offset: int = 0, *, writeable: bool | None = None) -> np.ndarray:
    """A view of the elements of `data`, an array of one dimension of NumPy or of any that speaks DLPack, as the layout has them from `offset` on: an axis for each leaf, no copy.

    Raises ValueError where an index is outside of `data`. A layout that has elements twice, or of which `is_injective` does not say that it has none twice,
    gives a view to read only, unless `writeable` says otherwise.
    """
    # Numbers and arrays of others compute as they like.
    offset = index(offset)
    data = np.asarray(data) if isinstance(data, np.ndarray) else np.from_dlpack(data)
    if data.ndim != 1:
        raise ValueError(f"data of one dimension is needed, not of {data.ndim}")
    extents, strides = self.extents, self.strides
    if all(extents):
        reach = [(extent - 1) * stride for extent, stride in zip(extents, strides)]
        least = offset + sum(step for step in reach if step < 0)
        most = offset + sum(step for step in reach if step > 0)
        if least < 0 or most >= len(data):
            raise ValueError(f"{self} from {offset} on has indices {least} to {most}, data has {len(data)} elements")
    if writeable is None:
        writeable = data.flags.writeable and self.is_injective() is True
    return np.lib.stride_tricks.as_strided(
        data[offset:], extents, [stride * data.strides[0] for stride in strides], writeable=bool(writeable)
    )


def from_numpy(array: Any) -> Layout:
    """The layout of an array of NumPy, or of any that speaks DLPack: its extents and its strides in elements."""
    array = array if isinstance(array, np.ndarray) else np.from_dlpack(array)
    if array.ndim == 0:
        return Layout(1)
    if any(stride % array.itemsize for stride in array.strides):
        raise ValueError(f"strides of {array.strides} bytes are no multiples of {array.itemsize}")
    return Layout(array.shape, tuple(stride // array.itemsize for stride in array.strides))


def svg(what: str, *arguments: object) -> str:
    """A picture as SVG: `svg("layout", layout)`, `svg("divide", layout, tiler)`, `svg("plan", source, target)`, ...

    >>> svg("layout", "(4,8):(8,1)").startswith("<svg")
    True
    """
    return command("svg", what, *arguments)


def _repr_svg_(self: Layout) -> str | None:
    """The layout as notebooks show it; none where it has too many elements to draw."""
    try:
        return svg("layout", self) if len(self) <= 4096 else None
    except ValueError:
        return None


def explain(self: Layout, coordinate: object = None) -> str:
    """What the layout is, and how the index of a coordinate comes about."""
    return command("explain", self, *([] if coordinate is None else [coordinate]))


for _name, (_aliases, _forms) in OPERATIONS.items():
    for _each in [_name, *_aliases]:
        if not hasattr(Layout, _each) and _each.isidentifier():
            setattr(Layout, _each, _method(_name, _forms))
for _function in (numpy_strides, view, _repr_svg_, explain):
    setattr(Layout, _function.__name__, _function)
setattr(Layout, "from_numpy", staticmethod(from_numpy))
