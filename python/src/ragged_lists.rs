//! Operations that choose, join and reorder the elements of ragged arrays.
//!
//! Each computes the structure of its result once, for all types of leaves: offsets, and for each leaf of the result the number of
//! the leaf that it comes from, -1 if it is missing. NumPy moves the leaves by these numbers.

use crate::arrays::{refused, unfit};
use crate::ragged::{Offsets, Parts, over, over_leaves, parts};
use crd2idx::ragged::{OptionArray, RaggedArray, RaggedError};
use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods, PyUntypedArray};
use pyo3::prelude::*;

/// The number of a leaf in an array of NumPy.
type Numbered = RaggedArray<'static, i64>;

/// Returns the offsets and leaf numbers of the result of `work` on the numbers of `leaves` leaves. `work` must not call Python.
fn chosen<'py>(
    py: Python<'py>,
    offsets: &Offsets<'py>,
    leaves: usize,
    work: impl FnOnce(&RaggedArray<'_, i64>) -> Result<Numbered, RaggedError>,
) -> PyResult<Parts<'py>> {
    Ok(parts(py, &over(offsets, &numbers(leaves), work)?))
}

fn numbers(leaves: usize) -> Vec<i64> {
    (0..leaves as i64).collect()
}

/// Returns the numbers of an array whose leaves may be missing: -1 for these.
fn some(array: RaggedArray<'static, Option<i64>>) -> Result<Numbered, RaggedError> {
    array.fill_none(&-1)
}

/// Returns numbers as signed ones, which NumPy indexes with.
fn signed(array: RaggedArray<'static, usize>) -> Result<Numbered, RaggedError> {
    array.map(|number| *number as i64)
}

/// Copies an array of one dimension from NumPy.
fn copied<T: Element + Copy>(array: &Bound<'_, PyUntypedArray>, what: &str, expected: &str) -> PyResult<Vec<T>> {
    let array = array.cast::<PyArray1<T>>().map_err(|_| unfit(what, array, expected))?;
    Ok(array.try_readonly().map_err(refused)?.as_slice().map_err(refused)?.to_vec())
}

fn integers(array: &Bound<'_, PyUntypedArray>, what: &str) -> PyResult<Vec<i64>> {
    copied(array, what, "int64 in one dimension")
}

fn bools(array: &Bound<'_, PyUntypedArray>, what: &str) -> PyResult<Vec<bool>> {
    copied(array, what, "bool in one dimension")
}

fn places(indices: Vec<i64>) -> Vec<isize> {
    indices.into_iter().map(|index| index as isize).collect()
}

/// Returns the elements `start..stop` in steps of `step` of every list of an axis.
#[pyfunction]
pub fn ragged_slice<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: usize,
    axis: usize,
    start: Option<isize>,
    stop: Option<isize>,
    step: isize,
) -> PyResult<Parts<'py>> {
    chosen(py, &offsets, leaves, |array| array.slice(axis, start, stop, step))
}

/// Returns one element of every list of an axis, without the axis: with one index the same of all lists, otherwise one for each.
#[pyfunction]
pub fn ragged_index<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: usize,
    axis: usize,
    indices: &Bound<'py, PyUntypedArray>,
    each: bool,
) -> PyResult<Parts<'py>> {
    let indices = places(integers(indices, "indices")?);
    chosen(py, &offsets, leaves, |array| match indices.first() {
        Some(index) if !each => array.index(axis, *index),
        _ => array.index_each(axis, &indices),
    })
}

/// Returns the elements with these indices of every list of an axis.
#[pyfunction]
pub fn ragged_take<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: usize,
    axis: usize,
    indices: &Bound<'py, PyUntypedArray>,
) -> PyResult<Parts<'py>> {
    let indices = places(integers(indices, "indices")?);
    chosen(py, &offsets, leaves, |array| array.take_along(axis, &indices))
}

/// Returns, for each list of the last axis of `indices`, the elements with these indices of the corresponding list. `missing` is
/// true for indices without a value.
#[pyfunction]
pub fn ragged_gather<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: usize,
    index_offsets: Offsets<'py>,
    indices: &Bound<'py, PyUntypedArray>,
    missing: Option<&Bound<'py, PyUntypedArray>>,
) -> PyResult<Parts<'py>> {
    let missing = missing.map(|mask| bools(mask, "missing")).transpose()?;
    let wanted = places(integers(indices, "indices")?);
    let wanted: Vec<Option<isize>> = match missing {
        None => wanted.into_iter().map(Some).collect(),
        Some(missing) => wanted.into_iter().zip(missing).map(|(index, missing)| (!missing).then_some(index)).collect(),
    };
    let indices = over(&index_offsets, &wanted, |indices| indices.pack())?;
    chosen(py, &offsets, leaves, |array| some(array.gather_some(&indices)?))
}

/// Keeps the elements for which a mask is true, on the last axis of the mask. `missing` is true for masks without a value.
#[pyfunction]
pub fn ragged_filter<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: usize,
    mask_offsets: Offsets<'py>,
    mask: &Bound<'py, PyUntypedArray>,
    missing: Option<&Bound<'py, PyUntypedArray>>,
) -> PyResult<Parts<'py>> {
    let missing = missing.map(|mask| bools(mask, "missing")).transpose()?;
    let mask = bools(mask, "the mask")?;
    let mask: Vec<Option<bool>> = match missing {
        None => mask.into_iter().map(Some).collect(),
        Some(missing) => mask.into_iter().zip(missing).map(|(keep, missing)| (!missing).then_some(keep)).collect(),
    };
    let mask = over(&mask_offsets, &mask, |mask| mask.pack())?;
    chosen(py, &offsets, leaves, |array| some(array.filter_some(&mask)?))
}

/// Lengthens the lists of an axis to `target` elements, and with `clip` cuts longer ones.
#[pyfunction]
pub fn ragged_pad_to<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: usize,
    axis: usize,
    target: usize,
    clip: bool,
) -> PyResult<Parts<'py>> {
    chosen(py, &offsets, leaves, |array| some(array.pad_to(axis, target, clip)?))
}

/// Groups the elements of an axis by these sizes into lists of a new axis.
#[pyfunction]
pub fn ragged_unflatten<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: usize,
    axis: usize,
    sizes: &Bound<'py, PyUntypedArray>,
) -> PyResult<Parts<'py>> {
    let sizes: Vec<usize> = integers(sizes, "sizes")?.into_iter().map(usize::try_from).collect::<Result<_, _>>().map_err(refused)?;
    chosen(py, &offsets, leaves, |array| array.unflatten(axis, &sizes))
}

/// Returns arrays of leaf numbers. If `joined` is true, the numbers of each array continue the numbers of the array before it.
fn operands<'py>(arrays: &[(Offsets<'py>, usize)], joined: bool) -> PyResult<Vec<Numbered>> {
    let (mut begin, mut out) = (0, Vec::with_capacity(arrays.len()));
    for (offsets, leaves) in arrays {
        let numbers: Vec<i64> = (begin..begin + *leaves as i64).collect();
        begin += if joined { *leaves as i64 } else { 0 };
        out.push(over(offsets, &numbers, |array| array.pack())?);
    }
    Ok(out)
}

/// Joins corresponding lists of an axis of several arrays, each given by offsets and its number of leaves.
#[pyfunction]
pub fn ragged_concatenate<'py>(py: Python<'py>, arrays: Vec<(Offsets<'py>, usize)>, axis: usize) -> PyResult<Parts<'py>> {
    let arrays = operands(&arrays, true)?;
    let arrays: Vec<&Numbered> = arrays.iter().collect();
    Ok(parts(py, &RaggedArray::concatenate(&arrays, axis).map_err(refused)?))
}

/// Returns the Cartesian product of corresponding lists of an axis: offsets and leaf numbers for each array.
#[pyfunction]
pub fn ragged_cartesian<'py>(py: Python<'py>, arrays: Vec<(Offsets<'py>, usize)>, axis: usize) -> PyResult<Vec<Parts<'py>>> {
    let arrays = operands(&arrays, false)?;
    let arrays: Vec<&Numbered> = arrays.iter().collect();
    Ok(RaggedArray::cartesian(&arrays, axis).map_err(refused)?.iter().map(|array| parts(py, array)).collect())
}

/// Returns all combinations of `count` elements of every list of an axis.
#[pyfunction]
pub fn ragged_combinations<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: usize,
    axis: usize,
    count: usize,
    replacement: bool,
) -> PyResult<Parts<'py>> {
    chosen(py, &offsets, leaves, |array| array.combinations(axis, count, replacement))
}

/// Returns, for each leaf of the array sorted along an axis, the number of its leaf, and the coordinate of that leaf on the axis.
#[pyfunction]
pub fn ragged_order<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: &Bound<'py, PyUntypedArray>,
    axis: usize,
    descending: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    crate::ragged::by_type!(leaves, T => {
        let (order, places) = over_leaves::<T, _>(&offsets, leaves, |array| {
            let order = array.order_along(axis, descending)?;
            let coordinates = array.shape().leaf_coordinates(axis);
            let places: Vec<i64> = order.leaves().iter().map(|leaf| coordinates[*leaf] as i64).collect();
            Ok((signed(order)?.leaves().to_vec(), places))
        })?;
        Ok((order.into_pyarray(py).into_any(), places.into_pyarray(py).into_any()))
    })
}

/// Returns the offsets of the runs of equal numbers in each list of the last axis, the length of each run, and the number of its
/// first leaf.
#[pyfunction]
pub fn ragged_run_lengths<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: &Bound<'py, PyUntypedArray>,
) -> PyResult<(Parts<'py>, Bound<'py, PyAny>)> {
    let (lengths, firsts) = over_leaves::<i64, _>(&offsets, leaves, |array| {
        let (_, lengths) = array.run_lengths()?;
        let begins = lengths.leaves().iter().scan(0, |end, len| {
            *end += *len as i64;
            Some(*end - *len as i64)
        });
        let firsts: Vec<i64> = begins.collect();
        Ok((signed(lengths)?, firsts))
    })?;
    Ok((parts(py, &lengths), firsts.into_pyarray(py).into_any()))
}

/// Returns the length of every list of an axis.
#[pyfunction]
pub fn ragged_num<'py>(py: Python<'py>, offsets: Offsets<'py>, leaves: usize, axis: usize) -> PyResult<Parts<'py>> {
    Ok(parts(py, &over(&offsets, &vec![(); leaves], |array| signed(array.num(axis)?))?))
}

/// Returns the local index of every element of an axis in its list.
#[pyfunction]
pub fn ragged_local_index<'py>(py: Python<'py>, offsets: Offsets<'py>, leaves: usize, axis: usize) -> PyResult<Parts<'py>> {
    Ok(parts(py, &over(&offsets, &vec![(); leaves], |array| signed(array.local_index(axis)?))?))
}

/// Returns, for each leaf, the number of the element of an axis that it is below. Fails unless the axes up to this one have the
/// lists that `above` describes, with `elements` elements of the axis.
#[pyfunction]
pub fn ragged_rows_below<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    leaves: usize,
    above: Offsets<'py>,
    elements: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let axis = above.len();
    let above = over(&above, &vec![(); elements], |above| above.pack())?;
    let rows: Vec<i64> = over(&offsets, &vec![(); leaves], |array| {
        array.shape().truncated(axis + 1).same(above.shape())?;
        Ok(array.shape().leaf_rows(axis).into_iter().map(|row| row as i64).collect())
    })?;
    Ok(rows.into_pyarray(py).into_any())
}

/// Fails unless both arrays have the same lists.
#[pyfunction]
pub fn ragged_same(offsets: Offsets<'_>, leaves: usize, other: Offsets<'_>, other_leaves: usize) -> PyResult<()> {
    let other = over(&other, &vec![(); other_leaves], |other| other.pack())?;
    over(&offsets, &vec![(); leaves], |array| array.shape().same(other.shape()))
}

/// Groups leaves by the number of their row, from 0 to `rows`, in any order.
#[pyfunction]
pub fn ragged_group<'py>(py: Python<'py>, ids: &Bound<'py, PyUntypedArray>, rows: usize) -> PyResult<Parts<'py>> {
    let ids: Vec<usize> = integers(ids, "ids")?.into_iter().map(usize::try_from).collect::<Result<_, _>>().map_err(refused)?;
    let array = RaggedArray::from_unsorted_row_ids(rows, &ids, &numbers(ids.len())).map_err(refused)?;
    Ok(parts(py, &array))
}

/// Packs rows that lie anywhere in the leaves, given by their starts and sizes.
#[pyfunction]
pub fn ragged_views<'py>(
    py: Python<'py>,
    starts: &Bound<'py, PyUntypedArray>,
    sizes: &Bound<'py, PyUntypedArray>,
    leaves: usize,
) -> PyResult<Parts<'py>> {
    let (starts, sizes) = (integers(starts, "starts")?, integers(sizes, "sizes")?);
    let packed = RaggedArray::from_views(starts, sizes, numbers(leaves)).and_then(|array| array.pack());
    Ok(parts(py, &packed.map_err(refused)?))
}

/// Returns elements of an axis as outer rows, by their numbers through all lists of the axis; -1 is a missing element. `missing` has
/// for each level a bool for each list, true if it is missing, or no bools if none is.
#[pyfunction]
pub fn ragged_elements<'py>(
    py: Python<'py>,
    offsets: Offsets<'py>,
    missing: Vec<Bound<'py, PyUntypedArray>>,
    leaves: usize,
    axis: usize,
    numbers: &Bound<'py, PyUntypedArray>,
) -> PyResult<(Parts<'py>, Vec<Bound<'py, PyAny>>)> {
    let missing = missing.iter().map(|level| bools(level, "missing")).collect::<PyResult<Vec<_>>>()?;
    let numbers: Vec<Option<usize>> = integers(numbers, "numbers")?.into_iter().map(|number| usize::try_from(number).ok()).collect();
    let leaves: Vec<Option<i64>> = (0..leaves as i64).map(Some).collect();
    let (array, missing) =
        over(&offsets, &leaves, |array| Ok(OptionArray::new(array.view(), missing)?.elements(axis, &numbers)?.into_parts()))?;
    let missing = missing.into_iter().map(|level| level.into_pyarray(py).into_any()).collect();
    Ok((parts(py, &some(array).map_err(refused)?), missing))
}
