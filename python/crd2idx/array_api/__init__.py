"""The array API standard (2024.12) for sparse tensors: `Sparse.__array_namespace__` returns this module.

All functions take tensors, NumPy arrays and numbers, and return tensors. A tensor without axes holds one number.

A function whose result has no sparse form computes with dense arrays: `argsort`, `cumulative_sum`, `cumulative_prod`, `searchsorted`, `take_along_axis`.
Those raise ValueError for a tensor whose dense array needs more than 64 MiB and more than eight times the memory of the tensor.

>>> import crd2idx.array_api as xp
>>> a = xp.eye(3) + xp.ones((3, 3))
>>> a
Sparse(CSR, shape=(3, 3), stored=3, dtype=float64, fill_value=1.0)
>>> float(xp.sum(a)), a.__array_namespace__() is xp
(12.0, True)
"""

from __future__ import annotations

from . import linalg, sparse
from ._common import SUPPORTED as _SUPPORTED
from ._creation import (
    arange,
    asarray,
    empty,
    empty_like,
    eye,
    from_dlpack,
    full,
    full_like,
    linspace,
    meshgrid,
    ones,
    ones_like,
    tril,
    triu,
    zeros,
    zeros_like,
)
from ._dtypes import (
    __array_namespace_info__,
    astype,
    bool,
    can_cast,
    complex64,
    complex128,
    finfo,
    float32,
    float64,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    isdtype,
    result_type,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ._elements import (
    abs,
    acos,
    acosh,
    add,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    bitwise_and,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
    ceil,
    clip,
    conj,
    copysign,
    cos,
    cosh,
    divide,
    equal,
    exp,
    expm1,
    floor,
    floor_divide,
    greater,
    greater_equal,
    hypot,
    imag,
    isfinite,
    isinf,
    isnan,
    less,
    less_equal,
    log,
    log1p,
    log2,
    log10,
    logaddexp,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    multiply,
    negative,
    nextafter,
    not_equal,
    positive,
    pow,
    real,
    reciprocal,
    remainder,
    round,
    sign,
    signbit,
    sin,
    sinh,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    trunc,
    where,
)
from ._search import (
    argsort,
    nonzero,
    searchsorted,
    sort,
    unique_all,
    unique_counts,
    unique_inverse,
    unique_values,
)
from ._shapes import (
    broadcast_arrays,
    broadcast_to,
    concat,
    expand_dims,
    flip,
    moveaxis,
    permute_dims,
    repeat,
    reshape,
    roll,
    squeeze,
    stack,
    take,
    take_along_axis,
    tile,
    unstack,
)
from ._sums import (
    all,
    any,
    argmax,
    argmin,
    count_nonzero,
    cumulative_prod,
    cumulative_sum,
    diff,
    max,
    mean,
    min,
    prod,
    std,
    sum,
    var,
)
from .linalg import matmul, matrix_transpose, tensordot, vecdot

__array_api_version__ = _SUPPORTED[-1]

e = 2.718281828459045
inf = float("inf")
nan = float("nan")
newaxis = None
pi = 3.141592653589793

# The public names: all but the submodules.
__all__ = sorted(name for name in globals() if not name.startswith("_") and name not in ("annotations",)) + [
    "__array_api_version__",
    "__array_namespace_info__",
]


def __getattr__(name: str) -> object:
    if name == "fft":
        raise AttributeError("Fourier transforms have no sparse form; use `numpy.fft` with `a.to_numpy()`")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
