//! Tensors as `save_npz` of the Python package `sparse` writes them.

use super::scipy::{columns, put_compressed, put_coordinates};
use super::{Archive, ArchiveWriter, shape};
use crate::error::{FileError, Result};
use crate::value::{AnyArray, AnyTensor, AnyValues, Dedupe};
use sparse_formats::{Arrays, Format, Gcxs, TensorError, Widths};
use std::io::{Seek, Write};

/// A format of PyData's `sparse`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pydata {
    /// Coordinates in the order of the axes.
    Coo,
    /// Compressed rows of groups of axes: those that make the rows.
    Gcxs(Vec<usize>),
}

/// The tensor of an archive, with its fill value.
pub fn read(archive: &mut Archive<'_>) -> Result<AnyTensor<'static>> {
    let format = archive.need("format")?;
    let extents = shape(archive)?;
    let data = archive.list("data")?;
    let element = data.element();
    let fill = archive.need("fill_value")?.values("fill_value")?;
    let list = |columns, values| AnyTensor::list(&extents, columns, values, element)?.with_fill(&fill);
    match format.text("format")? {
        "coo" => list(columns(archive.need("coords")?, extents.len())?, AnyValues::Each(data)),
        "gcxs" => {
            let axes: Vec<usize> =
                archive.list("compressed_axes")?.into_indices("compressed_axes")?.iter().map(|axis| axis as usize).collect();
            let (indptr, indices) = (archive.list("indptr")?.into_indices("indptr")?, archive.list("indices")?.into_indices("indices")?);
            if extents.len() == 1 {
                return list(vec![indices], AnyValues::Each(data));
            }
            let gcs = Gcxs::<u8>::groups(&extents, &axes).map_err(TensorError::from)?;
            let arrays = Arrays::new().with_pointers(0, indptr).with_indices(1, indices);
            let matrix = AnyTensor::of_arrays(gcs.group_shape(), Format::csr(), arrays, AnyValues::Each(data), element)?;
            match axes[..] {
                // The groups are the axes.
                [0] if extents.len() == 2 => matrix.with_fill(&fill),
                _ => list(gcs.promote_columns(&matrix.coordinates()?)?, AnyValues::Each(matrix.each_value().into_owned())),
            }
        }
        other => Err(FileError::Kind { what: format!("a tensor of PyData's of format `{other}`") }),
    }
}

/// Writes a tensor; one triangle that stands for both is expanded.
///
/// Fails for a tensor without axes, for a multigraph, and as [`Gcxs::groups`].
pub fn write<W: Write + Seek>(out: &mut ArchiveWriter<W>, tensor: &AnyTensor<'_>, format: &Pydata) -> Result<()> {
    if tensor.attributes().is_one_triangle() {
        return write(out, &tensor.expand()?, format);
    }
    let rank = tensor.shape().len();
    if rank == 0 {
        return Err(FileError::NoPlace { what: "a tensor without axes".into(), kind: "an archive of PyData's" });
    }
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
            let gcs = Gcxs::<u8>::groups(tensor.shape(), axes).map_err(TensorError::from)?;
            let columns = gcs.reduce_columns(&tensor.coordinates()?)?;
            let values = AnyValues::Each(tensor.each_value());
            let format = if rank == 1 { Format::coo(1) } else { Format::csr() };
            let columns = &columns[columns.len() - format.rank()..];
            let groups = &gcs.group_shape()[gcs.groups() - format.rank()..];
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
    // A pattern has values that are true, and elements that are not stored are false.
    let fill = if tensor.values() == AnyValues::PatternOnly { AnyArray::from_values(vec![false]) } else { fill };
    out.put("fill_value", &[], &fill)
}
