"""Reductions of a tensor over axes, as methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _reduce
from ._protocols import Protocols


class Reductions(Protocols):
    """The reductions that NumPy's arrays have.

    Each takes the axes to reduce: one, several, or all for `None`. The result is a number if no axis stays, and a tensor otherwise. With `keepdims`, reduced
    axes stay with the extent 1. `out` exists because NumPy passes it; it must be `None`.
    """

    __slots__ = ()

    def sum(self, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """Sums over axes, in the type that `numpy.sum` has.

        Parameters
        ----------
        axis
            The axes to reduce: one, several, or all for `None`.
        dtype
            The type of the result. The default is NumPy's.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.sum(), a.sum(axis=1).to_numpy()
        (np.float64(6.0), array([1., 5.]))
        """
        return _reduce.total(self, axis, dtype, out, keepdims)

    def prod(self, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """Multiplies over axes, in the type that `numpy.prod` has.

        Parameters
        ----------
        axis
            The axes to reduce: one, several, or all for `None`.
        dtype
            The type of the result. The default is NumPy's.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> (a + 1).prod(axis=0).to_numpy()
        array([3., 1., 8.])
        """
        return _reduce.reduce(self, np.multiply, axis, dtype, out, keepdims)

    def min(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """Returns the least elements over axes.

        Parameters
        ----------
        axis
            The axes to reduce: one, several, or all for `None`.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.min(), a.min(axis=0).to_numpy()
        (np.float64(0.0), array([0., 0., 1.]))
        """
        return _reduce.reduce(self, np.minimum, axis, None, out, keepdims)

    def max(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """Returns the greatest elements over axes.

        Parameters
        ----------
        axis
            The axes to reduce: one, several, or all for `None`.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.max(), a.max(axis=0).to_numpy()
        (np.float64(3.0), array([2., 0., 3.]))
        """
        return _reduce.reduce(self, np.maximum, axis, None, out, keepdims)

    def any(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """Tests whether any element over axes is true.

        Parameters
        ----------
        axis
            The axes to reduce: one, several, or all for `None`.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.any(axis=0).to_numpy()
        array([ True, False,  True])
        """
        return _reduce.reduce(self, np.logical_or, axis, None, out, keepdims)

    def all(self, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """Tests whether all elements over axes are true.

        Parameters
        ----------
        axis
            The axes to reduce: one, several, or all for `None`.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.all(axis=0).to_numpy()
        array([False, False,  True])
        """
        return _reduce.reduce(self, np.logical_and, axis, None, out, keepdims)

    def mean(self, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False) -> Any:
        """Averages over axes.

        Parameters
        ----------
        axis
            The axes to reduce: one, several, or all for `None`.
        dtype
            The type of the result. The default is NumPy's.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.mean(), a.mean(axis=0).to_numpy()
        (np.float64(1.0), array([1., 0., 2.]))
        """
        return _reduce.mean(self, axis, dtype, out, keepdims)

    def var(self, axis: Any = None, dtype: Any = None, out: None = None, ddof: float = 0, keepdims: bool = False) -> Any:
        """Returns the variances over axes, with the divisor `n - ddof`.

        Parameters
        ----------
        axis
            The axes to reduce: one, several, or all for `None`.
        dtype
            The type of the result. The default is NumPy's.
        ddof
            The number that the divisor is less than the number of elements.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.var(axis=0).to_numpy()
        array([1., 0., 1.])
        """
        return _reduce.var(self, axis, dtype, out, ddof, keepdims)

    def std(self, axis: Any = None, dtype: Any = None, out: None = None, ddof: float = 0, keepdims: bool = False) -> Any:
        """Returns the standard deviations over axes, with the divisor `n - ddof`.

        Parameters
        ----------
        axis
            The axes to reduce: one, several, or all for `None`.
        dtype
            The type of the result. The default is NumPy's.
        ddof
            The number that the divisor is less than the number of elements.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.std(axis=0).to_numpy()
        array([1., 0., 1.])
        """
        return np.sqrt(self.var(axis, dtype, out, ddof, keepdims))

    def argmin(self, axis: int | None = None, out: None = None, *, keepdims: bool = False) -> Any:
        """Returns the position of the first least element along an axis, or of all elements in row-major order.

        Parameters
        ----------
        axis
            The axis along which positions count. `None` counts all elements in row-major order.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.argmin(), a.argmin(axis=1).to_numpy()
        (np.int64(0), array([0, 1]))
        """
        return _reduce.arg(self, np.minimum, axis, out, keepdims)

    def argmax(self, axis: int | None = None, out: None = None, *, keepdims: bool = False) -> Any:
        """Returns the position of the first greatest element along an axis, or of all elements in row-major order.

        Parameters
        ----------
        axis
            The axis along which positions count. `None` counts all elements in row-major order.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.argmax(), a.argmax(axis=1).to_numpy()
        (np.int64(5), array([2, 2]))
        """
        return _reduce.arg(self, np.maximum, axis, out, keepdims)

    def count_nonzero(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """Counts the elements over axes that are not 0.

        Parameters
        ----------
        axis
            The axes to reduce: one, several, or all for `None`.
        keepdims
            If True, reduced axes stay with the extent 1.

        Examples
        --------
        >>> from crd2idx import Sparse
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.count_nonzero(), a.count_nonzero(axis=1).to_numpy()
        (np.int64(3), array([1, 2]))
        """
        return (self != 0).sum(axis, keepdims=keepdims)
