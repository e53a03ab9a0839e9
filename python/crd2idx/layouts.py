"""Layouts: adds every operation as a method, views of NumPy arrays, and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from operator import index
from typing import Any

import numpy as np

from . import _native
from ._native import Layout
from .batch import command, request

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


def from_table(table: Any, shape: Any = None) -> Layout:
    """Returns the layout that has the indices of a table: an array of integers, or nested lists.

    The index of coordinate `(i, j)` is `table[i, j]`. With `shape`, which may be nested, the axes of the table are read as one, the first fastest.
    The layout has integer strides, else a swizzle of these, else XOR strides. Raises ValueError with the first coordinate whose index does not fit.

    >>> from_table([[0, 8, 16], [1, 9, 17]])
    Layout('(2,3):(1,8)')
    """
    array = np.asarray(table)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"the indices of a table are integers, not {array.dtype}")
    if shape is None:
        shape = array.shape if array.ndim != 1 else len(array)
    return _native.layout_of_table(array.ravel(order="F").astype(np.int64).tolist(), shape)


def _coordinates(shape: Any) -> Iterator[Any]:
    """Iterates over the coordinates of a nested shape, the first mode fastest."""
    if not isinstance(shape, (tuple, list)):
        yield from range(index(shape))
    elif not shape:
        yield ()
    else:
        for rest in _coordinates(tuple(shape[1:])):
            for first in _coordinates(shape[0]):
                yield (first, *rest)


def _size(shape: Any) -> int:
    """Returns the number of coordinates of a nested shape."""
    return prod(map(_size, shape)) if isinstance(shape, (tuple, list)) else index(shape)


def from_function(function: Callable[..., int], shape: Any) -> Layout:
    """Returns the layout whose index at a coordinate is `function(*coordinate)`: one argument for each mode of the shape.

    A nested mode is a tuple. The result is the one of `from_table`.

    >>> from_function(lambda i, j: 8 * i + (i ^ j), (8, 8))
    Layout('S<3,0,3> o 0 o (8,8):(8,1)')
    """
    one = not isinstance(shape, (tuple, list))
    indices = [index(function(c) if one else function(*c)) for c in _coordinates(shape)]
    return _native.layout_of_table(indices, shape)


def is_surjective(self: Layout, cosize: int | None = None) -> bool:
    """Returns True if every integer from the least to the greatest index is an index; with `cosize`, if every integer below it is."""
    image = self.image()
    if cosize is not None:
        return image == list(range(cosize))
    return not image or image[-1] - image[0] + 1 == len(image)


def is_bijective(self: Layout) -> bool:
    """Returns True if the layout is injective and surjective: a permutation, after the least index is subtracted."""
    return _native.index_cycles(self) is not None


def image(self: Layout) -> list[int]:
    """Returns the distinct indices, in order."""
    return _native.index_table(self)[0]


def coordinates_by_index(self: Layout) -> dict[int, list[Any]]:
    """Returns the coordinates of each index. Several coordinates of one index are aliases."""
    of_linear = list(_coordinates(self.shape))
    return {index: [of_linear[k] for k in of] for index, of in zip(*_native.index_table(self))}


def cycles(self: Layout) -> list[list[int]]:
    """Returns the cycles of the permutation that takes a linear coordinate to its index minus the least index.

    Raises ValueError if the layout is no permutation.
    """
    found = _native.index_cycles(self)
    if found is None:
        raise ValueError(f"{self} is no permutation: it is not injective, or its indices have holes")
    return found


def analyze(self: Layout, *, element_bits: int | None = None, vector: int | None = None, cycles: bool = False) -> dict[str, Any]:
    """Analyzes all indices: aliases, holes, runs, vectors, the cycles of the permutation, and with `element_bits` bank conflicts.

    The keys are those of the request `analyze`. For bank conflicts, mode 0 is the thread and further modes are its values.
    """
    made: dict[str, Any] = request("analyze", layout=str(self), element_bits=element_bits, vector=vector, cycles=cycles)
    return made


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
for _function in (numpy_strides, view, _repr_svg_, explain, is_surjective, is_bijective, image, coordinates_by_index, cycles, analyze):
    setattr(Layout, _function.__name__, _function)
for _maker in (from_numpy, from_table, from_function):
    setattr(Layout, _maker.__name__, staticmethod(_maker))
