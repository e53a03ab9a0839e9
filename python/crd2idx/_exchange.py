"""Conversions from and to SciPy's arrays and the package `sparse`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from . import _elementwise

if TYPE_CHECKING:
    from .sparse import Sparse

# The formats of `scipy.sparse`, each with the format here that has the same arrays, if there is one.
_SCIPY = {"bsr": None, "coo": None, "csc": "CSC", "csr": "CSR", "dia": None, "dok": None, "lil": None}


def _signed(array: np.ndarray) -> np.ndarray:
    """Views indices as signed numbers, as SciPy needs them. Copies 8-bit and 16-bit indices to 32 bits."""
    return array.view(f"i{array.itemsize}") if array.itemsize >= 4 else array.astype(np.int32)


def _of_list(coords: Sequence[Any], values: Any, shape: Sequence[int], promise: str, fill: Any = 0) -> Sparse:
    """Returns a tensor over arrays of coordinates, one for each axis. `promise` is the end of the format's name."""
    from .sparse import Sparse

    levels = "-".join("S" for _ in shape)
    return Sparse(f"{levels}-R{promise}", shape, [None] * len(shape), list(coords), values, fill_value=fill)


def _columns(a: Sparse) -> list[np.ndarray]:
    """Returns the coordinates, as the arrays of the tensor if these are a list of coordinates in the order of the axes."""
    if a._pattern.levels.split("+")[0] == "-".join("S" for _ in a.shape) + "-R":
        return [array for array in a.indices if array is not None]
    return a.coordinates()


def _compressed(a: Sparse) -> tuple[str, np.ndarray, np.ndarray] | None:
    """Returns `CSR` or `CSC` with signed pointers and indices if these are the levels, whatever the format promises about them, and None otherwise."""
    name = {"C-S-R": "CSR", "C-S-C": "CSC"}.get(a._pattern.levels.split("+")[0])
    if name is None:
        return None
    pointers, indices = a.pointers[0], a.indices[1]
    return None if pointers is None or indices is None else (name, _signed(pointers), _signed(indices))


def from_scipy(matrix: Any) -> Sparse:
    """Converts a matrix or an array of `scipy.sparse`."""
    from .sparse import Sparse

    name = matrix.format
    if name in ("csr", "csc") and matrix.ndim == 2:
        promise = "" if matrix.has_canonical_format else "+multigraph" if matrix.has_sorted_indices else "+multigraph+unsorted(1)"
        return Sparse(f"C-S-{name[-1].upper()}{promise}", matrix.shape, [matrix.indptr, None], [None, matrix.indices], matrix.data)
    coo = matrix if name == "coo" else matrix.tocoo()
    return _of_list(coo.coords, coo.data, coo.shape, "+multigraph+unsorted(0)")


def to_scipy(a: Sparse, format: str | None, blocksize: tuple[int, int] | None) -> Any:
    """Converts to an array of `scipy.sparse`."""
    import scipy.sparse

    if _elementwise.differs(a._fill, 0):
        raise ValueError(f"the fill value is {a._fill}, but matrices of SciPy have 0")
    if format not in (None, *_SCIPY):
        raise ValueError(f"format {format!r} is not one of SciPy's: {', '.join(_SCIPY)}")
    if blocksize is not None and format != "bsr":
        raise ValueError("only the format 'bsr' has blocks")
    if format == "bsr":
        return to_scipy(a, "csr", None).tobsr(blocksize)
    native = _SCIPY[format] if format is not None else None
    if native is not None and a.ndim == 2 and (_compressed(a) or [None])[0] != native:
        a = a.to(native, index_bits=64 if max(a.stored, *a.shape) >= 1 << 31 else 32)
    compressed = _compressed(a)
    if compressed is not None and format != "coo":
        name, pointers, indices = compressed
        if pointers.dtype != indices.dtype:
            pointers, indices = pointers.astype(np.int64), indices.astype(np.int64)
        made = scipy.sparse.csr_array if name == "CSR" else scipy.sparse.csc_array
        matrix = made((a._values, indices, pointers), shape=a.shape, copy=False)
    else:
        matrix = scipy.sparse.coo_array((a._values, tuple(map(_signed, _columns(a)))), shape=a.shape)
    return matrix if format is None else matrix.asformat(format)


def from_sparse(array: Any) -> Sparse:
    """Converts an array of the package `sparse`."""
    from .sparse import Sparse

    if hasattr(array, "indptr") and array.ndim == 2:
        name = "CSR" if tuple(array.compressed_axes) == (0,) else "CSC"
        return Sparse(name, array.shape, [array.indptr, None], [None, array.indices], array.data, fill_value=array.fill_value)
    coo = array if hasattr(array, "coords") else array.tocoo() if hasattr(array, "tocoo") else array.to_coo()
    return _of_list(coo.coords, coo.data, coo.shape, "", array.fill_value)


def to_sparse(a: Sparse) -> Any:
    """Converts to an array of the package `sparse`."""
    import sparse

    compressed = _compressed(a)
    if compressed is not None and a._pattern.sorted:
        name, pointers, indices = compressed
        axes = (0,) if name == "CSR" else (1,)
        return sparse.GCXS((a._values, indices, pointers), shape=a.shape, compressed_axes=axes, fill_value=a._fill)
    columns = np.stack([_signed(column) for column in _columns(a)])
    return sparse.COO(columns, a._values, shape=a.shape, fill_value=a._fill)
