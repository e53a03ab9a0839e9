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
    given = _operands(operands)
    dtype = np.result_type(*(operand.dtype for operand in given))
    if dtype.kind not in "biufc" or dtype.itemsize > 16 or dtype == np.longdouble:
        raise TypeError(f"a contraction cannot compute with the type {dtype}")
    if dtype.kind == "c":
        return _complex(subscripts, given, format, semiring, dtype)
    result = dtype if dtype.kind in "fb" else np.add.reduce(np.zeros(1, dtype)).dtype
    if semiring != "sum-product":
        return _ordered(subscripts, given, format, semiring, result)
    kernel = _kernel_type(result)
    packed = [_packed(operand, _cast(_elements(operand), kernel)) for operand in given]
    for operand in given:
        _check_fill(operand, 0, semiring)
    pattern, values, shape = _native.contract(subscripts, packed, format, semiring)
    return _made(pattern, values.view(kernel).astype(result, copy=False), shape, 0)


def _ordered(subscripts: str, operands: list[Any], format: str | None, semiring: str, result: np.dtype) -> Any:
    """Computes in an arithmetic that compares numbers. Its kernels have floating-point numbers, which are exact for integers up to 2^53."""
    whole, least = result.kind in "iu", semiring == "min-plus"
    if least and result.kind == "b":
        raise TypeError("`min-plus` adds numbers, and bools are none; convert the operands to int64")
    # For integers, the greatest of 64 bits stands for infinity.
    far_away = np.iinfo(np.int64).max
    packed, reach = [], 1 - least
    for operand in operands:
        values = _elements(operand)
        far = values == far_away if least and whole else np.zeros(0, bool)
        _check_fill(operand, (far_away if whole else np.inf) if least else 0, semiring)
        floats = (values != 0).astype(np.float64) if semiring == "or-and" else values.astype(np.float64)
        if far.any():
            floats[far] = np.inf
        most = int(np.abs(floats[np.isfinite(floats)]).max(initial=0)) if whole else 0
        reach = reach + most if least else reach * most
        packed.append(_packed(operand, floats))
    if whole and reach > 1 << 53:
        raise OverflowError(f"`{semiring}` computes with integers up to 2^53, but the results may reach {reach}; convert the operands to float64")
    # Of zeros and ones, the greatest product is 1 where one product has no factor 0.
    pattern, values, shape = _native.contract(subscripts, packed, format, "max-times" if semiring == "or-and" else semiring)
    infinite = np.isinf(values) if whole else np.zeros(0, bool)
    made = (np.where(infinite, 0, values) if infinite.any() else values).astype(result)
    if infinite.any():
        made[infinite] = far_away
    fill: Any = 0 if not least else far_away if whole else np.inf
    return _made(pattern, made, shape, fill)


def _made(pattern: _native.Pattern | None, values: np.ndarray, shape: Any, fill: Any) -> Any:
    """Returns a tensor, a dense array, or a number if there are no axes."""
    from .sparse import Sparse

    return Sparse._of(pattern, values, fill) if pattern is not None else values.reshape(shape)[()]


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


def _elements(operand: Any) -> np.ndarray:
    """Returns the stored values of a tensor, or all elements of a dense array."""
    from .sparse import Sparse

    return operand._values if isinstance(operand, Sparse) else np.ascontiguousarray(operand).reshape(-1)


def _packed(operand: Any, values: np.ndarray) -> tuple[_native.Pattern | None, np.ndarray, tuple[int, ...]]:
    from .sparse import Sparse

    return operand._pattern if isinstance(operand, Sparse) else None, values, operand.shape


def _check_fill(operand: Any, zero: Any, semiring: str) -> None:
    from .sparse import Sparse

    if isinstance(operand, Sparse) and operand._fill != zero:
        raise ValueError(f"elements that are not stored are {operand._fill}, but they must be {zero} for `{semiring}`")


def _complex(subscripts: str, operands: list[Any], format: str | None, semiring: str, dtype: np.dtype) -> Any:
    """Computes with the real and the imaginary part of the first complex operand apart."""
    if semiring != "sum-product":
        raise TypeError(f"`{semiring}` needs an order of the numbers, which complex numbers lack")
    for k, operand in enumerate(operands):
        if operand.dtype.kind == "c":
            real, imag = (einsum(subscripts, *operands[:k], part, *operands[k + 1 :], format=format) for part in (operand.real, operand.imag))
            return (real + 1j * imag).astype(dtype)
    raise AssertionError("no operand is complex")
