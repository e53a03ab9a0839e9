"""Contractions of sparse tensors and dense arrays, given by subscripts."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native
from ._products import _kernel_type


def einsum(subscripts: str, *operands: Any, format: str | None = None, semiring: str = "sum-product") -> Any:
    """Computes a contraction: `subscripts` name the axes of each operand and of the result, as for `numpy.einsum`.

    Letters that the result lacks are summed over. Operands are tensors, dense arrays and numbers, any number of them; letters may repeat, `...` stands for
    further axes, and the result may be left out. The order of the operations is the one with the least estimated cost (`explain_einsum` shows it).

    Parameters
    ----------
    subscripts
        Letters of the axes of each operand, after `->` those of the result, as in `"ij,jk->ik"`.
    operands
        Tensors, dense arrays and numbers.
    format
        `"dense"`, or a format of tensors for the result. The default suits the operands.
    semiring
        `"sum-product"`, `"min-plus"` (elements that are not stored are infinite, so tensors need that fill value), `"max-times"` or `"or-and"`.

    Returns
    -------
    Sparse, array or number
        A number if it has no axes. Types are those of products: NumPy's promotion, with wide sums of small integers.

    Examples
    --------
    >>> import numpy as np
    >>> from crd2idx import Sparse, einsum
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2], [1, 1, 0]], [1.0, 2.0, 3.0], shape=(2, 3, 2))
    >>> einsum("ijk,jk->i", a, np.ones((3, 2)))
    array([1., 5.])
    >>> einsum("ijk,ijk->", a, a)
    np.float64(14.0)
    """
    from .sparse import Sparse

    given = _operands(operands)
    dtype = np.result_type(*(operand.dtype for operand in given))
    if dtype.kind not in "biufc" or dtype.itemsize > 16 or dtype == np.longdouble:
        raise TypeError(f"a contraction cannot compute with the type {dtype}")
    if dtype.kind == "c":
        return _complex(subscripts, given, format, semiring, dtype)
    result = dtype if dtype.kind in "fb" else np.add.reduce(np.zeros(1, dtype)).dtype
    kernel = _kernel_type(result)
    if semiring != "sum-product" and kernel == np.uint64:
        kernel = np.dtype(np.int64)
    packed: list[tuple[_native.Pattern | None, np.ndarray, tuple[int, ...]]] = []
    for operand in given:
        if isinstance(operand, Sparse):
            _check_fill(operand, semiring, kernel)
            packed.append((operand._pattern, _cast(operand._values, kernel), operand.shape))
        else:
            packed.append((None, _cast(np.ascontiguousarray(operand).reshape(-1), kernel), operand.shape))
    pattern, values, shape = _native.contract(subscripts, packed, format, semiring)
    values = values.view(kernel).astype(result, copy=False)
    if pattern is None:
        dense = values.reshape(shape)
        return dense if dense.ndim else dense[()]
    fill = 0 if semiring != "min-plus" else np.inf if kernel.kind == "f" else np.iinfo(kernel).max
    return Sparse._of(pattern, values, fill)


def explain_einsum(subscripts: str, *operands: Any) -> str:
    """Describes the steps in which `einsum` computes a contraction: the kernel, and the estimated elements and products of each.

    Parameters
    ----------
    subscripts, operands
        As for `einsum`.

    Examples
    --------
    >>> import numpy as np
    >>> from crd2idx import Sparse, explain_einsum
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
    >>> print(explain_einsum("ij,j->i", a, np.ones(3)).splitlines()[0])
    `ij,j->i` takes 1 step
    """
    from .sparse import Sparse

    packed = [(operand._pattern if isinstance(operand, Sparse) else None, operand.shape) for operand in _operands(operands)]
    return _native.explain_contraction(subscripts, packed)


def _operands(operands: tuple[Any, ...]) -> list[Any]:
    from ._elementwise import _is_scipy
    from .sparse import Sparse

    made = [Sparse.from_scipy(operand) if _is_scipy(operand) else operand for operand in operands]
    return [operand._canonical() if isinstance(operand, Sparse) else np.asarray(operand) for operand in made]


def _cast(values: np.ndarray, kernel: np.dtype) -> np.ndarray:
    """Converts values to the type of a kernel. Unsigned sums have the bits of signed ones."""
    made = values.astype(kernel, copy=False)
    return made.view(np.int64) if kernel == np.uint64 else made


def _check_fill(a: Any, semiring: str, kernel: np.dtype) -> None:
    zero: Any = 0
    if semiring == "min-plus":
        zero = np.inf if kernel.kind == "f" else np.iinfo(kernel).max
    if a._fill != zero:
        raise ValueError(f"elements that are not stored are {a._fill}, but they must be {zero} for `{semiring}`")


def _complex(subscripts: str, operands: list[Any], format: str | None, semiring: str, dtype: np.dtype) -> Any:
    """Computes with the real and the imaginary part of the first complex operand apart."""
    if semiring != "sum-product":
        raise TypeError(f"`{semiring}` needs an order of the numbers, which complex numbers lack")
    for k, operand in enumerate(operands):
        if operand.dtype.kind == "c":
            real, imag = (einsum(subscripts, *operands[:k], part, *operands[k + 1 :], format=format) for part in (operand.real, operand.imag))
            return (real + 1j * imag).astype(dtype)
    raise AssertionError("no operand is complex")
