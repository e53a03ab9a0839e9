"""Symmetries of tensors: the effect of an exchange of two coordinates on the elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Sequence

import numpy as np

from . import _elementwise

if TYPE_CHECKING:
    from .sparse import Sparse

_MIRRORED: dict[str, Callable[[Any], Any]] = {"symmetric": np.positive, "hermitian": np.conjugate, "skew": np.negative}
# The functions of elements of one or two tensors that keep every symmetry.
_LINEAR = {np.add, np.subtract, np.negative, np.positive, np.conjugate}


def _mirrored(values: Any, symmetry: str) -> Any:
    return values if symmetry == "symmetric" else _MIRRORED[symmetry](values)


def check(a: Sparse, symmetry: str) -> None:
    """Raises ValueError if an element of a tensor with sorted levels differs from its mirror image."""
    if symmetry not in _MIRRORED:
        raise ValueError(f"symmetry is {symmetry!r}; expected one of {', '.join(_MIRRORED)}")
    if len(set(a.shape)) > 1:
        raise ValueError(f"a tensor of shape {a.shape} is not {symmetry}: its extents differ")
    if symmetry == "hermitian" and a.ndim > 2:
        raise ValueError(f"a tensor of {a.ndim} axes is not hermitian: only matrices are")
    if symmetry == "skew" and a.dtype.kind in "bu":
        raise ValueError(f"a tensor of {a.dtype} is not skew: its elements have no negatives")
    # Exchanges of neighbouring axes make every other exchange.
    for axis in range(a.ndim - 1):
        mirror = a.swapaxes(axis, axis + 1)
        pattern, own, other = a._pattern.merged(mirror._pattern, True, "-".join("S" * a.ndim) + "-R")
        values = np.append(a._values, a._fill)[own]
        images = _mirrored(np.append(mirror._values, mirror._fill)[other], symmetry)
        different = (values != images) & ~((values != values) & (images != images))
        if symmetry == "skew":
            # A number on the diagonal is its own mirror image, and no NaN is 0.
            places = pattern.coordinates()
            different |= (places[axis] == places[axis + 1]) & (values != 0)
        if different.any():
            first = int(np.argmax(different))
            at = [int(column[first]) for column in pattern.coordinates()]
            to = [*at[:axis], at[axis + 1], at[axis], *at[axis + 2 :]]
            image = _mirrored(images[first], symmetry)
            raise ValueError(f"the tensor is not {symmetry}: element {at} is {values[first]}, but its mirror image {to} is {image}")
    if a.ndim > 1 and _mirrored(a._fill, symmetry) != a._fill and a._fill == a._fill:
        raise ValueError(f"the tensor is not {symmetry}: its fill value is {a._fill}, whose mirror image differs")


def triangle(a: Sparse) -> str | None:
    """Returns the triangle that contains all stored elements of a matrix."""
    if a.ndim != 2:
        raise ValueError(f"a tensor of {a.ndim} axes has no triangle: only matrices have")
    rows, columns = a.coordinates()
    lower, upper = bool((rows >= columns).all()), bool((rows <= columns).all())
    return "diagonal" if lower and upper else "lower" if lower else "upper" if upper else None


def of_type(symmetry: str | None, dtype: np.dtype) -> str | None:
    """Returns the symmetry after a conversion of the elements to another type."""
    kept = {"symmetric": "biufc", "hermitian": "c", "skew": "ifc"}
    return symmetry if symmetry and dtype.kind in kept[symmetry] else None


def of_result(function: Any, operands: Sequence[Any]) -> str | None:
    """Returns the symmetry of a function of the elements of operands that are tensors, numbers or arrays."""
    from .sparse import Sparse

    tensors = [operand for operand in operands if isinstance(operand, Sparse)]
    symmetry = tensors[0]._symmetric
    if symmetry is None or any(tensor._symmetric != symmetry or tensor.shape != tensors[0].shape for tensor in tensors):
        return None
    numbers = [operand for operand in operands if not isinstance(operand, Sparse)]
    if any(np.ndim(number) for number in numbers):
        return None
    if symmetry == "symmetric":
        return symmetry
    scaled = function is np.multiply and len(numbers) == 1 and np.asarray(numbers[0]).dtype.kind in "bif" and bool(np.isfinite(numbers[0]))
    return symmetry if scaled or (function in _LINEAR and not numbers) else None


def one_triangle(a: Sparse) -> tuple[Sparse, str | None]:
    """Returns the elements of a symmetric matrix that a file stores, and the symmetry; other tensors return as they are, without one."""
    if a._symmetric is None or a.ndim != 2 or _elementwise.differs(a._fill, 0):
        return a, None
    from . import _arrange

    return _arrange.tril(a, -1 if a._symmetric == "skew" else 0).to(a._canonical()._pattern.levels), a._symmetric


def with_both_triangles(a: Sparse, structure: str) -> Sparse:
    """Returns all elements of a matrix of which one triangle is stored. `structure` is a name of the Binsparse specification."""
    name, _, triangle = structure.rpartition("_")
    symmetry = {"symmetric": "symmetric", "hermitian": "hermitian", "skew_symmetric": "skew"}.get(name)
    if symmetry is None or triangle not in ("lower", "upper"):
        raise TypeError(f"the structure {structure!r} of Binsparse is unknown")
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise ValueError(f"a tensor of shape {a.shape} has no structure {structure!r}: it is not a square matrix")
    from .sparse import Sparse

    rows, columns = (column.astype(np.int64) for column in a.coordinates())
    outside = rows < columns if triangle == "lower" else rows > columns
    if outside.any():
        first = int(np.argmax(outside))
        raise ValueError(f"element [{rows[first]}, {columns[first]}] is outside the {triangle} triangle")
    off = rows != columns
    if symmetry == "skew" and a.dtype.kind in "bu":
        raise ValueError(f"a tensor of {a.dtype} is not skew: its elements have no negatives")
    wrong = ~off & (a._values != _mirrored(a._values, symmetry)) if symmetry != "symmetric" else np.zeros(0, bool)
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ValueError(f"element [{rows[first]}, {rows[first]}] is {a._values[first]}, which is not its own mirror image in {structure!r}")
    values = np.concatenate([a._values, _mirrored(a._values[off], symmetry)])
    places = [np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])]
    made = Sparse.from_coo(places, values, a.shape, a._pattern.levels, duplicates="refuse", fill_value=a._fill)
    return Sparse._of(made._pattern, made._values, made._fill, symmetry)
