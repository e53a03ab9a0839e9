"""Layouts: adds every operation as a method, views of NumPy arrays, and pictures."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from . import _native
from ._native import Layout
from .batch import command

# For each name of an operation: its aliases, and its forms, each with its law.
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
    """Returns the strides of all leaves in bytes, for elements of `itemsize` bytes."""
    itemsize = index(itemsize)
    return tuple(stride * itemsize for stride in self.strides)


def view(self: Layout, data: Any, offset: int = 0, *, writeable: bool | None = None) -> np.ndarray:
    """Returns a NumPy view of `data` without a copy: one axis for each leaf, and the element at a coordinate is `data[offset + index]`.

    `data` is a one-dimensional array of NumPy or of a package that supports DLPack. By default the view is writeable only if `data` is and if
    `is_injective` is True; `writeable` overrides this. Raises ValueError if an index is outside of `data`.
    """
    # Convert first: arithmetic of foreign numbers and arrays may do anything.
    offset = index(offset)
    data = np.asarray(data) if isinstance(data, np.ndarray) else np.from_dlpack(data)
    if data.ndim != 1:
        raise ValueError(f"data has {data.ndim} dimensions, but a view needs one")
    extents, strides = self.extents, self.strides
    if all(extents):
        reach = [(extent - 1) * stride for extent, stride in zip(extents, strides)]
        least = offset + sum(step for step in reach if step < 0)
        most = offset + sum(step for step in reach if step > 0)
        if least < 0 or most >= len(data):
            raise ValueError(f"{self} from {offset} on has indices {least} to {most}, but data has {len(data)} elements")
    if writeable is None:
        writeable = data.flags.writeable and self.is_injective() is True
    return np.lib.stride_tricks.as_strided(
        data[offset:], extents, [stride * data.strides[0] for stride in strides], writeable=bool(writeable)
    )


def from_numpy(array: Any) -> Layout:
    """Returns the layout of an array of NumPy, or of a package that supports DLPack, with strides in elements.

    Raises ValueError if a stride in bytes is not a multiple of the element size.
    """
    array = array if isinstance(array, np.ndarray) else np.from_dlpack(array)
    if array.ndim == 0:
        return Layout(1)
    if any(stride % array.itemsize for stride in array.strides):
        raise ValueError(f"the strides {array.strides} in bytes are not multiples of the element size {array.itemsize}")
    return Layout(array.shape, tuple(stride // array.itemsize for stride in array.strides))


def svg(what: str, *arguments: object) -> str:
    """Draws a picture as SVG: `svg("layout", layout)`, `svg("divide", layout, tiler)`, `svg("plan", source, target)`, ...

    >>> svg("layout", "(4,8):(8,1)").startswith("<svg")
    True
    """
    return command("svg", what, *arguments)


def _repr_svg_(self: Layout) -> str | None:
    """Returns the picture that notebooks show, or None for a layout with more than 4096 elements."""
    try:
        return svg("layout", self) if len(self) <= 4096 else None
    except ValueError:
        return None


def explain(self: Layout, coordinate: object = None) -> str:
    """Explains the layout and, if a coordinate is given, how its index is computed."""
    return command("explain", self, *([] if coordinate is None else [coordinate]))


for _name, (_aliases, _forms) in OPERATIONS.items():
    for _each in [_name, *_aliases]:
        if not hasattr(Layout, _each) and _each.isidentifier():
            setattr(Layout, _each, _method(_name, _forms))
for _function in (numpy_strides, view, _repr_svg_, explain):
    setattr(Layout, _function.__name__, _function)
setattr(Layout, "from_numpy", staticmethod(from_numpy))
