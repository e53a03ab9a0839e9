"""Reductions of sparse tensors over any axes, with NumPy's types."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._arrange import axes_of, axis_of, build, columns_of, product

_SUMS = (np.float32, np.float64, np.int64)
# The reductions that Rust computes.
_NATIVE: dict[Any, str] = {np.add: "sum", np.maximum: "max", np.minimum: "min"}
# The most rows or columns of a matrix for each stored element, for which all of them get pointers.
_SPREAD = 4


def _no_out(out: Any) -> None:
    if out is not None:
        raise TypeError("a reduction cannot write to `out`: a sparse tensor does not change")


def _dtype(ufunc: np.ufunc, dtype: np.dtype, wanted: Any) -> np.dtype:
    """Returns the type in which NumPy reduces."""
    if wanted is not None:
        given: np.dtype = np.dtype(wanted)
        return given
    if ufunc in (np.logical_or, np.logical_and):
        return np.dtype(bool)
    reduced: np.dtype = ufunc.reduce(np.zeros(1, dtype)).dtype
    return reduced


def _times(ufunc: np.ufunc, fill: Any, count: Any, dtype: np.dtype) -> np.ndarray:
    """Reduces `count` copies of the fill value, for each count. No copies give the identity of the ufunc, or the fill value if it has none."""
    count = np.asarray(count)
    made = np.asarray(fill).astype(dtype)
    with np.errstate(all="ignore"):
        if ufunc is np.add and dtype != bool:
            made = made * count.astype(dtype)
        elif ufunc is np.multiply and dtype != bool:
            made = made ** count.astype(dtype)
    if ufunc.identity is None:
        return np.broadcast_to(made, count.shape)
    return np.where(count == 0, np.asarray(ufunc.identity).astype(dtype), made).astype(dtype)


def reduce(a: Any, ufunc: np.ufunc, axis: Any, dtype: Any, out: Any, keepdims: bool) -> Any:
    """Reduces over axes by a ufunc. Returns a number if no axis stays and `keepdims` is False."""
    _no_out(out)
    a = a._canonical()
    axes = axes_of(axis, a.ndim)
    kept = [k for k in range(a.ndim) if k not in axes]
    length = product(a.shape[k] for k in axes)
    if length == 0 and ufunc.identity is None:
        raise ValueError(f"`{ufunc.__name__}` of no elements has no value")
    made_dtype = _dtype(ufunc, a.dtype, dtype)
    # Tests of truth reduce bools.
    reduced_dtype = np.dtype(bool) if ufunc in (np.logical_or, np.logical_and) else made_dtype
    values = a._values.astype(reduced_dtype, copy=False)
    fill_in = bool(a._fill) if reduced_dtype == bool else a._fill
    fill = _times(ufunc, fill_in, length, made_dtype)[()]
    if not kept:
        total = _all(ufunc, values, fill_in, length - len(values), made_dtype)
        return _keep(np.asarray(total), a, fill) if keepdims else total
    if not axes:
        made = type(a)._of(a._pattern, values.copy(), fill)
        return made
    if a.ndim == 2 and ufunc in _NATIVE and values.dtype == made_dtype and made_dtype in _SUMS and not a._fill:
        return _native_reduced(a, values, ufunc, axes[0], keepdims)
    if a.ndim == 2 and a.shape[kept[0]] <= _SPREAD * (a.stored + 1):
        values, keys, starts = _rows(a, kept[0])
        values = values.astype(reduced_dtype, copy=False)
    else:
        columns = columns_of(a)
        keys, starts, order = _groups([columns[k] for k in kept], [a.shape[k] for k in kept])
        values = values[order]
    counts = np.diff(np.append(starts, len(values)))
    reduced = ufunc.reduceat(values, starts, dtype=made_dtype) if len(starts) else np.zeros(0, made_dtype)
    missing = length - counts
    if np.any(missing):
        rest = _times(ufunc, fill_in, missing, made_dtype)
        with np.errstate(all="ignore"):
            reduced = np.where(missing > 0, ufunc(reduced, rest), reduced).astype(made_dtype)
    return _of_groups(a, kept, keys, reduced, fill, keepdims)


def _native_reduced(a: Any, values: np.ndarray, ufunc: np.ufunc, axis: int, keepdims: bool) -> Any:
    """Reduces a matrix with the fill value 0 along an axis."""
    pattern, reduced = a._pattern.reduced(values, axis, _NATIVE[ufunc])
    made = type(a)._of(pattern, reduced, 0)
    return made.reshape((1, -1) if axis == 0 else (-1, 1)) if keepdims else made


def _all(ufunc: np.ufunc, values: np.ndarray, fill: Any, missing: int, dtype: np.dtype) -> Any:
    if not missing:
        return ufunc.reduce(values, dtype=dtype)
    rest = _times(ufunc, fill, missing, dtype)[()]
    if not len(values):
        return rest
    with np.errstate(all="ignore"):
        return np.asarray(ufunc(ufunc.reduce(values, dtype=dtype), rest)).astype(dtype)[()]


def _rows(a: Any, axis: int) -> tuple[np.ndarray, list[np.ndarray], np.ndarray]:
    """Groups the elements of a matrix by one coordinate: returns the values in order, the coordinate of each group, and its first element."""
    name = "CSR" if axis == 0 else "CSC"
    a = a if a.format == name else a.to(name)
    pointers = a.pointers[0].astype(np.int64)
    keys = np.flatnonzero(np.diff(pointers))
    return a._values, [keys], pointers[keys]


def _groups(columns: list[np.ndarray], shape: list[int]) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Groups elements by their coordinates: returns the coordinates of each group, its first element, and the order of the elements."""
    if not len(columns[0]):
        none = np.zeros(0, np.int64)
        return [none] * len(columns), none, none
    if product(shape) < 1 << 63:
        key = np.ravel_multi_index(columns, shape) if len(columns) > 1 else columns[0]
        sorted_already = len(key) < 2 or bool((key[1:] >= key[:-1]).all())
        order = np.arange(len(key)) if sorted_already else np.argsort(key, kind="stable")
        key = key if sorted_already else key[order]
        starts = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
        return list(np.unravel_index(key[starts], shape)), starts, order
    order = np.lexsort(columns[::-1])
    sorted_columns = [column[order] for column in columns]
    changes = np.any([column[1:] != column[:-1] for column in sorted_columns], axis=0)
    starts = np.flatnonzero(np.concatenate(([True], changes)))
    return [column[starts] for column in sorted_columns], starts, order


def _of_groups(a: Any, kept: list[int], keys: list[np.ndarray], values: np.ndarray, fill: Any, keepdims: bool) -> Any:
    shape = [a.shape[k] for k in kept]
    if keepdims:
        of = dict(zip(kept, keys))
        keys = [of.get(k, np.zeros(len(values), np.int64)) for k in range(a.ndim)]
        shape = [extent if k in of else 1 for k, extent in enumerate(a.shape)]
    return build(keys, values, shape, fill)


def _keep(total: np.ndarray, a: Any, fill: Any) -> Any:
    return type(a).from_numpy(total.reshape((1,) * a.ndim), fill_value=fill)


def total(a: Any, axis: Any, dtype: Any, out: Any, keepdims: bool) -> Any:
    """Sums over axes. Sums of a matrix are products with ones, except those of compressed rows."""
    _no_out(out)
    if axis is None and dtype is None and not keepdims and not a._fill:
        return np.add.reduce(a._values)
    if a.ndim == 2 and axis is not None and dtype is None and a.dtype in _SUMS and not a._fill and not a._pattern.multigraph:
        axes = axes_of(axis, 2)
        by_rows = a.format == ("CSR" if axes == (1,) else "CSC")
        if len(axes) == 1 and not by_rows:
            ones = np.ones(a.shape[axes[0]], a.dtype)
            sums = a._pattern.times_dense(a._values, ones, axes[0] == 0)
            made = type(a)._of(_all_of(len(sums)), sums, 0)
            return made if not keepdims else made.reshape((1, -1) if axes[0] == 0 else (-1, 1))
    return reduce(a, np.add, axis, dtype, None, keepdims)


def _all_of(extent: int) -> Any:
    """Returns the pattern of a vector that stores all its elements."""
    from . import _native

    return _native.Pattern("COO", (extent,), [None], [np.arange(extent, dtype=np.min_scalar_type(max(extent - 1, 0)))])


def mean(a: Any, axis: Any, dtype: Any, out: Any, keepdims: bool) -> Any:
    """Averages over axes."""
    _no_out(out)
    count = product(a.shape[k] for k in axes_of(axis, a.ndim))
    made = np.dtype(dtype) if dtype is not None else np.zeros(1, a.dtype).mean().dtype
    # Half-precision numbers are added as float32, as NumPy does.
    wide = np.dtype(np.float32) if made == np.float16 and dtype is None else made
    with np.errstate(all="ignore"):
        averaged = total(a.astype(wide, copy=False), axis, None, None, keepdims) / np.asarray(count, wide if wide.kind == "f" else np.float64)
    return averaged.astype(made)


def var(a: Any, axis: Any, dtype: Any, out: Any, ddof: float, keepdims: bool) -> Any:
    """Returns the variances over axes."""
    _no_out(out)
    count = product(a.shape[k] for k in axes_of(axis, a.ndim))
    made = np.dtype(dtype) if dtype is not None else np.zeros(1, a.dtype).var().dtype
    wide = a._canonical().astype(np.float32 if made == np.float16 else a.dtype if a.dtype.kind == "c" else made, copy=False)
    axes = axes_of(axis, a.ndim)
    # The sum over what is stored, and the same term for all others. Both are as large as the result.
    centre = mean(wide, axis, None, None, True).to_numpy()
    at = tuple(column if k not in axes else 0 for k, column in enumerate(columns_of(wide)))
    apart = np.abs(wide._values - np.broadcast_to(centre[at], wide._values.shape)) ** 2
    summed = reduce(type(a)._of(wide._pattern, apart, 0), np.add, axes, None, None, True).to_numpy()
    stored = reduce(type(a)._of(wide._pattern, np.ones(wide.stored, np.int64), 0), np.add, axes, None, None, True).to_numpy()
    with np.errstate(all="ignore"):
        rest = np.where(stored < count, np.abs(wide._fill - centre) ** 2 * (count - stored), 0)
        varied = ((summed + rest) / np.asarray(max(count - ddof, 0), summed.dtype)).astype(made)
    if not keepdims:
        varied = varied.reshape([extent for k, extent in enumerate(a.shape) if k not in axes])
    return type(a).from_numpy(varied) if varied.ndim else varied[()]


def arg(a: Any, ufunc: np.ufunc, axis: Any, out: Any, keepdims: bool) -> Any:
    """Returns the positions of the first extreme elements along an axis."""
    _no_out(out)
    a = a._canonical()
    if axis is None:
        if not a.size:
            raise ValueError("no elements have no extreme one")
        if a.size >= 1 << 63:
            raise OverflowError(f"positions of {a.size} elements do not fit 64 bits")
        flat = a.ravel() if a.ndim > 1 else a
        found = _first(ufunc, flat._values, columns_of(flat)[0], flat._fill, flat.shape[0], np.zeros(1, np.int64) if flat.stored else np.zeros(0, np.int64))
        made = found[0] if len(found) else np.int64(0)
        return _keep(np.asarray(made), a, 0) if keepdims else np.int64(made)
    axis = axis_of(axis, a.ndim)
    if not a.shape[axis]:
        raise ValueError("no elements have no extreme one")
    if a.ndim == 1:
        return arg(a, ufunc, None, None, keepdims)
    columns = columns_of(a)
    kept = [k for k in range(a.ndim) if k != axis]
    # Elements of a group in order along the axis.
    inner = np.argsort(columns[axis], kind="stable")
    keys, starts, order = _groups([columns[k][inner] for k in kept], [a.shape[k] for k in kept])
    order = inner[order] if len(order) else order
    found = _first(ufunc, a._values[order], columns[axis][order], a._fill, a.shape[axis], starts)
    return _of_groups(a, kept, keys, found, 0, keepdims)


def _first(ufunc: Callable[..., Any], values: np.ndarray, places: np.ndarray, fill: Any, extent: int, starts: np.ndarray) -> np.ndarray:
    """Returns, for each group of sorted places, the place of the first extreme element, stored or not."""
    if not len(starts):
        return np.zeros(0, np.int64)
    counts = np.diff(np.append(starts, len(values)))
    extreme = ufunc.reduceat(values, starts)  # type: ignore[attr-defined]
    missing = counts < extent
    with np.errstate(invalid="ignore"):
        best = np.where(missing, ufunc(extreme, fill), extreme)

    def same(left: Any, right: Any) -> Any:
        equal = left == right
        return equal | (np.isnan(left) & np.isnan(right)) if values.dtype.kind in "fc" else equal

    far = np.iinfo(np.int64).max
    stored = np.minimum.reduceat(np.where(same(values, np.repeat(best, counts)), places, far), starts)
    rank = np.arange(len(values)) - np.repeat(starts, counts)
    # The first place that is not stored is the first rank whose place is another, or the number of stored elements.
    gap = np.minimum.reduceat(np.where(places != rank, rank, np.repeat(counts, counts)), starts)
    return np.minimum(stored, np.where(missing & same(best, fill), gap, far)).astype(np.int64)
