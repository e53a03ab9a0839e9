"""Sparse tensors of any rank in any format, over arrays of NumPy."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _native

_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
_SIGNED = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


def _indices(array: Any) -> np.ndarray:
    """An index array as unsigned numbers, without a copy where it is contiguous."""
    array = np.ascontiguousarray(array)
    if array.dtype.kind not in "iu" or array.dtype.byteorder == ">":
        if array.size == 0:
            return array.astype(np.uint8)
        if array.dtype.kind not in "iu":
            raise TypeError(f"indices are integers, not {array.dtype}")
        array = array.astype(array.dtype.newbyteorder("="))
    return array.view(_UNSIGNED[array.itemsize])


def _signed(array: np.ndarray) -> np.ndarray:
    """The same memory as signed numbers, as SciPy has them; bytes and pairs of bytes become wider."""
    if array.itemsize < 4:
        return array.astype(np.int32)
    return array.view(_SIGNED[array.itemsize])


def _bytes(values: np.ndarray) -> np.ndarray:
    """The bytes of values, without a copy."""
    return values.view(np.uint8)


class Sparse:
    """A sparse tensor: a format, a shape, the arrays of its levels, and values.

    The arrays are those of NumPy and may be shared with others: nothing is copied that fits. `pointers[k]` and `indices[k]` are those of level `k`, `None`
    where it has none. Arrays are checked whenever a tensor is used; they may not be written by another thread meanwhile.

    >>> import numpy as np
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], np.array([1.0, 2.0, 3.0]), shape=(2, 3))
    >>> a
    Sparse(CSR, shape=(2, 3), stored=3, dtype=float64)
    >>> a.to("CSC").pointers[0]
    array([0, 1, 1, 3], dtype=uint8)
    >>> a @ np.array([1.0, 1.0, 1.0])
    array([1., 5.])
    """

    __slots__ = ("format", "shape", "pointers", "indices", "values")

    def __init__(
        self,
        format: str,
        shape: Sequence[int],
        pointers: Sequence[Any],
        indices: Sequence[Any],
        values: Any,
    ):
        self.shape = tuple(int(extent) for extent in shape)
        self.format, _ = _native.format_of(format, len(self.shape))
        self.pointers = [None if array is None else np.asarray(array) for array in pointers]
        self.indices = [None if array is None else np.asarray(array) for array in indices]
        values = np.asarray(values)
        self.values = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
        if self.values.ndim != 1:
            raise ValueError(f"values of one dimension are needed, not of {self.values.ndim}")

    @classmethod
    def from_coo(
        cls,
        coordinates: Sequence[Any],
        values: Any,
        shape: Sequence[int],
        format: str = "CSR",
        *,
        duplicates: str = "sum",
        index_bits: int | None = None,
    ) -> Sparse:
        """The tensor with `values[k]` at `coordinates[0][k], coordinates[1][k], ...`, in any order.

        Several values at one coordinate are added; `duplicates` may be `"refuse"`, `"first"`, `"last"` or, in a multigraph, `"keep"` as well. Index arrays
        are as narrow as can be, or have `index_bits`.
        """
        values = np.asarray(values)
        values = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
        columns = [_indices(column) for column in coordinates]
        kept = "keep" if duplicates == "sum" and _native.format_of(format, len(shape))[1] else duplicates
        try:
            return cls(*_native.build(format, list(shape), columns, _bytes(values), str(values.dtype), kept, index_bits))
        except ValueError:
            for axis, column in enumerate(map(np.asarray, coordinates)):
                if column.dtype.kind == "i" and column.size and column.min() < 0:
                    raise ValueError(f"coordinate {column.min()} along axis {axis} is negative") from None
            raise

    def _parts(self) -> tuple[str, list[int], list[Any], list[Any]]:
        def arrays(levels: list[Any]) -> list[Any]:
            return [None if array is None else _indices(array) for array in levels]

        return self.format, list(self.shape), arrays(self.pointers), arrays(self.indices)

    def _values(self) -> tuple[np.ndarray, str]:
        return _bytes(self.values), str(self.values.dtype)

    def to(self, format: str, *, duplicates: str = "sum", index_bits: int | None = None) -> Sparse:
        """The same tensor in another format: a name such as `"CSF"`, or levels such as `"DC-S-S"` with axes in any order."""
        kept = "keep" if duplicates == "sum" and _native.format_of(format, len(self.shape))[1] else duplicates
        return Sparse(*_native.convert(*self._parts(), *self._values(), format, kept, index_bits))

    @property
    def dtype(self) -> np.dtype:
        """The type of the values."""
        return self.values.dtype

    @property
    def stored(self) -> int:
        """Number of stored values."""
        return len(self.values)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        arrays = [*self.pointers, *self.indices, self.values]
        return sum(array.nbytes for array in arrays if array is not None)

    def coordinates(self) -> list[np.ndarray]:
        """The coordinates of all stored values, an array for each axis, in storage order."""
        return _native.coordinates(*self._parts())

    def to_numpy(self) -> np.ndarray:
        """The dense array; values at one coordinate are added."""
        out = np.zeros(self.shape, self.values.dtype)
        np.add.at(out, tuple(column.astype(np.intp, copy=False) for column in self.coordinates()), self.values)
        return out

    @classmethod
    def from_numpy(cls, array: Any, format: str = "CSR", *, index_bits: int | None = None) -> Sparse:
        """The elements of a dense array that are not 0."""
        array = np.asarray(array)
        coordinates = np.nonzero(array)
        return cls.from_coo(coordinates, array[coordinates], array.shape, format, duplicates="refuse", index_bits=index_bits)

    def __matmul__(self, other: Any) -> np.ndarray:
        """The product with a dense vector or matrix."""
        dense = np.ascontiguousarray(other, dtype=self.values.dtype)
        return _native.multiply(*self._parts(), self.values, dense)

    @classmethod
    def from_scipy(cls, matrix: Any) -> Sparse:
        """A matrix of `scipy.sparse`: CSR, CSC and COO share their memory with it, all others come by way of COO."""
        name = matrix.format
        if name in ("csr", "csc"):
            if not matrix.has_canonical_format:
                # Its indices are out of order, or it has several values at one coordinate.
                coo = matrix.tocoo()
                return cls.from_coo([coo.row, coo.col], coo.data, matrix.shape, name.upper())
            return cls(name.upper(), matrix.shape, [matrix.indptr, None], [None, matrix.indices], matrix.data)
        coo = matrix.tocoo()
        return cls.from_coo([coo.row, coo.col], coo.data, matrix.shape, "CSR")

    def to_scipy(self) -> Any:
        """The matrix as `csr_array` or `csc_array` where it is CSR or CSC, as `coo_array` otherwise; index arrays of 32 and 64 bits are shared."""
        import scipy.sparse

        kinds = {"CSR": scipy.sparse.csr_array, "CSC": scipy.sparse.csc_array}
        if self.format in kinds:
            pointers, indices = (_signed(np.asarray(array)) for array in (self.pointers[0], self.indices[1]))
            if pointers.dtype != indices.dtype:
                pointers, indices = pointers.astype(np.int64), indices.astype(np.int64)
            return kinds[self.format]((self.values, indices, pointers), shape=self.shape, copy=False)
        return scipy.sparse.coo_array((self.values, tuple(map(_signed, self.coordinates()))), shape=self.shape)

    @classmethod
    def from_sparse(cls, array: Any) -> Sparse:
        """An array of the package `sparse`, `COO` or `GCXS`."""
        if hasattr(array, "indptr"):
            array = array.tocoo()
        if array.fill_value != 0:
            raise ValueError(f"a fill value of {array.fill_value}: only 0 has no value stored")
        return cls.from_coo(array.coords, array.data, array.shape, "COO")

    def to_sparse(self) -> Any:
        """The array as `sparse.COO`."""
        import sparse

        return sparse.COO(np.stack([_signed(column) for column in self.coordinates()]), self.values, shape=self.shape)

    @classmethod
    def read(cls, path: Any, *, kind: str | None = None, group: str | None = None) -> Sparse:
        """The tensor of a file, in the format in which the file has it.

        Matrix Market and FROSTT text (`.gz` too), NumPy, SciPy's and PyData's archives, Binsparse in archives, HDF5 and Zarr (`group` in these), tables of
        coordinates in Arrow and Parquet; the kind is found by the content unless it is given. One value for all is repeated; without values each is `True`.
        """
        parts, _ = _native.read(path, kind, group)
        return cls(*parts)

    def write(self, path: Any, *, kind: str | None = None, compressed: bool = False) -> None:
        """Writes a file of the kind that its ending names, `mtx`, `tns`, `npy`, `npz`, `scipy`, `pydata`, `hdf5`, `zarr`, `arrow` or `parquet`, which is replaced as
        a whole."""
        _native.write(path, *self._parts(), *self._values(), kind, compressed)

    def __repr__(self) -> str:
        return f"Sparse({self.format}, shape={self.shape}, stored={self.stored}, dtype={self.values.dtype})"
