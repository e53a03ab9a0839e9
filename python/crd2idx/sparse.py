"""Sparse tensors of any rank in any format, over arrays of NumPy."""

from __future__ import annotations

from operator import index
from typing import Any, Sequence

import numpy as np

from . import _native



def _native_order(array: Any) -> np.ndarray:
    """An array in one piece and in the order of bytes of this machine, copied where it is not."""
    array = np.asarray(array)
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _indices(array: Any) -> np.ndarray:
    """An index array, of integers in one piece."""
    array = _native_order(array)
    if array.dtype.kind not in "iu":
        if array.size:
            raise TypeError(f"indices are integers, not {array.dtype}")
        array = array.astype(np.uint8)
    return array


def _signed(array: np.ndarray) -> np.ndarray:
    """The same memory as signed numbers, as SciPy has them; bytes and pairs of bytes become wider."""
    return array.view(f"i{array.itemsize}") if array.itemsize >= 4 else array.astype(np.int32)


class Sparse:
    """A sparse tensor: a format, a shape, the arrays of its levels, and values.

    The arrays are those of NumPy and may be shared with others: nothing is copied that fits. `pointers[k]` and `indices[k]` are those of level `k`, `None`
    where it has none. Arrays are checked whenever a tensor is used; no thread may write to them meanwhile.

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
        """The same tensor in another format: a name such as `"CSF"`, or levels such as `"DC-S-S"` with axes in any order."""
        kept = "keep" if duplicates == "sum" and _native.format_of(format, len(self.shape))[1] else duplicates
        return Sparse(**_native.convert(self, format, kept, index_bits))

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
        return _native.coordinates(self)

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
        return _native.multiply(self, dense)

    @classmethod
    def from_scipy(cls, matrix: Any) -> Sparse:
        """A matrix or an array of `scipy.sparse`: CSR, CSC and COO share their memory with it, as they are; all others come by way of COO.

        Where elements are out of order or repeat, which SciPy is asked for CSR and CSC and which COO may always be, the format says so: `C-S-R+multigraph+unsorted(1)`.
        """
        name = matrix.format
        if name in ("csr", "csc") and matrix.ndim == 2:
            promise = "" if matrix.has_canonical_format else "+multigraph" if matrix.has_sorted_indices else "+multigraph+unsorted(1)"
            return cls(f"C-S-{name[-1].upper()}{promise}", matrix.shape, [matrix.indptr, None], [None, matrix.indices], matrix.data)
        coo = matrix if name == "coo" else matrix.tocoo()
        return cls._of_list(coo.coords, coo.data, coo.shape, "+multigraph+unsorted(0)")

    @classmethod
    def _of_list(cls, coords: Sequence[Any], values: Any, shape: Sequence[int], promise: str) -> Sparse:
        """The tensor of coordinates where they lie, an array for each axis."""
        levels = "-".join("S" for _ in shape)
        return cls(f"{levels}-R{promise}", shape, [None] * len(shape), list(coords), values)

    def to_scipy(self) -> Any:
        """The matrix as `csr_array` or `csc_array` where it has those levels, as `coo_array` otherwise; values, and index arrays of 32 and 64 bits, are shared."""
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
        """`CSR` or `CSC`, with signed pointers and indices, where the levels are those, whatever they promise."""
        levels = self.format.split("+")[0]
        name = {"C-S-R": "CSR", "C-S-C": "CSC"}.get(levels, levels)
        if name not in ("CSR", "CSC"):
            return None
        pointers, indices = self.pointers[0], self.indices[1]
        return None if pointers is None or indices is None else (name, _signed(pointers), _signed(indices))

    def _coordinates(self) -> list[np.ndarray]:
        """The coordinates; where the levels are a list of them in the order of the axes, its arrays."""
        if self.format.split("+")[0] in ("COO", "COOR", "-".join("S" for _ in self.shape) + "-R"):
            return [array for array in self.indices if array is not None]
        return self.coordinates()

    @classmethod
    def from_sparse(cls, array: Any) -> Sparse:
        """An array of the package `sparse`: COO, and GCXS of two axes, share their memory with it; GCXS of more axes come by way of COO."""
        if array.fill_value != 0:
            raise ValueError(f"a fill value of {array.fill_value}: only 0 has no value stored")
        if hasattr(array, "indptr") and array.ndim == 2:
            name = "CSR" if tuple(array.compressed_axes) == (0,) else "CSC"
            return cls(name, array.shape, [array.indptr, None], [None, array.indices], array.data)
        coo = array.tocoo() if hasattr(array, "indptr") else array
        return cls._of_list(coo.coords, coo.data, coo.shape, "")

    def to_sparse(self) -> Any:
        """The array as `sparse.GCXS` over the same memory where it is CSR or CSC with index arrays of 32 or 64 bits, and as `sparse.COO` with the same values otherwise."""
        import sparse

        compressed = self._compressed()
        if compressed is not None and self.format in ("CSR", "CSC"):
            name, pointers, indices = compressed
            return sparse.GCXS((self.values, indices, pointers), shape=self.shape, compressed_axes=(0,) if name == "CSR" else (1,))
        return sparse.COO(np.stack([_signed(column) for column in self._coordinates()]), self.values, shape=self.shape)

    @classmethod
    def read(cls, path: Any, *, kind: str | None = None, group: str | None = None, base: int | None = None) -> Sparse:
        """The tensor of a file, in the format in which the file has it.

        Matrix Market and FROSTT text (`.gz`, `.bz2`, `.zst` and `.xz`, too; `base` is the first coordinate of FROSTT's axes, 1 unless it is given), NumPy, SciPy's and
        PyData's archives, Binsparse in archives, HDF5 and Zarr, AnnData in HDF5 and Zarr, 10x Genomics in HDF5 (`group` is the path in these), tables of coordinates in
        Arrow and Parquet; the kind is found by the content unless it is given. One value for all is repeated; without values each is `True`.
        """
        parts, _ = _native.read(path, kind, group, base)
        return cls(**parts)

    def write(self, path: Any, *, kind: str | None = None, compressed: bool = False, group: str | None = None, force: bool = False) -> None:
        """Writes a file of the kind that its ending names, `mtx`, `tns`, `npy`, `npz`, `scipy`, `pydata`, `hdf5`, `zarr`, `arrow` or `parquet`, which is replaced as
        a whole.

        `group` is a group of HDF5 or Zarr, which is added to a file that exists. A file, or a group, that has more than a tensor in it is replaced with `force` alone.
        """
        _native.write(path, self, kind, compressed, group, force)

    def __repr__(self) -> str:
        return f"Sparse({self.format}, shape={self.shape}, stored={self.stored}, dtype={self.values.dtype})"
