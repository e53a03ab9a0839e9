"""Sparse tensors of any rank and format, over NumPy arrays."""

from __future__ import annotations

from operator import index
from typing import Any, Sequence

import numpy as np

from . import _native


def _native_order(array: Any) -> np.ndarray:
    """Returns the array in contiguous memory and native byte order. Copies it only if needed."""
    array = np.asarray(array)
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _indices(array: Any) -> np.ndarray:
    """Returns an array of integers as contiguous indices. Raises TypeError for other types."""
    array = _native_order(array)
    if array.dtype.kind not in "iu":
        if array.size:
            raise TypeError(f"indices have the type {array.dtype}, but must be integers")
        array = array.astype(np.uint8)
    return array


def _signed(array: np.ndarray) -> np.ndarray:
    """Views indices as signed numbers, as SciPy needs them. Copies 8-bit and 16-bit indices to 32 bits."""
    return array.view(f"i{array.itemsize}") if array.itemsize >= 4 else array.astype(np.int32)


class Sparse:
    """A sparse tensor: a format, a shape, the arrays of its levels, and values.

    `pointers[k]` and `indices[k]` are the arrays of level `k`, or `None` if the level has none. The constructor copies an array only if it is not
    contiguous or not in native byte order. Every call checks the arrays. No other thread may write to them during a call.

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
        self.shape = tuple(index(extent) for extent in shape)
        self.format, _ = _native.format_of(format, len(self.shape))
        self.pointers = [None if array is None else _indices(array) for array in pointers]
        self.indices = [None if array is None else _indices(array) for array in indices]
        self.values = _native_order(values)
        if self.values.ndim != 1:
            raise ValueError(f"values have {self.values.ndim} dimensions, but one is needed")

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
        """Builds a tensor with `values[k]` at the coordinate `coordinates[0][k], coordinates[1][k], ...`. The order does not matter.

        By default, values at the same coordinate are added; a multigraph keeps them. `duplicates` may be `"sum"`, `"refuse"`, `"first"`, `"last"` or, for a
        multigraph, `"keep"`. Index arrays have `index_bits` bits, by default as few of 8, 16, 32 and 64 as possible.
        """
        columns = [_indices(column) for column in coordinates]
        kept = "keep" if duplicates == "sum" and _native.format_of(format, len(shape))[1] else duplicates
        try:
            return cls(**_native.build(format, shape, columns, _native_order(values), kept, index_bits))
        except ValueError:
            for axis, column in enumerate(map(np.asarray, coordinates)):
                if column.dtype.kind == "i" and column.size and column.min() < 0:
                    raise ValueError(f"coordinate {column.min()} along axis {axis} is negative") from None
            raise

    def to(self, format: str, *, duplicates: str = "sum", index_bits: int | None = None) -> Sparse:
        """Converts the tensor to another format: a name such as `"CSF"`, or levels and an axis order such as `"DC-S-S-R"`.

        `duplicates` and `index_bits` are as for `from_coo`.
        """
        kept = "keep" if duplicates == "sum" and _native.format_of(format, len(self.shape))[1] else duplicates
        return Sparse(**_native.convert(self, format, kept, index_bits))

    @property
    def dtype(self) -> np.dtype:
        """The type of the values."""
        return self.values.dtype

    @property
    def stored(self) -> int:
        """The number of stored values."""
        return len(self.values)

    @property
    def nbytes(self) -> int:
        """The number of bytes of all arrays."""
        arrays = [*self.pointers, *self.indices, self.values]
        return sum(array.nbytes for array in arrays if array is not None)

    def coordinates(self) -> list[np.ndarray]:
        """Returns the coordinates of all stored values, one array for each axis, in storage order."""
        return _native.coordinates(self)

    def to_numpy(self) -> np.ndarray:
        """Converts to a dense array. Values at the same coordinate are added."""
        out = np.zeros(self.shape, self.values.dtype)
        np.add.at(out, tuple(column.astype(np.intp, copy=False) for column in self.coordinates()), self.values)
        return out

    @classmethod
    def from_numpy(cls, array: Any, format: str = "CSR", *, index_bits: int | None = None) -> Sparse:
        """Builds a tensor from the elements of a dense array that are not 0."""
        array = np.asarray(array)
        coordinates = np.nonzero(array)
        return cls.from_coo(coordinates, array[coordinates], array.shape, format, duplicates="refuse", index_bits=index_bits)

    def __matmul__(self, other: Any) -> np.ndarray:
        """Multiplies the matrix by a dense vector or matrix, which is converted to the type of the values."""
        dense = np.ascontiguousarray(other, dtype=self.values.dtype)
        return _native.multiply(self, dense)

    @classmethod
    def from_scipy(cls, matrix: Any) -> Sparse:
        """Converts a matrix or an array of `scipy.sparse`. CSR, CSC and COO share their memory; all others are converted by way of COO.

        If elements may be unsorted or repeat, the format says so, as `C-S-R+multigraph+unsorted(1)` does. For CSR and CSC, SciPy knows whether they do; for
        COO they always may.
        """
        name = matrix.format
        if name in ("csr", "csc") and matrix.ndim == 2:
            promise = "" if matrix.has_canonical_format else "+multigraph" if matrix.has_sorted_indices else "+multigraph+unsorted(1)"
            return cls(f"C-S-{name[-1].upper()}{promise}", matrix.shape, [matrix.indptr, None], [None, matrix.indices], matrix.data)
        coo = matrix if name == "coo" else matrix.tocoo()
        return cls._of_list(coo.coords, coo.data, coo.shape, "+multigraph+unsorted(0)")

    @classmethod
    def _of_list(cls, coords: Sequence[Any], values: Any, shape: Sequence[int], promise: str) -> Sparse:
        """Returns a tensor over arrays of coordinates, one for each axis. `promise` is the end of the format's name."""
        levels = "-".join("S" for _ in shape)
        return cls(f"{levels}-R{promise}", shape, [None] * len(shape), list(coords), values)

    def to_scipy(self) -> Any:
        """Converts to a `csr_array` or `csc_array` if the levels are C-S, and to a `coo_array` otherwise.

        Shares the values, and index arrays of 32 and 64 bits.
        """
        import scipy.sparse

        compressed = self._compressed()
        if compressed is not None:
            name, pointers, indices = compressed
            if pointers.dtype != indices.dtype:
                pointers, indices = pointers.astype(np.int64), indices.astype(np.int64)
            made = scipy.sparse.csr_array if name == "CSR" else scipy.sparse.csc_array
            return made((self.values, indices, pointers), shape=self.shape, copy=False)
        return scipy.sparse.coo_array((self.values, tuple(map(_signed, self._coordinates()))), shape=self.shape)

    def _compressed(self) -> tuple[str, np.ndarray, np.ndarray] | None:
        """Returns `CSR` or `CSC` with signed pointers and indices if these are the levels, whatever the format promises about them, and None otherwise."""
        levels = self.format.split("+")[0]
        name = {"C-S-R": "CSR", "C-S-C": "CSC"}.get(levels, levels)
        if name not in ("CSR", "CSC"):
            return None
        pointers, indices = self.pointers[0], self.indices[1]
        return None if pointers is None or indices is None else (name, _signed(pointers), _signed(indices))

    def _coordinates(self) -> list[np.ndarray]:
        """Returns the coordinates, as the arrays of the tensor if these are a list of coordinates in the order of the axes."""
        if self.format.split("+")[0] in ("COO", "COOR", "-".join("S" for _ in self.shape) + "-R"):
            return [array for array in self.indices if array is not None]
        return self.coordinates()

    @classmethod
    def from_sparse(cls, array: Any) -> Sparse:
        """Converts an array of the package `sparse`. COO, and GCXS of two axes, share their memory; GCXS of more axes is converted by way of COO.

        Raises ValueError if the fill value is not 0.
        """
        if array.fill_value != 0:
            raise ValueError(f"the fill value is {array.fill_value}, but only arrays with the fill value 0 can be converted")
        if hasattr(array, "indptr") and array.ndim == 2:
            name = "CSR" if tuple(array.compressed_axes) == (0,) else "CSC"
            return cls(name, array.shape, [array.indptr, None], [None, array.indices], array.data)
        coo = array.tocoo() if hasattr(array, "indptr") else array
        return cls._of_list(coo.coords, coo.data, coo.shape, "")

    def to_sparse(self) -> Any:
        """Converts CSR and CSC to `sparse.GCXS`, and other formats to `sparse.COO`.

        Shares the values, and for `sparse.GCXS` index arrays of 32 and 64 bits.
        """
        import sparse

        compressed = self._compressed()
        if compressed is not None and self.format in ("CSR", "CSC"):
            name, pointers, indices = compressed
            return sparse.GCXS((self.values, indices, pointers), shape=self.shape, compressed_axes=(0,) if name == "CSR" else (1,))
        return sparse.COO(np.stack([_signed(column) for column in self._coordinates()]), self.values, shape=self.shape)

    @classmethod
    def read(cls, path: Any, *, kind: str | None = None, group: str | None = None, base: int | None = None) -> Sparse:
        """Reads a tensor from a file, in the format that the file has.

        The content decides the kind of the file unless `kind` is given:

        * Matrix Market and FROSTT text, also compressed (`.gz`, `.bz2`, `.zst`, `.xz`); `base` is the first coordinate of FROSTT axes, by default 1,
        * NumPy arrays, and the archives of SciPy and PyData sparse,
        * Binsparse in archives, HDF5 and Zarr, AnnData in HDF5 and Zarr, 10x Genomics in HDF5; `group` is the path inside the file,
        * tables of coordinates in Arrow and Parquet.

        If the file has one value for all elements, it is repeated; if it has no values, each is `True`.
        """
        parts, _ = _native.read(path, kind, group, base)
        return cls(**parts)

    def write(self, path: Any, *, kind: str | None = None, compressed: bool = False, group: str | None = None, force: bool = False) -> None:
        """Writes the tensor to a file, and replaces the file as a whole.

        The ending of the name decides the kind unless `kind` is given: `mtx`, `tns`, `npy`, `npz`, `scipy`, `pydata`, `hdf5`, `zarr`, `arrow` or `parquet`.
        With `group`, an existing file of HDF5 or Zarr keeps its other groups. Raises ValueError if the file or the group contains anything but a tensor,
        unless `force` is True.
        """
        _native.write(path, self, kind, compressed, group, force)

    def __repr__(self) -> str:
        return f"Sparse({self.format}, shape={self.shape}, stored={self.stored}, dtype={self.values.dtype})"
