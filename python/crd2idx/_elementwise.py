"""Functions of elements: NumPy's ufuncs on the values of sparse tensors, whose coordinates are merged in Rust."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

# The functions that give 0 wherever one operand is 0, if all elements are finite.
_ZEROING = {np.multiply, np.logical_and, np.bitwise_and}
# The functions and the types that Rust computes while it merges; NumPy computes all others afterwards.
_NATIVE = {np.add: "add", np.subtract: "subtract", np.multiply: "multiply", np.maximum: "maximum", np.minimum: "minimum"}
_NATIVE_TYPES = {np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.int64)}
_NUMBERS = (bool, int, float, complex, np.generic)
# The number of elements up to which a tensor that is broadcast becomes dense.
_SMALL = 1 << 16


def differs(values: Any, fill: Any) -> Any:
    """Tests which values differ from `fill`. A NaN equals a NaN, and -0.0 differs from 0.0."""
    values = np.asarray(values)
    with np.errstate(invalid="ignore"):
        different = values != fill
    if values.dtype.kind in "fc":
        different &= ~(np.isnan(values) & np.isnan(fill))
        if values.dtype.kind == "f":
            different |= (values == 0) & (np.signbit(values) != np.signbit(fill)) & (np.asarray(fill) == 0)
    return different


def array_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Applies a ufunc to operands of which at least one is a sparse tensor."""
    if options.pop("out", None) is not None:
        raise TypeError(f"`{ufunc.__name__}` cannot write to `out`: a sparse tensor does not change")
    if ufunc is np.matmul and method == "__call__":
        from ._products import matmul

        return matmul(*inputs)
    if method == "reduce":
        return _reduced(ufunc, inputs[0], options)
    if method != "__call__" or ufunc.signature is not None or options.get("where", True) is not True:
        return NotImplemented
    if len(inputs) > 2 or any(not _is_operand(operand) for operand in inputs):
        return NotImplemented
    options.pop("where", None)
    return apply(ufunc, inputs, options)


def _is_operand(operand: Any) -> bool:
    from .sparse import Sparse

    return isinstance(operand, (Sparse, np.ndarray, np.generic, bool, int, float, complex, list, tuple)) or _is_scipy(operand)


def _is_scipy(operand: Any) -> bool:
    return type(operand).__module__.startswith("scipy.sparse")


def _reduced(ufunc: np.ufunc, a: Any, options: dict[str, Any]) -> Any:
    from . import _reduce

    axis, keepdims, dtype = options.pop("axis", 0), options.pop("keepdims", False), options.pop("dtype", None)
    if any(value is not None and value is not np._NoValue and value is not True for value in options.values()):
        return NotImplemented
    return _reduce.reduce(a, ufunc, axis, dtype, None, keepdims)


def apply(ufunc: Callable[..., Any], inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Applies a function of elements to operands of which at least one is a sparse tensor."""
    from . import _symmetry

    made = _applied(ufunc, inputs, options)
    symmetry = _symmetry.of_result(ufunc, inputs)
    if symmetry is not None:
        for part in made if isinstance(made, tuple) else (made,):
            part._symmetric = _symmetry.of_type(symmetry, part.dtype)
    return made


def _applied(ufunc: Callable[..., Any], inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Applies a function of elements. The results have no symmetry yet."""
    from .sparse import Sparse

    tensors = [k for k, operand in enumerate(inputs) if isinstance(operand, Sparse)]
    if len(tensors) == 1 and all(isinstance(operand, (Sparse, *_NUMBERS)) for operand in inputs):
        others = [operand for operand in inputs if not isinstance(operand, Sparse)]
        return _of_each(_caller(ufunc, tensors[0], options), inputs[tensors[0]]._canonical(), others)
    operands: list[Any] = [Sparse.from_scipy(operand) if _is_scipy(operand) else operand for operand in inputs]
    # Numbers of Python keep their kind: NumPy gives them the type of the other operand.
    operands = [operand if isinstance(operand, (Sparse, bool, int, float, complex)) else np.asarray(operand) for operand in operands]
    shape = np.broadcast_shapes(*(np.shape(operand) if not isinstance(operand, Sparse) else operand.shape for operand in operands))
    sparse = [k for k, operand in enumerate(operands) if isinstance(operand, Sparse)]
    if len(sparse) == 2:
        a, b = (operand._canonical() for operand in operands)
        small = [operand.shape != shape and operand.size <= _SMALL for operand in (a, b)]
        if a.shape == b.shape:
            return _merged(ufunc, a, b, options)
        if not any(small) or all(small):
            from ._arrange import broadcast_to

            return _merged(ufunc, broadcast_to(a, shape), broadcast_to(b, shape), options)
        operands = [a.to_numpy() if small[0] else a, b.to_numpy() if small[1] else b]
        sparse = [1 if small[0] else 0]
    at = sparse[0]
    a = operands[at]._canonical()
    others = [operand for k, operand in enumerate(operands) if k != at]

    call = _caller(ufunc, at, options)
    if not others or np.ndim(others[0]) == 0 and a.shape == shape:
        return _of_each(call, a, others)
    return _with_dense(call, a, np.asarray(others[0]), shape)


def _caller(ufunc: Callable[..., Any], at: int, options: dict[str, Any]) -> Callable[[Any, list[Any]], Any]:
    """Returns a function of operand `at` and of the list of all others."""
    return lambda value, others: ufunc(*others[:at], value, *others[at:], **options)


def _of_each(call: Callable[[Any, list[Any]], Any], a: Any, others: list[Any]) -> Any:
    """Applies a function to each element, with numbers as further operands."""
    with np.errstate(all="ignore"):
        fill = call(_array(a._fill, a.dtype), others)
    return _results(a._pattern, call(a._values, others), fill)


def _array(value: Any, dtype: np.dtype) -> np.ndarray:
    """Returns an array of one value, so that NumPy chooses types as for arrays."""
    return np.asarray(value, dtype).reshape(1)


def _results(pattern: Any, values: Any, fill: Any) -> Any:
    """Returns a tensor of the values, or a tuple of tensors for a ufunc with several results."""
    from .sparse import Sparse

    if isinstance(values, tuple):
        return tuple(Sparse._of(pattern, *part) for part in zip(values, (one[0] for one in fill)))
    return Sparse._of(pattern, values, fill[0])


def _merged(ufunc: Callable[..., Any], a: Any, b: Any, options: dict[str, Any]) -> Any:
    """Applies a ufunc to two tensors of one shape."""
    with np.errstate(all="ignore"):
        fill = ufunc(_array(a._fill, a.dtype), _array(b._fill, b.dtype), **options)
    if a._pattern is b._pattern:
        return _results(a._pattern, ufunc(a._values, b._values, **options), fill)
    format = _list_format(a)
    if ufunc in _NATIVE and a.dtype == b.dtype and a.dtype in _NATIVE_TYPES and not options:
        pattern, values = a._pattern.combined(a._values, a._fill, b._pattern, b._values, b._fill, _NATIVE[ufunc], format)
        return _results(pattern, values, fill)
    zero = ufunc in _ZEROING and not np.any(a._fill) and not np.any(b._fill)
    union = not (zero and _finite(a._values) and _finite(b._values))
    pattern, left, right = a._pattern.merged(b._pattern, union, format)
    if union:
        # Number -1 is the fill value, after all others.
        left, right = np.append(a._values, a._fill)[left], np.append(b._values, b._fill)[right]
    else:
        left, right = a._values[left], b._values[right]
    return _results(pattern, ufunc(left, right, **options), fill)


def elementwise(function: Callable[..., Any], *operands: Any, intersection: bool = False) -> Any:
    """Applies a function to the elements of any number of operands, repeated along axes as NumPy broadcasts them.

    The function receives a one-dimensional NumPy array for each tensor or dense array, in which entry `k` belongs to one coordinate, and numbers as they are.
    It returns an array of the results. The result has the fill value that the function makes of the fill values. It stores the coordinates that at least one
    operand stores, or with `intersection` those that all of them store.

    >>> import numpy as np
    >>> from crd2idx import Sparse, elementwise
    >>> a, b, c = (Sparse.from_numpy(np.array(row)) for row in ([1.0, 0, 2], [0.0, 0, 3], [4.0, 0, 0]))
    >>> elementwise(lambda x, y, z: x * y + z, a, b, c).to_numpy()
    array([4., 0., 6.])
    """
    from ._arrange import broadcast_to
    from .sparse import Sparse

    given = [Sparse.from_scipy(operand) if _is_scipy(operand) else operand for operand in operands]
    given = [operand if isinstance(operand, Sparse) or np.ndim(operand) == 0 else Sparse.from_numpy(operand) for operand in given]
    places = [k for k, operand in enumerate(given) if isinstance(operand, Sparse)]
    if not places:
        raise TypeError("a function of elements needs a tensor or an array")
    shape = np.broadcast_shapes(*(given[k].shape for k in places))
    tensors = [broadcast_to(given[k]._canonical(), shape) for k in places]

    def call(columns: list[np.ndarray]) -> Any:
        every = list(given)
        for place, column in zip(places, columns):
            every[place] = column
        made = function(*every)
        if np.shape(made) != np.shape(columns[0]):
            raise ValueError(f"the function returned the shape {np.shape(made)} for elements of the shape {np.shape(columns[0])}")
        return np.asarray(made)

    with np.errstate(all="ignore"):
        fill = call([_array(tensor._fill, tensor.dtype) for tensor in tensors])
    pattern, numbers = tensors[0]._pattern, [np.arange(len(tensors[0]._values))]
    for tensor in tensors[1:]:
        pattern, left, right = pattern.merged(tensor._pattern, not intersection, _list_format(tensors[0]))
        # Number -1 stays -1: the fill value.
        numbers = [np.append(one, -1)[left] for one in numbers] + [right]
    columns = [np.append(tensor._values, tensor._fill)[one] for tensor, one in zip(tensors, numbers)]
    return Sparse._of(pattern, np.ascontiguousarray(call(columns)), fill[0])


def _list_format(a: Any) -> str:
    """Returns the format of the result of a merge: that of the tensor, or a list of coordinates if it has blocks."""
    return a._pattern.levels if not a._pattern.dense_axes else "-".join("S" * a.ndim) + "-R"


def _finite(values: np.ndarray) -> bool:
    return values.dtype.kind in "biu" or bool(np.isfinite(values).all())


def _with_dense(call: Any, a: Any, dense: np.ndarray, shape: tuple[int, ...]) -> Any:
    """Applies a ufunc to a tensor and a dense array. The result is a tensor if all elements that are not stored have one result, and dense otherwise."""
    from ._arrange import broadcast_to

    a = broadcast_to(a, shape)
    with np.errstate(all="ignore"):
        rest = call(_array(a._fill, a.dtype), [dense])
    if isinstance(rest, tuple) or rest.size == 0 or np.any(differs(rest, rest.reshape(-1)[0])):
        return call(a.to_numpy(), [dense])
    columns = tuple(column.astype(np.intp, copy=False) for column in a.coordinates())
    values = call(a._values, [np.broadcast_to(dense, shape)[columns]])
    return _results(a._pattern, values, rest.reshape(-1)[:1])

