//! Reads and writes tensors in the format of `save_npz` of PyData's Python package `sparse`.

use super::scipy::{columns, put_compressed, put_coordinates};
use super::{Archive, ArchiveWriter, shape};
use crate::compressed::pointers;
use crate::error::{FileError, Result};
use crate::size_limits::coordinates;
use crate::value::{AnyArray, AnyTensor, AnyValues, Dedupe};
use sparse_formats::{Arrays, AxisMap, Format, SparseError, Widths};
use std::io::{Seek, Write};

/// A format of the PyData package `sparse`.
///
/// ```
/// use sparse_files::npz::Pydata;
/// use sparse_files::{FileKind, ReadOptions, WriteOptions, read_bytes, tns, write_to};
/// let a = tns::read(b"1 2 3 0.5\n2 1 1 4\n", None)?;
/// let mut file = std::io::Cursor::new(Vec::new());
/// // Rows are axis 2, columns the axes 0 and 1, as by `GCXS.from_coo(a, compressed_axes=[2])`.
/// write_to(&mut file, &a, FileKind::Pydata, &WriteOptions { pydata: Pydata::Gcxs(vec![2]), ..WriteOptions::default() })?;
/// let (b, kind) = read_bytes(file.into_inner().into(), "a.npz", &ReadOptions::default())?;
/// assert_eq!((kind, b.typed::<f64>().expect("float64")?.at(&[0, 1, 2])), (FileKind::Pydata, Some(&0.5)));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pydata {
    /// A list of coordinates, which is written sorted by the axes in their order.
    Coo,
    /// Compressed rows of a matrix. Its rows flatten the axes in this list, and its columns the others. Axes count from 0.
    Gcxs(Vec<usize>),
}

/// Tests whether an archive without a `format`, as versions before 0.19.1 write it, has the arrays of a tensor.
pub(crate) fn is_untagged(archive: &Archive<'_>) -> bool {
    ["data", "shape", "fill_value"].iter().all(|name| archive.has(name)) && (archive.has("coords") || archive.has("indptr"))
}

/// Returns the format of an archive: the text in the array `format`, else `coo` if there is an array `coords`, else `gcxs`.
/// Fails if `format` is no text.
fn format(archive: &mut Archive<'_>) -> Result<String> {
    Ok(match archive.get("format", 1)? {
        Some(format) => format.text("format")?.to_owned(),
        None if archive.has("coords") => "coo".into(),
        None => "gcxs".into(),
    })
}

/// Lists the names of the arrays that an archive of PyData has by its format. The list is empty if the format is not known.
/// Fails if the array `format` is no text.
pub(crate) fn arrays(archive: &mut Archive<'_>) -> Result<Vec<String>> {
    let of_format: &[&str] = match &format(archive)?[..] {
        "coo" => &["coords"],
        "gcxs" => &["indptr", "indices", "compressed_axes"],
        _ => return Ok(Vec::new()),
    };
    Ok(["format", "shape", "data", "fill_value"].iter().chain(of_format).map(|name| (*name).to_owned()).collect())
}

/// Reads the tensor of an archive, with its fill value. Fails for an unknown format, and if an array is missing or does not
/// fit.
///
/// ```
/// use sparse_files::AnyArray;
/// use sparse_files::npz::{Archive, ArchiveWriter, read_pydata};
/// let mut archive = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), false);
/// archive.put_list("shape", &AnyArray::from_values(vec![2i64, 3]))?;
/// archive.put("coords", &[2, 1], &AnyArray::from_values(vec![1i64, 2]))?;
/// archive.put_list("data", &AnyArray::from_values(vec![4.0]))?;
/// archive.put("fill_value", &[], &AnyArray::from_values(vec![f64::INFINITY]))?;
/// let file = archive.finish()?.into_inner();
/// let a = read_pydata(&mut Archive::open(&file)?)?;
/// assert_eq!(a.typed::<f64>().expect("float64")?.at(&[1, 2]), Some(&4.0));
/// assert_eq!(a.fill(), AnyArray::from_values(vec![f64::INFINITY]));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn read(archive: &mut Archive<'_>) -> Result<AnyTensor<'static>> {
    let format = format(archive)?;
    let extents = shape(archive)?;
    let most = coordinates(&extents);
    let fill = archive.need("fill_value", 1)?.values("fill_value")?;
    let list = |columns, data: AnyArray<'static>| {
        let element = data.element();
        // A tensor without axes has one element, which is stored unless it equals the fill value.
        let data = if extents.is_empty() && data.is_empty() { fill.clone() } else { data };
        AnyTensor::list(&extents, columns, AnyValues::Each(data), element)?.with_fill(&fill)
    };
    match &format[..] {
        "coo" => {
            let data = archive.list("data", most)?;
            list(columns(archive.need("coords", most.saturating_mul(extents.len() as u64))?, extents.len())?, data)
        }
        "gcxs" => {
            let axes = archive.list("compressed_axes", extents.len() as u64)?.into_indices("compressed_axes")?;
            let axes: Vec<usize> = axes.iter().map(|axis| axis as usize).collect();
            if extents.len() == 1 {
                let indices = archive.list("indices", most)?.into_indices("indices")?;
                return list(vec![indices], archive.list("data", most)?);
            }
            let map = AxisMap::rows(&extents, &axes).map_err(SparseError::from)?;
            let (indptr, most) = pointers(&mut |name, most| archive.list(name, most), map.extents()[0], most)?;
            let (indices, data) = (archive.list("indices", most)?.into_indices("indices")?, archive.list("data", most)?);
            let element = data.element();
            let arrays = Arrays::new().with_pointers(0, indptr).with_indices(1, indices);
            let matrix = AnyTensor::of_arrays(map.extents(), Format::csr(), arrays, AnyValues::Each(data), element)?;
            match axes[..] {
                // Each group is a single axis, so the matrix is the tensor.
                [0] if extents.len() == 2 => matrix.with_fill(&fill),
                _ => list(map.promote_columns(&matrix.coordinates()?)?, matrix.each_value().into_owned()),
            }
        }
        other => Err(FileError::Kind { what: format!("a PyData tensor of format `{other}`") }),
    }
}

/// Writes a tensor. One triangle that represents both is expanded.
///
/// Fails if two elements have the same coordinate, if the output fails, and for `Gcxs` as [`AxisMap::rows`] does.
///
/// ```
/// use sparse_files::npz::{Archive, ArchiveWriter, Pydata, read_pydata, write_pydata};
/// use sparse_files::tns;
/// let a = tns::read(b"1 2 0.5\n2 1 4\n", None)?;
/// let mut archive = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), true);
/// write_pydata(&mut archive, &a, &Pydata::Coo)?;
/// let file = archive.finish()?.into_inner();
/// assert_eq!(read_pydata(&mut Archive::open(&file)?)?, a);
/// // An axis that the tensor lacks.
/// let mut archive = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), true);
/// assert!(write_pydata(&mut archive, &a, &Pydata::Gcxs(vec![2])).is_err());
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn write<W: Write + Seek>(out: &mut ArchiveWriter<W>, tensor: &AnyTensor<'_>, format: &Pydata) -> Result<()> {
    if tensor.attributes().is_one_triangle() {
        return write(out, &tensor.expand()?, format);
    }
    let rank = tensor.shape().len();
    out.put_text("format", if *format == Pydata::Coo { "coo" } else { "gcxs" })?;
    out.put_list("shape", &super::signed(&tensor.shape().into(), "shape")?)?;
    let fill = tensor.fill();
    match format {
        Pydata::Coo => {
            let plain = Format::coo(rank);
            let tensor = if tensor.format() == &plain { tensor.view() } else { tensor.convert(&plain, Dedupe::Refuse)? };
            put_coordinates(out, &tensor.coordinates()?, tensor.values_len())?;
            out.put_list("data", &tensor.each_value())?;
        }
        Pydata::Gcxs(axes) => {
            let map = AxisMap::rows(tensor.shape(), axes).map_err(SparseError::from)?;
            let columns = map.reduce_columns(&tensor.coordinates()?)?;
            let values = AnyValues::Each(tensor.each_value());
            let format = if rank == 1 { Format::coo(1) } else { Format::csr() };
            let columns = &columns[columns.len() - format.rank()..];
            let groups = &map.extents()[map.extents().len() - format.rank()..];
            let matrix = AnyTensor::build(groups, columns, &values, &format, Dedupe::Refuse, &Widths::narrowest())?;
            if rank == 1 {
                out.put_list("indptr", &AnyArray::from_values(Vec::<i64>::new()))?;
                let indices = matrix.pattern().indices(0).ok_or_else(|| FileError::Missing { array: "indices".into() })?;
                out.put_list("indices", &super::signed(indices, "indices")?)?;
            } else {
                put_compressed(out, &matrix)?;
            }
            out.put_list("compressed_axes", &AnyArray::from_values(axes.iter().map(|axis| *axis as i64).collect::<Vec<i64>>()))?;
            out.put_list("data", &matrix.each_value())?;
        }
    }
    // A pattern is written with the value `true`, so elements that are not stored are `false`.
    let fill = if tensor.values() == AnyValues::PatternOnly { AnyArray::from_values(vec![false]) } else { fill };
    out.put("fill_value", &[], &fill)
}
