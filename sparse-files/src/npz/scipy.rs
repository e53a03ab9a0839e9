//! Reads and writes matrices and arrays in the format of `scipy.sparse.save_npz`.

use super::{Archive, ArchiveWriter, shape, signed};
use crate::ElementType;
use crate::compressed;
use crate::error::{FileError, Result};
use crate::npy::NpyArray;
use crate::size_limits::coordinates;
use crate::value::{AnyArray, AnyTensor, AnyValues, Dedupe};
use layout_levels::Index;
use sparse_formats::{Arrays, Format, Indices, LevelKind, SparseError, Widths, with_indices};
use std::io::{Seek, Write};

/// A format in which SciPy stores a matrix or an array.
///
/// ```
/// use sparse_files::npz::Scipy;
/// use sparse_files::{FileKind, WriteOptions, tns, write_to};
/// use std::io::Cursor;
/// let a = tns::read(b"1 2 0.5\n4 6 4\n", None)?;
/// let written = |scipy| {
///     let options = WriteOptions { scipy: Some(scipy), ..WriteOptions::default() };
///     write_to(Cursor::new(Vec::new()), &a, FileKind::Scipy, &options)
/// };
/// assert_eq!(written(Scipy::Bsr(2, 3)), Ok(()));
/// let error = written(Scipy::Bsr(3, 3)).unwrap_err().to_string();
/// assert_eq!(error, "the format bsr cannot hold a matrix of extents [4, 6], because blocks of 3 by 3 do not divide it");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scipy {
    /// Compressed rows.
    Csr,
    /// Compressed columns.
    Csc,
    /// Coordinates, in their stored order.
    Coo,
    /// Compressed rows of blocks, with the numbers of rows and columns of a block.
    Bsr(u64, u64),
    /// Diagonals: all values of each diagonal that has one.
    Dia,
}

/// Reads the matrix or the array of an archive. The index arrays are kept as they are, except that blocks and diagonals become
/// coordinate lists. Zeros on diagonals are dropped. Fails for an unknown format, and if an array is missing or does not fit.
///
/// ```
/// use sparse_files::AnyArray;
/// use sparse_files::npz::{Archive, ArchiveWriter, read_scipy};
/// let mut archive = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), false);
/// archive.put_text("format", "dia")?;
/// archive.put_list("shape", &AnyArray::from_values(vec![3i64, 3]))?;
/// // The diagonal above the main one, where the value of column 0 is unused.
/// archive.put_list("offsets", &AnyArray::from_values(vec![1i32]))?;
/// archive.put("data", &[1, 3], &AnyArray::from_values(vec![9.0, 0.5, 4.0]))?;
/// let file = archive.finish()?.into_inner();
/// let a = read_scipy(&mut Archive::open(&file)?)?;
/// assert_eq!((a.stored(), a.typed::<f64>().expect("float64")?.at(&[0, 1])), (2, Some(&0.5)));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn read(archive: &mut Archive<'_>) -> Result<AnyTensor<'static>> {
    let format = archive.need("format", 1)?;
    let extents = shape(archive)?;
    match (format.text("format")?, extents.len()) {
        ("csr", 1) => vector(archive, &extents),
        ("csr", 2) => compressed::matrix(&mut |name, most| archive.list(name, most), &extents, Format::csr()),
        ("csc", 2) => compressed::matrix(&mut |name, most| archive.list(name, most), &extents, Format::csc()),
        ("coo", _) => list(archive, &extents),
        ("bsr", 2) => blocks(archive, &extents),
        ("dia", 2) => diagonals(archive, &extents),
        (other, rank) => Err(FileError::Kind { what: format!("a SciPy array of format `{other}` with {rank} axes") }),
    }
}

/// Lists the names of the arrays that an archive of SciPy has by its format. The list is empty if the format is not known.
/// Fails if the array `format` is missing or no text.
pub(crate) fn arrays(archive: &mut Archive<'_>) -> Result<Vec<String>> {
    let format = archive.need("format", 1)?;
    let of_format: &[&str] = match format.text("format")? {
        "csr" | "csc" | "bsr" => &["indptr", "indices"],
        "coo" if archive.has("coords") => &["coords"],
        "coo" => &["row", "col"],
        "dia" => &["offsets"],
        _ => return Ok(Vec::new()),
    };
    Ok(["format", "shape", "data", "_is_array"].iter().chain(of_format).map(|name| (*name).to_owned()).collect())
}

fn indices(archive: &mut Archive<'_>, name: &str, most: u64) -> Result<Indices<'static>> {
    archive.list(name, most)?.into_indices(name)
}

fn pointers(archive: &mut Archive<'_>, rows: u64, places: u64) -> Result<(Indices<'static>, u64)> {
    compressed::pointers(&mut |name, most| archive.list(name, most), rows, places)
}

fn vector(archive: &mut Archive<'_>, extents: &[u64]) -> Result<AnyTensor<'static>> {
    let (pointers, most) = pointers(archive, 1, coordinates(extents))?;
    let indices = indices(archive, "indices", most)?;
    let expected = vec![0, indices.len() as u64];
    let found: Vec<u64> = pointers.iter().collect();
    if found != expected {
        return Err(sparse_formats::InterchangeError::Root { found, expected: indices.len() }.into());
    }
    let data = archive.list("data", most)?;
    let element = data.element();
    AnyTensor::of_arrays(extents, Format::vector(), Arrays::new().with_indices(0, indices), AnyValues::Each(data), element)
}

fn list(archive: &mut Archive<'_>, extents: &[u64]) -> Result<AnyTensor<'static>> {
    let most = coordinates(extents);
    let columns = if archive.has("coords") {
        columns(archive.need("coords", most.saturating_mul(extents.len() as u64))?, extents.len())?
    } else {
        vec![indices(archive, "row", most)?, indices(archive, "col", most)?]
    };
    if columns.len() != extents.len() {
        return Err(SparseError::Columns { found: columns.len(), expected: extents.len() }.into());
    }
    let data = archive.list("data", most)?;
    let element = data.element();
    AnyTensor::list(extents, columns, AnyValues::Each(data), element)
}

/// Splits the array `coords`, of shape `(rank, elements)`, into one column per axis. Fails if it has another shape, or if its
/// numbers are no indices.
pub(super) fn columns(array: NpyArray<'static>, rank: usize) -> Result<Vec<Indices<'static>>> {
    let (shape, fortran) = (array.shape.clone(), array.fortran);
    let wrong =
        || FileError::ArrayShape { array: "coords".into(), found: shape.clone(), expected: format!("[{rank}, number of elements]") };
    let [axes, elements] = shape[..] else { return Err(wrong()) };
    if axes != rank as u64 {
        return Err(wrong());
    }
    let (all, elements) = (array.values("coords")?.into_indices("coords")?, elements as usize);
    // The array has `rank * elements` numbers, so `elements` fits in memory.
    Ok(with_indices!(&all, all => (0..rank)
        .map(|axis| match fortran {
            false => all[axis * elements..(axis + 1) * elements].to_vec().into(),
            true => all.iter().skip(axis).step_by(rank).copied().collect::<Vec<_>>().into(),
        })
        .collect()))
}

fn blocks(archive: &mut Archive<'_>, extents: &[u64]) -> Result<AnyTensor<'static>> {
    let data = archive.need("data", coordinates(extents))?;
    let wrong = |found: &[u64]| FileError::ArrayShape {
        array: "data".into(),
        found: found.to_vec(),
        expected: "[blocks, rows, columns], with rows and columns that divide the matrix".into(),
    };
    let [_, rows, columns] = data.shape[..] else { return Err(wrong(&data.shape)) };
    let divides = |size: u64, extent: u64| size > 0 && extent.is_multiple_of(size);
    if !divides(rows, extents[0]) || !divides(columns, extents[1]) || data.fortran {
        return Err(wrong(&data.shape));
    }
    let data = data.values("data")?;
    let element = data.element();
    let format = Format::new(&[LevelKind::Pointers, LevelKind::Indices], &[0, 1, 2, 3]).map_err(SparseError::from)?;
    let split = [extents[0] / rows, extents[1] / columns, rows, columns];
    let (pointers, most) = pointers(archive, split[0], coordinates(&split[..2]))?;
    let arrays = Arrays::new().with_pointers(0, pointers).with_indices(1, indices(archive, "indices", most)?);
    let blocked = AnyTensor::of_arrays(&split, format, arrays, AnyValues::Each(data), element)?;
    let [i, j, r, c] = &blocked.coordinates()?[..] else { return Err(wrong(&split)) };
    let joined = |block: &Indices, inside: &Indices, size: u64| {
        Indices::narrowest(&block.iter().zip(inside.iter()).map(|(block, inside)| block * size + inside).collect::<Vec<_>>())
    };
    let joined = vec![joined(i, r, rows), joined(j, c, columns)];
    AnyTensor::list(extents, joined, AnyValues::Each(blocked.each_value().into_owned()), element)
}

fn diagonals(archive: &mut Archive<'_>, extents: &[u64]) -> Result<AnyTensor<'static>> {
    // Offsets are distinct, and a diagonal has no value beyond the last column.
    let offsets = archive.list("offsets", extents[0].saturating_add(extents[1]))?;
    let data = archive.need("data", extents[1].saturating_mul(offsets.len() as u64))?;
    let (shape, fortran) = (data.shape.clone(), data.fortran);
    let wrong = || FileError::ArrayShape {
        array: "data".into(),
        found: shape.clone(),
        expected: format!("[{}, columns], one row for each diagonal", offsets.len()),
    };
    let [count, length] = shape[..] else { return Err(wrong()) };
    if count != offsets.len() as u64 || fortran {
        return Err(wrong());
    }
    let numbers: Vec<i64> = match offsets.element() {
        ElementType::I64 => offsets.values::<i64>().unwrap_or_default().into_owned(),
        ElementType::I32 => offsets.values::<i32>().unwrap_or_default().iter().map(|x| i64::from(*x)).collect(),
        found => return Err(FileError::IndexType { array: "offsets".into(), found }),
    };
    let data = data.values("data")?;
    let element = data.element();
    crate::with_element!(element, T => {
        let values = data.values::<T>().unwrap_or_default();
        let (mut rows, mut columns, mut kept): (Vec<u64>, Vec<u64>, Vec<T>) = (Vec::new(), Vec::new(), Vec::new());
        for (offset, values) in numbers.iter().zip(values.chunks(length.max(1) as usize)) {
            for (column, value) in (0u64..).zip(values) {
                let row = column.checked_add_signed(offset.checked_neg().unwrap_or(i64::MAX)).filter(|row| *row < extents[0]);
                if let Some(row) = row.filter(|_| column < extents[1] && *value != T::default()) {
                    rows.push(row);
                    columns.push(column);
                    kept.push(*value);
                }
            }
        }
        let columns = vec![Indices::narrowest(&rows), Indices::narrowest(&columns)];
        AnyTensor::list(extents, columns, AnyValues::Each(AnyArray::from_values(kept)), element)
    })
}

/// Writes a matrix, or an array of any rank as `Scipy::Coo`. One triangle that represents both is expanded.
///
/// Fails if the fill value is not 0, if a tensor for another format than `Coo` is no matrix, if blocks do not divide
/// the extents, if diagonals would be almost empty, or if a conversion finds two elements with the same coordinate.
///
/// ```
/// use sparse_files::npz::{Archive, ArchiveWriter, Scipy, write_scipy};
/// use sparse_files::tns;
/// let a = tns::read(b"1 2 0.5\n1 1 4\n3 3 7\n", None)?;
/// let mut archive = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), true);
/// write_scipy(&mut archive, &a, Scipy::Csr)?;
/// let file = archive.finish()?.into_inner();
/// let mut archive = Archive::open(&file)?;
/// assert_eq!(archive.need("format", 1)?.text("format")?, "csr");
/// assert_eq!(archive.list("indptr", 4)?.values::<i32>().as_deref(), Some(&[0, 2, 2, 3][..]));
/// assert_eq!(archive.list("data", 3)?.values::<f64>().as_deref(), Some(&[4.0, 0.5, 7.0][..]));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn write<W: Write + Seek>(out: &mut ArchiveWriter<W>, tensor: &AnyTensor<'_>, format: Scipy) -> Result<()> {
    let no_place = |what: String| Err(FileError::NoPlace { what, kind: "a SciPy matrix" });
    if !tensor.fill_is_zero() {
        return no_place("a fill value that is not 0".into());
    }
    if tensor.shape().len() != 2 && format != Scipy::Coo {
        return no_place(format!("a tensor of {} axes", tensor.shape().len()));
    }
    if tensor.attributes().is_one_triangle() {
        return write(out, &tensor.expand()?, format);
    }
    let name = match format {
        Scipy::Csr => "csr",
        Scipy::Csc => "csc",
        Scipy::Coo => "coo",
        Scipy::Bsr(..) => "bsr",
        Scipy::Dia => "dia",
    };
    out.put_text("format", name)?;
    out.put_list("shape", &signed(&Indices::from(tensor.shape()), "shape")?)?;
    out.put("_is_array", &[], &AnyArray::from_values(vec![true]))?;
    match format {
        Scipy::Coo => write_coordinates(out, tensor),
        Scipy::Csr => write_compressed(out, tensor, &Format::csr()),
        Scipy::Csc => write_compressed(out, tensor, &Format::csc()),
        Scipy::Bsr(rows, columns) => write_blocks(out, tensor, rows, columns),
        Scipy::Dia => write_diagonals(out, tensor),
    }
}

fn write_coordinates<W: Write + Seek>(out: &mut ArchiveWriter<W>, tensor: &AnyTensor<'_>) -> Result<()> {
    let columns = tensor.coordinates()?;
    if let [rows, columns] = &columns[..] {
        out.put_list("row", &signed(rows, "row")?)?;
        out.put_list("col", &signed(columns, "col")?)?;
    } else {
        put_coordinates(out, &columns, tensor.values_len())?;
    }
    out.put_list("data", &tensor.each_value())
}

/// Writes columns of `elements` coordinates as the single array `coords`. Fails if the output fails.
pub(super) fn put_coordinates<W: Write + Seek>(out: &mut ArchiveWriter<W>, columns: &[Indices<'_>], elements: usize) -> Result<()> {
    let all: Vec<i64> = columns.iter().flat_map(|column| column.iter().map(|x| x as i64).collect::<Vec<i64>>()).collect();
    out.put("coords", &[columns.len() as u64, elements as u64], &AnyArray::from_values(all))
}

fn write_compressed<W: Write + Seek>(out: &mut ArchiveWriter<W>, tensor: &AnyTensor<'_>, format: &Format) -> Result<()> {
    let tensor = if tensor.format().same_levels(format) { tensor.view() } else { tensor.convert(format, Dedupe::Refuse)? };
    put_compressed(out, &tensor)?;
    out.put_list("data", &tensor.each_value())
}

/// Writes the index arrays of compressed rows or columns. Fails if the format of the tensor is another, or if the output fails.
pub(super) fn put_compressed<W: Write + Seek>(out: &mut ArchiveWriter<W>, tensor: &AnyTensor<'_>) -> Result<()> {
    let missing = |name: &str| FileError::Missing { array: name.into() };
    let pointers = tensor.pattern().pointers(0).ok_or_else(|| missing("indptr"))?;
    let indices = tensor.pattern().indices(1).ok_or_else(|| missing("indices"))?;
    out.put_list("indptr", &signed(pointers, "indptr")?)?;
    out.put_list("indices", &signed(indices, "indices")?)
}

fn write_blocks<W: Write + Seek>(out: &mut ArchiveWriter<W>, tensor: &AnyTensor<'_>, rows: u64, columns: u64) -> Result<()> {
    let extents = tensor.shape();
    if rows == 0 || columns == 0 || !extents[0].is_multiple_of(rows) || !extents[1].is_multiple_of(columns) {
        return Err(FileError::NoPlace {
            what: format!("a matrix of extents {extents:?}, because blocks of {rows} by {columns} do not divide it"),
            kind: "the format bsr",
        });
    }
    let split = |column: &Indices, size: u64| {
        let of = |f: &dyn Fn(u64) -> u64| Indices::narrowest(&column.iter().map(f).collect::<Vec<_>>());
        [of(&|x| x / size), of(&|x| x % size)]
    };
    let given = tensor.coordinates()?;
    let ([i, r], [j, c]) = (split(&given[0], rows), split(&given[1], columns));
    let format = Format::new(&[LevelKind::Pointers, LevelKind::Indices], &[0, 1, 2, 3]).map_err(SparseError::from)?;
    let values = AnyValues::Each(tensor.each_value());
    let shape = [extents[0] / rows, extents[1] / columns, rows, columns];
    let blocked = AnyTensor::build(&shape, &[i, j, r, c], &values, &format, Dedupe::Refuse, &Widths::narrowest())?;
    put_compressed(out, &blocked)?;
    out.put("data", &[blocked.stored() as u64, rows, columns], &blocked.each_value())
}

fn write_diagonals<W: Write + Seek>(out: &mut ArchiveWriter<W>, tensor: &AnyTensor<'_>) -> Result<()> {
    let columns = tensor.coordinates()?;
    let too_long = || FileError::NoPlace { what: "a coordinate of more than 63 bits".into(), kind: "the format dia" };
    let offset = |(row, column): (u64, u64)| Some(i64::try_from(column).ok()? - i64::try_from(row).ok()?);
    let offsets: Vec<i64> = columns[0].iter().zip(columns[1].iter()).map(offset).collect::<Option<_>>().ok_or_else(too_long)?;
    let mut all = offsets.clone();
    all.sort_unstable();
    all.dedup();
    let length = columns[1].iter().max().map_or(0, |last| last + 1);
    let most = (tensor.values_len() as u64).saturating_mul(64).saturating_add(1 << 20);
    let size = length.checked_mul(all.len() as u64).filter(|size| *size <= most);
    let size = size.ok_or_else(|| FileError::NoPlace {
        what: format!("{} almost empty diagonals, which would take too much memory", all.len()),
        kind: "the format dia",
    })?;
    let values = tensor.each_value();
    crate::with_element!(values.element(), T => {
        let mut data = vec![T::default(); size as usize];
        let values = values.values::<T>().unwrap_or_default();
        with_indices!(&columns[1], columns => {
            for ((offset, column), value) in offsets.iter().zip(columns.iter()).zip(values.iter()) {
                let diagonal = all.binary_search(offset).unwrap_or_default();
                data[diagonal * length as usize + column.to_usize()] = *value;
            }
        });
        out.put_list("offsets", &AnyArray::from_values(all.clone()))?;
        out.put("data", &[all.len() as u64, length], &AnyArray::from_values(data))
    })
}
