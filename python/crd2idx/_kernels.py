"""Products of sparse tensors that have names of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arrange import axis_of
from ._einsum import einsum
from ._products import matmul

LETTERS = "abcdefghijklmnopqrstuvwxy"


def mttkrp(a: Any, factors: Sequence[Any], mode: int) -> Any:
    """Multiplies a tensor by all factor matrices but one (matricized tensor times Khatri-Rao product).

    `out[i, r]` is the sum of `a[.., i, ..]` times `factors[k][i_k, r]` for each other axis `k`, where `i` is the coordinate on axis `mode`.

    Parameters
    ----------
    a
        A tensor with at least two axes.
    factors
        A matrix for each axis, with as many rows as the axis. The one of `mode` is not read, and may be None.
    mode
        The axis that stays.

    Examples
    --------
    >>> import numpy as np
    >>> from crd2idx import Sparse, mttkrp
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2], [1, 1, 0]], [1.0, 2.0, 3.0], shape=(2, 3, 2))
    >>> mttkrp(a, [None, np.ones((3, 2)), np.ones((2, 2))], 0)
    array([[1., 1.],
           [5., 5.]])
    """
    axes, axis = _axes(a, mode)
    if len(axes) < 2 or len(factors) != len(axes):
        raise ValueError(f"`mttkrp` needs a tensor with at least 2 axes and a factor for each; found {len(axes)} axes and {len(factors)} factors")
    others = [k for k in range(len(axes)) if k != axis]
    terms = ",".join([axes, *(axes[k] + "z" for k in others)])
    return einsum(f"{terms}->{axes[axis]}z", a, *(factors[k] for k in others), format="dense")


def ttm(a: Any, matrix: Any, mode: int) -> Any:
    """Multiplies axis `mode` of a tensor by a matrix: `out[.., j, ..]` is the sum of `a[.., i, ..] * matrix[j, i]` over `i`.

    Examples
    --------
    >>> import numpy as np
    >>> from crd2idx import Sparse, ttm
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
    >>> ttm(a, np.ones((1, 2)), 0).to_numpy()
    array([[2., 0., 4.]])
    """
    axes, axis = _axes(a, mode)
    made = axes.replace(axes[axis], "z")
    return einsum(f"{axes},z{axes[axis]}->{made}", a, matrix, format=_sparse_format(a))


def ttv(a: Any, vector: Any, mode: int) -> Any:
    """Multiplies axis `mode` of a tensor by a vector: sums `a[.., i, ..] * vector[i]` over `i`, and leaves the other axes.

    Examples
    --------
    >>> import numpy as np
    >>> from crd2idx import Sparse, ttv
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
    >>> ttv(a, np.array([1.0, 10.0, 100.0]), 1)
    array([100., 302.])
    """
    axes, axis = _axes(a, mode)
    return einsum(f"{axes},{axes[axis]}->{axes.replace(axes[axis], '')}", a, vector)


def sddmm(a: Any, left: Any, right: Any) -> Any:
    """Multiplies each stored element of a matrix by a dot product: `out[i, j] = a[i, j] * sum(left[i, k] * right[j, k])`.

    Examples
    --------
    >>> import numpy as np
    >>> from crd2idx import Sparse, sddmm
    >>> a = Sparse.from_coo([[0, 1], [2, 0]], [1.0, 2.0], shape=(2, 3))
    >>> sddmm(a, np.ones((2, 4)), np.ones((3, 4))).to_numpy()
    array([[0., 0., 4.],
           [8., 0., 0.]])
    """
    return einsum("ij,ik,jk->ij", a, left, right, format=_sparse_format(a))


def spgemm(a: Any, b: Any, format: str | None = None, *, sorted: bool = True) -> Any:
    """Multiplies two sparse matrices, as `a @ b` does, with the product in any format.

    With `sorted=False` the columns of a row are in the order of their first products, and the format says so: `C-S-R+unsorted(1)`. This takes less time.
    Operations that need sorted rows sort them.

    Examples
    --------
    >>> from crd2idx import Sparse, spgemm
    >>> a = Sparse.from_coo([[0, 1], [1, 0]], [1.0, 2.0], shape=(2, 2))
    >>> spgemm(a, a, format="CSC").format, spgemm(a, a, sorted=False).format
    ('CSC', 'C-S-R+unsorted(1)')
    """
    for operand in (a, b):
        if np.ndim(operand) != 2:
            raise ValueError(f"`spgemm` multiplies two matrices, but an operand has the shape {np.shape(operand)}; `a @ b` multiplies stacks of matrices")
    made = matmul(a, b, sorted)
    return made if format is None else made.to(format)


def _axes(a: Any, mode: int) -> tuple[str, int]:
    """Returns a letter for each axis, and the number of axis `mode`, which counts from the end if it is negative."""
    if a.ndim > len(LETTERS):
        raise ValueError(f"the tensor has {a.ndim} axes, but these products take at most {len(LETTERS)}")
    return LETTERS[: a.ndim], axis_of(mode, a.ndim)


def _sparse_format(a: Any) -> str | None:
    return getattr(a, "format", None)
