"""Sparse tensors of any rank and format."""

from __future__ import annotations

import os
from operator import index
from typing import Any, Callable, Iterator, Sequence

import numpy as np

from . import _arrange, _binsparse, _elementwise, _exchange, _functions, _index, _native, _products, _symmetry
from ._progress import reporter
from ._reductions import Reductions


def _native_order(array: Any) -> np.ndarray:
    """Returns the array itself if it is in contiguous memory and native byte order, and a copy otherwise.

    A view would not do: it points to freed memory when its owner is resized by force.
    """
    own = np.asarray(array)
    moves = own is not array and isinstance(array, np.ndarray) and array.flags.owndata
    if own.flags.c_contiguous and own.dtype.isnative and not moves:
        return own
    return np.array(own, dtype=own.dtype.newbyteorder("="), order="C")


def _indices(array: Any) -> np.ndarray:
    """Returns an array of integers as contiguous indices. Raises TypeError for other types."""
    own = _native_order(array)
    if own.dtype.kind not in "iu":
        if own.size:
            raise TypeError(f"indices have the type {own.dtype}, but must be integers")
        own = own.astype(np.uint8)
    return own


def _words(values: np.ndarray) -> np.ndarray:
    """Views values as unsigned integers of their size; complex numbers of 16 bytes stay."""
    return values if values.itemsize == 16 else values.view(f"u{values.itemsize}")


def default_format(rank: int) -> str:
    """Returns the format that new tensors of a rank have: compressed rows for matrices, and a list of coordinates otherwise."""
    return "CSR" if rank == 2 else "COO"


class Sparse(Reductions):
    """A sparse tensor: a format, a shape, the arrays of its levels, values, and the value of all other elements (`fill_value`).

    `pointers[k]` and `indices[k]` are the arrays of level `k`, or `None` if the level has none. The constructor shares the arrays, makes them read-only and
    checks them once, so that no call checks them again. It copies an array only if it is not contiguous or not in native byte order.

    A tensor is used like a NumPy array. Arithmetic, comparisons and NumPy's functions of elements have NumPy's types and results. Operations return tensors,
    scalars where all axes are reduced or indexed, and dense arrays for products with dense arrays.

    >>> import numpy as np
    >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], np.array([1.0, 2.0, 3.0]), shape=(2, 3))
    >>> a
    Sparse(CSR, shape=(2, 3), stored=3, dtype=float64)
    >>> a.to("CSC").pointers[0]
    array([0, 1, 1, 3], dtype=uint8)
    >>> a @ np.array([1.0, 1.0, 1.0])
    array([1., 5.])
    >>> (2 * a + a.T.T)[1].to_numpy()
    array([6., 0., 9.])
    >>> a.sum(axis=0).to_numpy(), a.max()
    (array([2., 0., 4.]), np.float64(3.0))
    """

    __slots__ = ("_pattern", "_values", "_fill", "_symmetric")
    __hash__ = None  # type: ignore[assignment]
    # SciPy and `numpy.matrix` leave products with a tensor to the tensor.
    __array_priority__ = 100.0

    _pattern: _native.Pattern
    _values: np.ndarray
    _fill: Any
    # The symmetry, or None if none is known.
    _symmetric: str | None

    def __init__(
        self,
        format: str,
        shape: Sequence[int],
        pointers: Sequence[Any],
        indices: Sequence[Any],
        values: Any,
        *,
        fill_value: Any = 0,
    ):
        shape = tuple(index(extent) for extent in shape)
        lists = [[None if array is None else _indices(array) for array in arrays] for arrays in (pointers, indices)]
        self._set(_native.Pattern(format, shape, *lists), _native_order(values), fill_value)

    def _set(self, pattern: _native.Pattern, values: np.ndarray, fill: Any) -> None:
        if values.ndim != 1:
            raise ValueError(f"values have {values.ndim} dimensions, but one is needed")
        if values.dtype.kind not in "biufc" or values.dtype.itemsize > 16 or values.dtype == np.longdouble:
            raise TypeError(f"values have the type {values.dtype}, which sparse tensors do not support")
        if len(values) != pattern.values:
            raise ValueError(f"there are {len(values)} values, but the arrays of the levels have {pattern.values} elements")
        values.flags.writeable = False
        self._pattern, self._values, self._fill = pattern, values, np.asarray(fill).astype(values.dtype)[()]
        self._symmetric = None

    @classmethod
    def _of(cls, pattern: _native.Pattern, values: np.ndarray, fill: Any, symmetry: str | None = None) -> Sparse:
        """Returns a tensor over arrays of its own, with a symmetry that it is known to have."""
        made = cls.__new__(cls)
        made._set(pattern, values, fill)
        made._symmetric = symmetry
        return made

    @classmethod
    def from_coo(
        cls,
        coordinates: Sequence[Any],
        values: Any,
        shape: Sequence[int],
        format: str | None = None,
        *,
        duplicates: str = "sum",
        index_bits: int | None = None,
        fill_value: Any = 0,
    ) -> Sparse:
        """Builds a tensor with `values[k]` at the coordinate `coordinates[0][k], coordinates[1][k], ...`. The order does not matter.

        Parameters
        ----------
        coordinates
            An array of integers for each axis.
        values
            The values, as many as each of the arrays has integers.
        shape
            The extents.
        format
            A name such as `"CSF"`, or levels and an axis order. The default is `"CSR"` for a matrix and `"COO"` otherwise.
        duplicates
            The treatment of values at the same coordinate: `"sum"`, `"refuse"`, `"first"`, `"last"` or, for a multigraph, `"keep"`. A multigraph keeps them
            by default.
        index_bits
            The number of bits of an index: 8, 16, 32 or 64. The default is the least that suffices.
        fill_value
            The value of all elements that are not stored.

        Examples
        --------
        >>> Sparse.from_coo([[0, 1, 1], [2, 0, 0]], [1, 2, 3], shape=(2, 3), format="CSC").to_numpy()
        array([[0, 0, 1],
               [5, 0, 0]])
        """
        shape = tuple(index(extent) for extent in shape)
        format = default_format(len(shape)) if format is None else format
        columns = [_indices(column) for column in coordinates]
        values = _native_order(values)
        kept = "keep" if duplicates == "sum" and _native.format_of(format, len(shape))[1] else duplicates
        # Half-precision numbers are built as float32.
        half = values.dtype == np.float16
        try:
            pattern, made = _native.build(format, shape, columns, values.astype(np.float32) if half else values, kept, index_bits)
        except ValueError:
            for axis, column in enumerate(map(np.asarray, coordinates)):
                if column.dtype.kind == "i" and column.size and column.min() < 0:
                    raise ValueError(f"coordinate {column.min()} along axis {axis} is negative") from None
            raise
        if pattern.dense_axes and np.any(fill_value):
            raise ValueError("a format with dense axes needs the fill value 0 here; build another format and convert it with `to`")
        return cls._of(pattern, made.astype(np.float16) if half else made, fill_value)

    def to(self, format: str, *, duplicates: str = "sum", index_bits: int | None = None) -> Sparse:
        """Converts the tensor to another format.

        Parameters
        ----------
        format
            A name such as `"CSF"`, or levels and an axis order such as `"DC-S-S-R"`.
        duplicates, index_bits
            As for `from_coo`.

        Examples
        --------
        >>> a = Sparse.from_coo([[0, 1], [2, 0], [1, 1]], [1.0, 2.0], shape=(2, 3, 2))
        >>> a.to("CSF").indices[2], a.to("C-S-S-R").format
        (array([1, 1], dtype=uint8), 'C-S-S-R')
        """
        kept = "keep" if duplicates == "sum" and _native.format_of(format, self.ndim)[1] else duplicates
        half = self.dtype == np.float16
        values, fill = (array.astype(np.float32) if half else array for array in (self._values, self._fill.reshape(1)))
        pattern, made = self._pattern.converted(values, fill, format, kept, index_bits)
        # Sums of repeated elements may be rounded differently in the two triangles.
        symmetry = None if self._pattern.multigraph else self._symmetric
        return Sparse._of(pattern, made.astype(np.float16) if half else made, self._fill, symmetry)

    def _canonical(self) -> Sparse:
        """Returns the tensor with sorted levels and without repeated coordinates, whose values are added."""
        if self._pattern.sorted:
            return self
        order = self._pattern.levels.split("+")[0].rsplit("-", 1)[1]
        kinds = ["S"] * (self.ndim - self._pattern.dense_axes)
        if self.ndim == 2 and not self._pattern.dense_axes:
            kinds[0] = "C"
        return self.to("-".join([*kinds, order]))

    @property
    def format(self) -> str:
        """The name of the format."""
        return self._pattern.format

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        return self._pattern.shape

    @property
    def pointers(self) -> list[np.ndarray | None]:
        """The pointers of each level, read-only, or `None` where a level has none."""
        return self._pattern.pointers

    @property
    def indices(self) -> list[np.ndarray | None]:
        """The indices of each level, read-only, or `None` where a level has none."""
        return self._pattern.indices

    @property
    def values(self) -> np.ndarray:
        """The stored values, read-only."""
        return self._values.view()

    @property
    def fill_value(self) -> Any:
        """The value of all elements that are not stored."""
        return self._fill

    @property
    def symmetry(self) -> str | None:
        """The symmetry that the elements are known to have: `"symmetric"`, `"hermitian"` or `"skew"`, or `None` if none is known.

        All elements are stored, those of both triangles. Files of symmetric matrices have it, `with_symmetry` checks it, and operations that keep it say so in
        their result: conversions, transposition, functions of elements, sums. `write` writes one triangle of a symmetric matrix where the kind of file has a
        place for it: Matrix Market and Binsparse.
        """
        return self._symmetric

    @property
    def triangle(self) -> str | None:
        """The triangle of a matrix that contains all stored elements: `"lower"`, `"upper"`, `"diagonal"` if both do, or `None`.

        An element `[i, j]` is in the lower triangle if `i >= j`. Each access compares all coordinates.

        >>> a = Sparse.from_coo([[0, 1, 1], [0, 0, 1]], [1.0, 2.0, 3.0], shape=(2, 2))
        >>> a.triangle, a.T.triangle, (a + a.T).triangle
        ('lower', 'upper', None)
        """
        return _symmetry.triangle(self)

    def with_symmetry(self, symmetry: str | None) -> Sparse:
        """Checks that an exchange of any two coordinates leaves the elements the same, conjugates them (`"hermitian"`) or negates them (`"skew"`).

        Returns the tensor with this `symmetry`, and with `None` a tensor without one. Raises ValueError if an element differs from its mirror image.

        Examples
        --------
        >>> a = Sparse.from_coo([[0, 0, 1], [0, 1, 0]], [1.0, 2.0, 2.0], shape=(2, 2)).with_symmetry("symmetric")
        >>> (a + a.T).symmetry, (a @ a).symmetry
        ('symmetric', None)
        >>> a.with_symmetry("skew")
        Traceback (most recent call last):
        ...
        ValueError: the tensor is not skew: element [0, 0] is 1.0, but its mirror image [0, 0] is 1.0
        """
        a = self._canonical()
        if symmetry is not None:
            _symmetry.check(a, symmetry)
        return Sparse._of(a._pattern, a._values, a._fill, symmetry)

    @property
    def dtype(self) -> np.dtype:
        """The type of the values."""
        return self._values.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements, stored or not."""
        return _arrange.product(self.shape)

    @property
    def stored(self) -> int:
        """The number of stored values."""
        return len(self._values)

    nnz = stored

    @property
    def density(self) -> float:
        """The number of stored values divided by the number of elements."""
        return self.stored / self.size if self.size else 0.0

    @property
    def nbytes(self) -> int:
        """The number of bytes of all arrays."""
        return self._pattern.nbytes + self._values.nbytes

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a tensor without axes has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self)))

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(f"the truth of {self.size} elements is ambiguous; use `a.any()` or `a.all()`")
        return bool(self.to_numpy().reshape(-1)[0])

    def coordinates(self) -> list[np.ndarray]:
        """Returns the coordinates of all stored values, one array for each axis, in storage order."""
        return self._pattern.coordinates()

    def to_numpy(self) -> np.ndarray:
        """Converts to a dense array. Values at the same coordinate are added."""
        a = self if not self._pattern.multigraph else self._canonical()
        out = np.full(a.shape, a._fill, a.dtype)
        out[tuple(column.astype(np.intp, copy=False) for column in a.coordinates())] = a._values if a.ndim else a._values[0]
        return out

    toarray = todense = to_numpy

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Converts to a dense array if it needs at most 64 MiB, or eight times the memory of the tensor. Otherwise raises ValueError."""
        dense = self.size * self.dtype.itemsize
        if dense > max(1 << 26, 8 * self.nbytes):
            raise ValueError(f"a dense array of this tensor has {dense} bytes, but the tensor has {self.nbytes}; `a.to_numpy()` makes it on request")
        if copy is False:
            raise ValueError("a dense array of a sparse tensor is always a copy")
        made = self.to_numpy()
        return made if dtype is None else made.astype(dtype)

    @classmethod
    def from_numpy(cls, array: Any, format: str | None = None, *, index_bits: int | None = None, fill_value: Any = 0) -> Sparse:
        """Builds a tensor from the elements of a dense array that differ from `fill_value`.

        Parameters
        ----------
        array
            Anything that NumPy converts to an array.
        format, index_bits, fill_value
            As for `from_coo`.

        Examples
        --------
        >>> Sparse.from_numpy([[7, 7], [7, 1]], "COO", fill_value=7)
        Sparse(SSR, shape=(2, 2), stored=1, dtype=int64, fill_value=7)
        """
        array = np.asarray(array)
        fill = np.asarray(fill_value).astype(array.dtype)[()]
        # A tensor without axes stores its element.
        coordinates = np.nonzero(_elementwise.differs(array, fill)) if array.ndim else ()
        return cls.from_coo(coordinates, array[coordinates].reshape(-1), array.shape, format, duplicates="refuse", index_bits=index_bits, fill_value=fill)

    def astype(self, dtype: Any, *, copy: bool = True) -> Sparse:
        """Converts the values and the fill value to another type."""
        dtype = np.dtype(dtype)
        if dtype == self.dtype and not copy:
            return self
        symmetry = _symmetry.of_type(self._symmetric, dtype)
        return Sparse._of(self._pattern, self._values.astype(dtype), self._fill.astype(dtype), symmetry)

    def copy(self) -> Sparse:
        """Returns a tensor with the same elements. Tensors do not change, so it shares their memory."""
        return Sparse._of(self._pattern, self._values, self._fill, self._symmetric)

    def prune(self) -> Sparse:
        """Returns the tensor without the stored values that equal the fill value."""
        return _arrange.prune(self)

    # Elements.

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return _elementwise.array_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        return _functions.array_function(function, args, options)

    def __getitem__(self, key: Any) -> Any:
        return _index.getitem(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError("a sparse tensor does not change; compute another one, for instance with `crd2idx.where`, or build it with `Sparse.from_coo`")

    # Products.

    def __matmul__(self, other: Any) -> Any:
        """Multiplies by a vector, a matrix or a stack of them, as `numpy.matmul` does. The product is sparse if both operands are."""
        made = self._pattern.times_same(self._values, self._fill, other) if type(other) is np.ndarray else None
        return _products.matmul(self, other) if made is None else made

    def __rmatmul__(self, other: Any) -> Any:
        return _products.matmul(other, self)

    dot = __matmul__

    # Axes.

    def transpose(self, *axes: Any) -> Sparse:
        """Returns the tensor with its axes in another order, by default the reverse. Shares all arrays; the format names the new order."""
        return _arrange.transpose(self, axes)

    permute = transpose

    @property
    def T(self) -> Sparse:
        """The tensor with its axes in reverse."""
        return self.transpose()

    @property
    def mT(self) -> Sparse:
        """The tensor with its last two axes exchanged."""
        return _arrange.swapaxes(self, -1, -2)

    @property
    def real(self) -> Sparse:
        """The real parts."""
        return Sparse._of(self._pattern, np.ascontiguousarray(np.real(self._values)), self._fill.real)

    @property
    def imag(self) -> Sparse:
        """The imaginary parts."""
        return Sparse._of(self._pattern, np.ascontiguousarray(np.imag(self._values)), self._fill.imag)

    def conj(self) -> Sparse:
        """Returns the complex conjugates."""
        return Sparse._of(self._pattern, np.conjugate(self._values), np.conjugate(self._fill), self._symmetric)

    def round(self, decimals: int = 0) -> Sparse:
        """Rounds to a number of decimals."""
        return Sparse._of(self._pattern, np.round(self._values, decimals), np.round(self._fill, decimals))

    def clip(self, least: Any = None, most: Any = None) -> Sparse:
        """Returns the elements, but `least` for smaller ones and `most` for greater ones."""
        return _arrange.clip(self, least, most)

    def swapaxes(self, a: int, b: int) -> Sparse:
        """Exchanges two axes."""
        return _arrange.swapaxes(self, a, b)

    def reshape(self, *shape: Any, format: str | None = None) -> Sparse:
        """Arranges the elements, in row-major order, in another shape. One extent may be -1."""
        return _arrange.reshape(self, shape, format)

    def ravel(self) -> Sparse:
        """Arranges the elements, in row-major order, along one axis."""
        return self.reshape(-1)

    flatten = ravel

    def squeeze(self, axis: Any = None) -> Any:
        """Drops axes of extent 1: all of them, or those that are given. Returns a number if no axis stays."""
        return _arrange.squeeze(self, axis)

    def diagonal(self, offset: int = 0) -> Sparse:
        """Returns the elements `a[..., i, i + offset]` of the last two axes."""
        return _arrange.diagonal(self, offset)

    # Other packages.

    @classmethod
    def from_scipy(cls, matrix: Any) -> Sparse:
        """Converts a matrix or an array of `scipy.sparse`. CSR, CSC and COO share their memory, and their arrays become read-only; `matrix.copy()` keeps
        them as they are. BSR, DIA, DOK and LIL are converted by way of COO.

        If elements may be unsorted or repeat, the format says so, as `C-S-R+multigraph+unsorted(1)` does. For CSR and CSC, SciPy knows whether they do; for
        COO they always may.
        """
        return _exchange.from_scipy(matrix)

    def to_scipy(self, format: str | None = None, *, blocksize: tuple[int, int] | None = None) -> Any:
        """Converts to an array of `scipy.sparse` in one of its formats: `bsr`, `coo`, `csc`, `csr`, `dia`, `dok` or `lil`.

        Parameters
        ----------
        format
            The default is `csr` or `csc` if the levels are C-S, and `coo` otherwise.
        blocksize
            The extents of a block of `bsr`. SciPy chooses them if it is `None`.

        Notes
        -----
        Shares the values, and index arrays of 32 and 64 bits, if the format stays the same; these are read-only. Raises ValueError if the fill value is not 0.

        Examples
        --------
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], shape=(2, 3))
        >>> a.to_scipy().format, a.to_scipy("dia").offsets.tolist()
        ('csr', [-1, 1, 2])
        """
        return _exchange.to_scipy(self, format, blocksize)

    @classmethod
    def from_sparse(cls, array: Any) -> Sparse:
        """Converts an array of the package `sparse`, with its fill value. COO, and GCXS of two axes, share their memory, and their arrays become read-only;
        GCXS of more axes is converted by way of COO, and DOK too.
        """
        return _exchange.from_sparse(array)

    def to_sparse(self) -> Any:
        """Converts CSR and CSC to `sparse.GCXS`, and other formats to `sparse.COO`, with the fill value.

        Shares the values, and for `sparse.GCXS` index arrays of 32 and 64 bits; these are read-only.
        """
        return _exchange.to_sparse(self)

    def __binsparse_descriptor__(self) -> dict[str, Any]:
        """Returns the descriptor of the Binsparse specification: the format, the shape, and the types of the arrays that `__binsparse__` returns."""
        return _binsparse.descriptor(self)

    def __binsparse__(self, /, *, descriptor: dict[str, Any] | None = None) -> dict[str, np.ndarray]:
        """Returns the arrays by the names of the Binsparse specification, read-only and without a copy.

        With a descriptor, converts to its format first. Raises TypeError if there is no such format.
        """
        return _binsparse.arrays(self, descriptor)

    @classmethod
    def from_binsparse(cls, x: Any, /, *, descriptor: dict[str, Any] | None = None, copy: bool | None = None) -> Sparse:
        """Converts any object with the methods `__binsparse_descriptor__` and `__binsparse__`, in the format that it has or that `descriptor` asks for.

        Parameters
        ----------
        x
            The object of this or another package.
        descriptor
            A descriptor whose format `x` converts to first, such as `{"binsparse": {"format": "CSC"}}`.
        copy
            If True, the arrays are copied. Otherwise they are shared; nobody may write to them later.

        Notes
        -----
        A tensor without sparse levels is built from its dense elements.

        Examples
        --------
        >>> a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], np.array([1.0, 2.0, 3.0]), shape=(2, 3))
        >>> a.__binsparse_descriptor__()["binsparse"]["format"], sorted(a.__binsparse__())
        ('CSR', ['indices_1', 'pointers_to_1', 'values'])
        >>> Sparse.from_binsparse(a, descriptor={"binsparse": {"format": "COOC"}})
        Sparse(SSC, shape=(2, 3), stored=3, dtype=float64)
        """
        return _binsparse.read(x, descriptor, copy)

    @classmethod
    def read(
        cls,
        path: Any,
        *,
        kind: str | None = None,
        group: str | None = None,
        base: int | None = None,
        shape: Sequence[int] | None = None,
        rows: slice | None = None,
        progress: bool | Callable[[int, int], Any] | None = None,
    ) -> Sparse:
        """Reads a tensor from a file, in the format that the file has. If the file has one triangle of a symmetric matrix, the tensor has both, and its `symmetry`.

        `path` is a path, the bytes of a file, or a file object, which is read to its end. The content decides the kind of the file unless `kind` is given:

        * Matrix Market and FROSTT text, also compressed (`.gz`, `.bz2`, `.zst`, `.xz`); `base` is the first coordinate of FROSTT axes, by default 1,
        * NumPy arrays, and the archives of SciPy and PyData sparse,
        * Binsparse in archives, HDF5 and Zarr, AnnData in HDF5 and Zarr, 10x Genomics in HDF5; `group` is the path inside the file,
        * tables of coordinates in Arrow and Parquet.

        If the file has one value for all elements, it is repeated; if it has no values, each is `True`.

        * `shape` has the extents for files that do not contain them: text of FROSTT, and tables of other writers.
        * `rows=slice(a, b)` reads these rows of the first axis. HDF5 and Zarr read only the needed parts of a CSR matrix and of an array, Parquet and Arrow
          the row groups and batches in which a tensor of this package has such rows.
        * `progress=True` shows a bar of tqdm, or without it a line on standard error. A function receives the bytes done and expected.

        Raises ValueError if the file contains another shape than `shape`.
        """
        name, data = _opened(path)
        extents = None if shape is None else [index(extent) for extent in shape]
        if extents is not None and any(extent < 0 for extent in extents):
            raise ValueError(f"negative dimensions are not allowed: {tuple(extents)}")
        with reporter(progress, "reading") as report:
            pattern, values, fill, symmetry, _ = _native.read(name, data, kind, group, base, extents, _row_ends(rows), report)
        a = cls._of(pattern, values, fill[0], symmetry)
        known = a.shape if rows is None else a.shape[1:]
        if extents is not None and tuple(extents if rows is None else extents[1:]) != known:
            raise ValueError(f"the file contains a tensor of shape {a.shape}, not {tuple(extents)}")
        return a

    def write(
        self,
        path: Any,
        *,
        kind: str | None = None,
        compressed: bool = False,
        group: str | None = None,
        force: bool = False,
        progress: bool | Callable[[int, int], Any] | None = None,
    ) -> None:
        """Writes the tensor to a file, and replaces the file as a whole. `progress` is the one of `read`.

        The ending of the name decides the kind unless `kind` is given: `mtx`, `tns`, `npy`, `npz`, `scipy`, `pydata`, `hdf5`, `zarr`, `arrow` or `parquet`.
        With `group`, an existing file of HDF5 or Zarr keeps its other groups. Raises ValueError if the file or the group contains anything but a tensor,
        unless `force` is True.
        """
        a = self.astype(np.float32) if self.dtype == np.float16 else self
        a, symmetry = _symmetry.one_triangle(a)
        with reporter(progress, "writing") as report:
            _native.write(path, a._pattern, a._values, a._fill.reshape(1), symmetry, kind, compressed, group, force, report)

    def __reduce__(self) -> Any:
        return _unpickled, (self._pattern.levels, self.shape, self.pointers, self.indices, self._values, self._fill, self._symmetric)

    def __repr__(self) -> str:
        fill = f", fill_value={self._fill}" if _elementwise.differs(self._fill, 0) else ""
        symmetry = f", {self._symmetric}" if self._symmetric else ""
        return f"Sparse({self.format}, shape={self.shape}, stored={self.stored}, dtype={self.dtype}{fill}{symmetry})"


def _opened(source: Any) -> tuple[Any, bytes | None]:
    """Returns the path of a file; or the name, which may be empty, and the bytes of a file object or of bytes."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "", bytes(source)
    if not hasattr(source, "read"):
        # Python knows best which error a path without a file is.
        os.stat(source)
        return source, None
    name, data = getattr(source, "name", ""), source.read()
    if isinstance(data, str):
        data = data.encode()
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"read() of the file object returned {type(data).__name__}, not bytes")
    return name if isinstance(name, str) else "", bytes(data)


def _row_ends(rows: slice | None) -> tuple[int | None, int | None] | None:
    """Returns the start and the end of a slice of rows. Raises TypeError for anything else, and ValueError for a step."""
    if rows is None:
        return None
    if not isinstance(rows, slice):
        raise TypeError(f"rows must be a slice, not {type(rows).__name__}")
    if rows.step is not None and index(rows.step) != 1:
        raise ValueError(f"rows have the step {rows.step}; only consecutive rows can be read")
    start, stop = (None if end is None else max(min(index(end), 2**62), -(2**62)) for end in (rows.start, rows.stop))
    return start, stop


def _unpickled(
    format: str, shape: Sequence[int], pointers: Sequence[Any], indices: Sequence[Any], values: np.ndarray, fill: Any, symmetry: str | None = None
) -> Sparse:
    made = Sparse(format, shape, pointers, indices, values, fill_value=fill)
    made._symmetric = symmetry
    return made
