"""Products of sparse tensors with dense arrays and with each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrange import product, reshape


def _kernel_type(dtype: np.dtype) -> np.dtype:
    """Returns the type in which a product is computed: the widest of its kind for integers, so that none wraps that need not."""
    if dtype.kind == "f":
        return np.dtype(np.float32) if dtype.itemsize <= 4 else np.dtype(np.float64)
    return np.dtype(np.uint64) if dtype.kind == "u" else np.dtype(np.int64)


def _result_type(a: Any, b: Any) -> np.dtype:
    """Returns the type of a product: NumPy's promotion, with small integers widened as `numpy.sum` widens them."""
    dtype = np.result_type(a.dtype, b.dtype)
    return dtype if dtype.kind in "fcb" else np.add.reduce(np.zeros(1, dtype)).dtype


def matmul(a: Any, b: Any, sorted: bool = True) -> Any:
    """Multiplies two operands, of which one or both are sparse tensors, as `numpy.matmul` does. The rows of a sparse matrix are sorted if `sorted`."""
    from ._elementwise import _is_scipy
    from .sparse import Sparse

    a, b = (Sparse.from_scipy(operand) if _is_scipy(operand) else operand for operand in (a, b))
    a, b = (operand if isinstance(operand, Sparse) else np.asarray(operand) for operand in (a, b))
    if not a.ndim or not b.ndim:
        raise ValueError("a product with a number is `a * number`")
    if a.dtype == object or b.dtype == object or "U" in (a.dtype.kind, b.dtype.kind):
        raise TypeError(f"a tensor of {a.dtype} cannot be multiplied by an operand of {b.dtype}")
    inner = a.shape[-1], b.shape[-2 if b.ndim > 1 else 0]
    if inner[0] != inner[1]:
        raise ValueError(f"shapes {a.shape} and {b.shape} do not fit: the summed axes have the extents {inner[0]} and {inner[1]}")
    for operand in (a, b):
        if isinstance(operand, Sparse) and np.any(operand._fill):
            raise ValueError(f"a product needs the fill value 0, but it is {operand._fill}; `a.to_numpy() @ b` computes it")
    a, b = (operand._canonical() if isinstance(operand, Sparse) and operand.ndim != 2 else operand for operand in (a, b))
    if a.ndim > 2 and b.ndim > 2:
        return _stacked(a, b)
    if isinstance(a, Sparse):
        # All axes but the last of `a` are rows.
        left = a if a.ndim == 2 else reshape(a, (product(a.shape[:-1]), a.shape[-1]))
        if isinstance(b, Sparse):
            if b.ndim > 2:
                return _moved(a, b)
            right = b if b.ndim == 2 else reshape(b, (-1, 1))
            made = _sparse(left, right, sorted)
            shape = (*a.shape[:-1], *b.shape[1:])
            return reshape(made, shape) if shape and shape != made.shape else made if shape else made[0, 0]
        if b.ndim > 2:
            return _moved(a, b)
        made = _dense(left, b, False)
        return made.reshape((*a.shape[:-1], *b.shape[1:]))[()]
    if b.ndim > 2:
        return _moved(a, b)
    # a @ b = (b^T @ a^T)^T
    right = b if b.ndim == 2 else reshape(b, (-1, 1))
    made = _dense(right, a if a.ndim == 1 else a.reshape(-1, a.shape[-1]).T, True).T
    return made.reshape((*a.shape[:-1], *b.shape[1:]))[()]


def _moved(a: Any, b: Any) -> Any:
    """Multiplies by a stack of matrices `b`: a matrix for each."""
    parts = [matmul(a, b[k]) for k in range(b.shape[0])]
    return _stack(parts, b.shape[0])


def _stacked(a: Any, b: Any) -> Any:
    """Multiplies two stacks of matrices, broadcast against each other."""
    lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = (_first(operand, lead) for operand in (a, b))
    return _stack([matmul(a[k], b[k]) for k in range(lead[0])], lead[0])


def _first(a: Any, lead: tuple[int, ...]) -> Any:
    from ._arrange import broadcast_to
    from .sparse import Sparse

    shape = (*lead, *a.shape[-2:])
    return broadcast_to(a, shape) if isinstance(a, Sparse) else np.broadcast_to(a, shape)


def _stack(parts: list[Any], count: int) -> Any:
    from ._arrange import stack
    from .sparse import Sparse

    if not count:
        raise ValueError("a product with an empty stack of matrices is not supported")
    return stack(parts, 0) if isinstance(parts[0], Sparse) else np.stack(parts)


def _parts(a: np.ndarray) -> list[np.ndarray]:
    return [np.ascontiguousarray(np.real(a)), np.ascontiguousarray(np.imag(a))]


def _dense(a: Any, b: np.ndarray, transpose: bool) -> np.ndarray:
    """Multiplies a sparse matrix, or its transpose, by a dense vector or matrix."""
    dtype = _result_type(a, b)
    if dtype.kind == "c":
        return _complex(a, b, transpose, dtype)
    kernel = _kernel_type(dtype)
    values, dense = a._values.astype(kernel, copy=False), np.ascontiguousarray(b, kernel)
    # Unsigned sums have the bits of signed ones.
    if kernel == np.uint64:
        values, dense = values.view(np.int64), dense.view(np.int64)
    made: np.ndarray = a._pattern.times_dense(values, dense, transpose)
    return made.view(kernel).astype(dtype, copy=False)


def _complex(a: Any, b: np.ndarray, transpose: bool, dtype: np.dtype) -> np.ndarray:
    """Multiplies real and imaginary parts. The parts of a complex number lie side by side, as two columns."""
    real = np.dtype(np.float32) if dtype == np.complex64 else np.dtype(np.float64)
    dense = np.ascontiguousarray(b, dtype)
    columns = dense.reshape(len(dense), -1).view(real)

    def times(values: np.ndarray) -> np.ndarray:
        made: np.ndarray = a._pattern.times_dense(np.ascontiguousarray(values, real), columns, transpose)
        return made.view(dtype).reshape((made.shape[0], *b.shape[1:]))

    if a.dtype.kind != "c":
        return times(a._values)
    return times(a._values.real) + 1j * times(a._values.imag)


def _sparse(a: Any, b: Any, sorted: bool) -> Any:
    """Multiplies two sparse matrices."""
    dtype = _result_type(a, b)
    if dtype.kind == "c":
        real = np.dtype(np.float32) if dtype == np.complex64 else np.dtype(np.float64)
        (ar, ai), (br, bi) = _parts(a._values), _parts(b._values)
        pairs = ((ar, br), (ai, bi), (ar, bi), (ai, br))
        p, q, r, s = (_times(a, x.astype(real, copy=False), b, y.astype(real, copy=False), sorted) for x, y in pairs)
        # All four have the same elements.
        return type(a)._of(p._pattern, ((p._values - q._values) + 1j * (r._values + s._values)).astype(dtype), 0)
    kernel = _kernel_type(dtype)
    left, right = a._values.astype(kernel, copy=False), b._values.astype(kernel, copy=False)
    if kernel == np.uint64:
        left, right = left.view(np.int64), right.view(np.int64)
    made = _times(a, left, b, right, sorted)
    return type(a)._of(made._pattern, made._values.view(kernel).astype(dtype), 0)


def _times(a: Any, left: np.ndarray, b: Any, right: np.ndarray, sorted: bool) -> Any:
    pattern, values = a._pattern.times_sparse(left, b._pattern, right, sorted)
    return type(a)._of(pattern, values, 0)
