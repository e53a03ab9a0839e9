"""Axes and shapes: other orders of axes, other shapes, and joins of several tensors."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, Iterable, Sequence

import numpy as np

if TYPE_CHECKING:
    from .sparse import Sparse


def product(numbers: Iterable[Any]) -> int:
    """Returns the product of integers, of any size."""
    total = 1
    for number in numbers:
        total *= int(number)
    return total


def axis_of(axis: Any, ndim: int) -> int:
    """Returns the axis, counted from 0. Raises AxisError if there is none."""
    number: int = index(axis)
    if not -ndim <= number < ndim:
        raise np.exceptions.AxisError(number, ndim)
    return number % ndim


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """Returns the axes that `axis` names: all of them for `None`, otherwise one or several."""
    if axis is None:
        return tuple(range(ndim))
    named = tuple(axis_of(one, ndim) for one in (axis if isinstance(axis, (tuple, list)) else (axis,)))
    if len(set(named)) < len(named):
        raise ValueError(f"axis {axis} names an axis twice")
    return named


def columns_of(a: Sparse) -> list[np.ndarray]:
    """Returns the coordinates of all stored values as integers that NumPy indexes with, one array for each axis."""
    return [column.astype(np.int64) for column in a.coordinates()]


def build(columns: Sequence[np.ndarray], values: np.ndarray, shape: Sequence[int], fill: Any, format: str | None = None) -> Sparse:
    """Builds a tensor from distinct coordinates."""
    from .sparse import Sparse

    return Sparse.from_coo(columns, values, shape, format, duplicates="refuse", fill_value=fill)


def transpose(a: Sparse, axes: tuple[Any, ...]) -> Sparse:
    """Returns the tensor with its axes in another order, by default the reverse."""
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
        axes = () if axes[0] is None else tuple(axes[0])
    order = [axis_of(axis, a.ndim) for axis in axes] if axes else list(range(a.ndim))[::-1]
    if len(set(order)) < len(order) or len(order) != a.ndim:
        raise ValueError(f"axes {tuple(axes)} do not name each of the {a.ndim} axes once")
    return type(a)._of(a._pattern.permuted(order), a._values, a._fill, a._symmetric)


def swapaxes(a: Sparse, first: int, second: int) -> Sparse:
    """Exchanges two axes."""
    order = list(range(a.ndim))
    first, second = axis_of(first, a.ndim), axis_of(second, a.ndim)
    order[first], order[second] = order[second], order[first]
    return transpose(a, tuple(order))


def moveaxis(a: Sparse, source: Any, destination: Any) -> Sparse:
    """Moves axes to other places; the others keep their order.

    Parameters
    ----------
    a
        The tensor.
    source
        The axes to move.
    destination
        The place of each in the result.

    Examples
    --------
    >>> from crd2idx import Sparse, moveaxis
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> moveaxis(a, 0, -1).shape
    (3, 2)
    """
    source, destination = axes_of(source, a.ndim), axes_of(destination, a.ndim)
    order = [axis for axis in range(a.ndim) if axis not in source]
    for to, axis in sorted(zip(destination, source)):
        order.insert(to, axis)
    return transpose(a, tuple(order))


def reshape(a: Sparse, shape: tuple[Any, ...], format: str | None = None) -> Sparse:
    """Arranges the elements, in row-major order, in another shape. One extent may be -1."""
    from .sparse import _words, default_format

    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    extents = [index(extent) for extent in shape]
    if extents.count(-1) > 1:
        raise ValueError(f"shape {tuple(extents)} has more than one -1")
    if -1 in extents:
        rest = product(extent for extent in extents if extent != -1)
        if rest == 0 or a.size % rest:
            raise ValueError(f"{a.size} elements do not fit the shape {tuple(extents)}")
        extents[extents.index(-1)] = a.size // rest
    if product(extents) != a.size or min(extents, default=0) < 0:
        raise ValueError(f"{a.size} elements do not fit the shape {tuple(extents)}")
    if not extents:
        return type(a).from_numpy(a.to_numpy().reshape(()), fill_value=a._fill)
    a = a._canonical()
    pattern, values = a._pattern.reshaped(_words(a._values), extents, format or default_format(len(extents)))
    return type(a)._of(pattern, values.view(a.dtype), a._fill)


def squeeze(a: Sparse, axis: Any = None) -> Any:
    """Drops axes of extent 1: all of them, or those that are given."""
    axes = [k for k, extent in enumerate(a.shape) if extent == 1] if axis is None else list(axes_of(axis, a.ndim))
    for one in axes:
        if a.shape[one] != 1:
            raise ValueError(f"axis {one} has the extent {a.shape[one]}, and only axes of extent 1 can be dropped")
    rest = [extent for k, extent in enumerate(a.shape) if k not in axes]
    return reshape(a, tuple(rest)) if rest else a.to_numpy().reshape(-1)[0]


def expand_dims(a: Sparse, axis: Any) -> Sparse:
    """Adds axes of extent 1 at these places of the result.

    Parameters
    ----------
    a
        The tensor.
    axis
        The places of the new axes in the result.

    Examples
    --------
    >>> from crd2idx import Sparse, expand_dims
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> expand_dims(a, (0, -1)).shape
    (1, 2, 3, 1)
    """
    named = axis if isinstance(axis, (tuple, list)) else (axis,)
    rank = a.ndim + len(named)
    axes = axes_of(tuple(named), rank)
    rest = iter(a.shape)
    return reshape(a, tuple(1 if k in axes else next(rest) for k in range(rank)))


def broadcast_to(a: Sparse, shape: Sequence[int]) -> Sparse:
    """Repeats a tensor along axes of extent 1 and along new first axes.

    Parameters
    ----------
    a
        The tensor.
    shape
        The extents of the result.

    Examples
    --------
    >>> from crd2idx import Sparse, broadcast_to
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> broadcast_to(a[0], (2, 3)).to_numpy().tolist()
    [[0, 0, 1], [0, 0, 1]]
    """
    shape = tuple(index(extent) for extent in shape)
    if a.shape == shape:
        return a
    if np.broadcast_shapes(a.shape, shape) != shape:
        raise ValueError(f"a tensor of the shape {a.shape} cannot be broadcast to {shape}")
    a = a._canonical()
    own = (1,) * (len(shape) - a.ndim) + a.shape
    repeated = [k for k, (one, extent) in enumerate(zip(own, shape)) if one == 1 and extent != 1]
    copies = product(shape[k] for k in repeated)
    columns = [np.zeros(a.stored, np.int64)] * (len(shape) - a.ndim) + columns_of(a)
    grid = np.unravel_index(np.arange(copies), [shape[k] for k in repeated]) if repeated else ()
    made = [np.tile(column, copies) for column in columns]
    for k, column in zip(repeated, grid):
        made[k] = np.repeat(column, a.stored)
    return build(made, np.tile(a._values, copies), shape, a._fill)


def prune(a: Sparse) -> Sparse:
    """Returns the tensor without the stored values that equal the fill value."""
    from ._elementwise import differs

    a = a._canonical()
    kept = differs(a._values, a._fill)
    if kept.all():
        return a
    format = a._pattern.levels if not a._pattern.dense_axes else None
    made = build([column[kept] for column in a.coordinates()], a._values[kept], a.shape, a._fill, format)
    return type(a)._of(made._pattern, made._values, made._fill, a._symmetric)


def selected(a: Sparse, kept: np.ndarray) -> Sparse:
    """Returns the tensor with only the stored values that `kept` marks."""
    return build([column[kept] for column in a.coordinates()], a._values[kept], a.shape, a._fill)


def _zero_fill(a: Sparse, name: str) -> None:
    if np.any(a._fill):
        raise ValueError(f"`{name}` needs the fill value 0, but it is {a._fill}")


def diagonal(a: Sparse, offset: int = 0) -> Sparse:
    """Returns the elements `a[..., i, i + offset]` of the last two axes.

    Parameters
    ----------
    a
        The tensor.
    offset
        The number of the diagonal: positive above the main one, and negative below.

    Examples
    --------
    >>> from crd2idx import Sparse, diagonal
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> diagonal(a, 2).to_numpy(), diagonal(a, -1).to_numpy()
    (array([1]), array([2]))
    """
    if a.ndim < 2:
        raise ValueError(f"a tensor of {a.ndim} axes has no diagonal")
    a = a._canonical()
    *lead, rows, columns = columns_of(a)
    first = max(-offset, 0)
    length = max(min(a.shape[-2] - first, a.shape[-1] - max(offset, 0)), 0)
    kept = columns - rows == offset
    return build([*(axis[kept] for axis in lead), rows[kept] - first], a._values[kept], (*a.shape[:-2], length), a._fill)


def tril(a: Sparse, k: int = 0) -> Sparse:
    """Returns the elements of the last two axes at and below diagonal `k`; the others are 0.

    Parameters
    ----------
    a
        The tensor.
    k
        The number of the diagonal.

    Examples
    --------
    >>> from crd2idx import Sparse, tril
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> tril(a).to_numpy().tolist()
    [[0, 0, 0], [2, 0, 0]]
    """
    _zero_fill(a, "tril")
    a = a._canonical()
    *_, rows, columns = columns_of(a)
    return selected(a, columns - rows <= k)


def triu(a: Sparse, k: int = 0) -> Sparse:
    """Returns the elements of the last two axes at and above diagonal `k`; the others are 0.

    Parameters
    ----------
    a
        The tensor.
    k
        The number of the diagonal.

    Examples
    --------
    >>> from crd2idx import Sparse, triu
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> triu(a).to_numpy().tolist()
    [[0, 0, 1], [0, 0, 3]]
    """
    _zero_fill(a, "triu")
    a = a._canonical()
    *_, rows, columns = columns_of(a)
    return selected(a, columns - rows >= k)


def _tensors(arrays: Sequence[Any]) -> list[Sparse]:
    """Returns the arrays as tensors without repeated coordinates and with one fill value."""
    from ._elementwise import _is_scipy, differs
    from .sparse import Sparse

    made = [a if isinstance(a, Sparse) else Sparse.from_scipy(a) if _is_scipy(a) else Sparse.from_numpy(a) for a in arrays]
    if not made:
        raise ValueError("at least one tensor is needed")
    for a in made:
        if differs(a._fill, made[0]._fill):
            raise ValueError(f"the tensors have the fill values {made[0]._fill} and {a._fill}, but one is needed")
    return [a._canonical() for a in made]


def concatenate(arrays: Sequence[Any], axis: Any = 0) -> Sparse:
    """Joins tensors along an axis. All other extents must be the same.

    Parameters
    ----------
    arrays
        Tensors, and arrays of NumPy or SciPy, with one fill value.
    axis
        The axis. `None` joins the elements in row-major order.

    Examples
    --------
    >>> from crd2idx import Sparse, concatenate
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> concatenate([a, a], axis=1).to_numpy().tolist()
    [[0, 0, 1, 0, 0, 1], [2, 0, 3, 2, 0, 3]]
    """
    if axis is None:
        return concatenate([a.ravel() for a in _tensors(arrays)], 0)
    tensors = _tensors(arrays)
    axis = axis_of(axis, tensors[0].ndim)
    rest = [a.shape[:axis] + a.shape[axis + 1 :] for a in tensors]
    for a, other in zip(tensors, rest):
        if other != rest[0] or a.ndim != tensors[0].ndim:
            raise ValueError(f"tensors of the shapes {tensors[0].shape} and {a.shape} cannot be joined along axis {axis}")
    dtype = np.result_type(*(a.dtype for a in tensors))
    begins = np.cumsum([0, *(a.shape[axis] for a in tensors)])
    parts = [columns_of(a) for a in tensors]
    for part, begin in zip(parts, begins):
        part[axis] = part[axis] + begin
    columns = [np.concatenate(column) for column in zip(*parts)]
    values = np.concatenate([a._values.astype(dtype, copy=False) for a in tensors])
    shape = (*rest[0][:axis], int(begins[-1]), *rest[0][axis:])
    return build(columns, values, shape, tensors[0]._fill)


def stack(arrays: Sequence[Any], axis: int = 0) -> Sparse:
    """Joins tensors of one shape along a new axis.

    Parameters
    ----------
    arrays
        Tensors of one shape, with one fill value.
    axis
        The place of the new axis in the result.

    Examples
    --------
    >>> from crd2idx import Sparse, stack
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> stack([a, a], axis=1).shape
    (2, 2, 3)
    """
    tensors = _tensors(arrays)
    for a in tensors:
        if a.shape != tensors[0].shape:
            raise ValueError(f"tensors of the shapes {tensors[0].shape} and {a.shape} cannot be stacked")
    return concatenate([expand_dims(a, axis) for a in tensors], axis)


def kron(a: Any, b: Any) -> Sparse:
    """Returns the Kronecker product: `a[i] * b[j]` at the coordinate `i * extents of b + j`.

    Parameters
    ----------
    a, b
        Tensors, or arrays of NumPy or SciPy, with the fill value 0.

    Examples
    --------
    >>> from crd2idx import Sparse, kron
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> kron(a, [[1, 0], [0, 1]]).shape
    (4, 6)
    """
    a, b = _tensors([a]), _tensors([b])
    (a,), (b,) = a, b
    _zero_fill(a, "kron")
    _zero_fill(b, "kron")
    rank = max(a.ndim, b.ndim)
    a, b = (one if one.ndim == rank else reshape(one, (1,) * (rank - one.ndim) + one.shape) for one in (a, b))
    columns = [(p[:, None] * extent + q).reshape(-1) for p, q, extent in zip(columns_of(a), columns_of(b), b.shape)]
    values = (a._values[:, None] * b._values).reshape(-1)
    return build(columns, values, [p * q for p, q in zip(a.shape, b.shape)], 0)


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """Returns the elements of `x` where the condition is true and of `y` elsewhere. With the condition alone, returns the coordinates where it is true.

    Parameters
    ----------
    condition
        A tensor, or an array of NumPy.
    x, y
        Tensors, arrays or numbers.

    Examples
    --------
    >>> from crd2idx import Sparse, where
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> where(a > 1, a, -1).to_numpy().tolist()
    [[-1, -1, -1], [2, -1, 3]]
    >>> where(a > 1)
    (array([1, 1]), array([0, 2]))
    """
    from .sparse import Sparse

    if x is None and y is None:
        return nonzero(condition)
    x, y = (np.asarray(operand) if isinstance(operand, (list, tuple)) else operand for operand in (x, y))
    dtype = np.result_type(*(operand.dtype if isinstance(operand, Sparse) else operand for operand in (x, y)))
    if not isinstance(condition, Sparse):
        condition = Sparse.from_numpy(np.atleast_1d(condition))
    chosen = condition.astype(bool)
    return _choose(chosen, x, dtype) + _choose(~chosen, y, dtype)


def _choose(mask: Sparse, x: Any, dtype: np.dtype) -> Any:
    """Returns `x` where the mask is true and 0 elsewhere, also where `x` is not finite. Numbers with a sign get -0.0, which changes no number that is added."""
    from ._elementwise import apply

    zero = np.full(1, -0.0 if dtype.kind == "f" else complex(-0.0, -0.0) if dtype.kind == "c" else 0).astype(dtype)
    return apply(lambda mask, x: np.where(mask, x, zero).astype(dtype), (mask, x), {})


def nonzero(a: Sparse) -> tuple[np.ndarray, ...]:
    """Returns the coordinates of the elements that are not 0, in row-major order."""
    a = a._canonical()
    if np.any(a._fill):
        return np.nonzero(a.to_numpy())
    kept = a._values != 0
    columns = [column[kept] for column in columns_of(a)]
    order = np.lexsort(columns[::-1])
    return tuple(column[order] for column in columns)


def argwhere(a: Sparse) -> np.ndarray:
    """Returns the coordinates of the elements that are not 0, a row for each.

    Parameters
    ----------
    a
        The tensor.

    Examples
    --------
    >>> from crd2idx import Sparse, argwhere
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> argwhere(a).tolist()
    [[0, 2], [1, 0], [1, 2]]
    """
    return np.stack(nonzero(a), axis=1)


def flip(a: Sparse, axis: Any = None) -> Sparse:
    """Reverses the order of the elements along axes.

    Parameters
    ----------
    a
        The tensor.
    axis
        The axes: one, several, or all for `None`.

    Examples
    --------
    >>> from crd2idx import Sparse, flip
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1, 2, 3], shape=(2, 3))
    >>> flip(a, 1).to_numpy().tolist()
    [[1, 0, 0], [3, 0, 2]]
    """
    a = a._canonical()
    columns = columns_of(a)
    for one in axes_of(axis, a.ndim):
        columns[one] = a.shape[one] - 1 - columns[one]
    return build(columns, a._values, a.shape, a._fill)


def clip(a: Sparse, least: Any = None, most: Any = None) -> Sparse:
    """Returns the elements, but `least` for smaller ones and `most` for greater ones."""
    made: Any = a if least is None else np.maximum(a, least)
    clipped: Sparse = made if most is None else np.minimum(made, most)
    return clipped


def array_equal(a: Any, b: Any, equal_nan: bool = False) -> bool:
    """Tests whether two arrays have the same extents and elements."""
    if np.shape(a) != np.shape(b):
        return False
    same = a == b
    return bool((same | (np.isnan(a) & np.isnan(b)) if equal_nan else same).all())


def allclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> bool:
    """Tests whether `|a - b| <= atol + rtol |b|` for all elements."""
    with np.errstate(invalid="ignore"):
        near = (np.abs(a - b) <= atol + rtol * np.abs(b)) | (a == b)
    return bool((near | (np.isnan(a) & np.isnan(b)) if equal_nan else near).all())
