//! Converts columns to tensors, and tensors to columns.

use super::pandas;
use crate::ElementType;
use crate::binsparse::{self, VERSION, decode};
use crate::error::{FileError, Result};
use crate::row_slice::RowSlice;
use crate::size_limits::coordinates;
use crate::text::Field;
use crate::value::{AnyArray, AnyTensor, AnyValues, Dedupe, Element};
use num_complex::Complex;
use sparse_formats::binsparse::{DataType, Header, parse_json};
use sparse_formats::{CustomLevel, Format, Indices};
#[cfg(feature = "arrow")]
use std::borrow::Cow;
use std::ops::Range;

/// A table: named columns of numbers and bools, all of one length, and metadata texts by their keys.
#[derive(Default)]
pub(super) struct Table<'a> {
    pub columns: Vec<(String, AnyArray<'a>)>,
    pub metadata: Vec<(String, String)>,
    /// The number of rows of the file that the reader left out.
    pub left_out: u64,
}

/// The column with the coordinates on the first axis, in files with a descriptor.
pub(super) const FIRST_COORDINATES: &str = "indices_0";
/// The key of the descriptor in the metadata.
const DESCRIPTOR: &str = "binsparse";
/// The endings of the names of columns with the real and imaginary parts of complex values.
const PARTS: [&str; 2] = [".re", ".im"];

impl Table<'static> {
    /// Returns the table of a tensor, with its elements in the order of the axes.
    ///
    /// Fails if two elements have the same coordinate.
    pub fn of(tensor: &AnyTensor<'_>) -> Result<Table<'static>> {
        let coo = Format::coo(tensor.shape().len());
        let tensor = if tensor.format() == &coo { tensor.view() } else { tensor.convert(&coo, Dedupe::Refuse)? };
        let encoded = binsparse::encode(&tensor, VERSION)?;
        let metadata = vec![(DESCRIPTOR.into(), encoded.descriptor.to_string())];
        let mut table = Table { columns: Vec::new(), metadata, left_out: 0 };
        for (name, array) in encoded.arrays {
            match (&name[..], tensor.values()) {
                ("fill_value", _) => table.metadata.push((name, text(&tensor.fill()))),
                ("values", AnyValues::Each(values)) => table.push(name, values.into_owned()),
                // A table needs a column, and a tensor without axes has only its value.
                ("values", _) if tensor.shape().is_empty() => table.push(name, tensor.each_value().into_owned()),
                ("values", AnyValues::Iso(value)) => table.metadata.push((name, text(&value))),
                ("values", AnyValues::PatternOnly) => table.metadata.push((name, text(&AnyArray::from_values(vec![true])))),
                _ => table.columns.push((name, array.into_owned())),
            }
        }
        Ok(table)
    }

    /// Adds a column, or two columns for the real and imaginary parts of complex values.
    fn push(&mut self, name: String, values: AnyArray<'static>) {
        let parts = match (values.values::<Complex<f32>>(), values.values::<Complex<f64>>()) {
            (Some(values), _) => halves(&values),
            (_, Some(values)) => halves(&values),
            _ => return self.columns.push((name, values)),
        };
        self.columns.extend(PARTS.iter().zip(parts).map(|(end, part)| (format!("{name}{end}"), part)));
    }
}

/// Returns the real parts and the imaginary parts of complex values.
fn halves<T: Element>(values: &[Complex<T>]) -> [AnyArray<'static>; 2] {
    [|value: &Complex<T>| value.re, |value: &Complex<T>| value.im].map(|part| AnyArray::from_values(values.iter().map(part).collect()))
}

/// Returns the complex values of these parts, or `None` unless both are real numbers of one type and of the same length.
fn joined(re: &AnyArray<'_>, im: &AnyArray<'_>) -> Option<AnyArray<'static>> {
    fn of<T: Element>(re: &AnyArray<'_>, im: &AnyArray<'_>) -> Option<Vec<Complex<T>>> {
        let (re, im) = (re.values::<T>()?, im.values::<T>()?);
        (re.len() == im.len()).then(|| re.iter().zip(im.iter()).map(|(re, im)| Complex::new(*re, *im)).collect())
    }
    of::<f32>(re, im).map(AnyArray::from_values).or_else(|| of::<f64>(re, im).map(AnyArray::from_values))
}

impl<'a> Table<'a> {
    /// Returns the tensor of the table. `shape` is used if the table has no shape of its own. Without either, each extent is
    /// the greatest coordinate plus one. Fails if the columns are no coordinates and values of a tensor.
    pub fn tensor(mut self, shape: Option<&[u64]>) -> Result<AnyTensor<'a>> {
        self.join();
        match self.metadata.iter().position(|(key, _)| key == DESCRIPTOR) {
            Some(at) => {
                let (_, mut descriptor) = self.metadata.swap_remove(at);
                if self.left_out > 0 {
                    descriptor = fewer(&descriptor, self.left_out)?;
                }
                decode(&descriptor, &mut |name| self.array(name, &descriptor))
            }
            None => self.plain(shape),
        }
    }

    /// Replaces each two consecutive columns that are the parts of complex values by one column.
    fn join(&mut self) {
        let mut at = 0;
        while at + 1 < self.columns.len() {
            let [(re, first), (im, second)] = [&self.columns[at], &self.columns[at + 1]];
            let name = re.strip_suffix(PARTS[0]).filter(|name| im.strip_suffix(PARTS[1]) == Some(name)).map(str::to_owned);
            if let (Some(name), Some(joined)) = (name, joined(first, second)) {
                self.columns[at] = (name, joined);
                self.columns.remove(at + 1);
            }
            at += 1;
        }
    }

    fn take(&mut self, name: &str) -> Option<AnyArray<'a>> {
        let at = self.columns.iter().position(|(known, _)| known == name)?;
        Some(self.columns.remove(at).1)
    }

    /// Returns the array of this name: a column, or a metadata text of the type that the descriptor declares. Returns `None` if
    /// there is neither. Fails if the text is no value of this type.
    fn array(&mut self, name: &str, descriptor: &str) -> Result<Option<AnyArray<'a>>> {
        if let Some(column) = self.take(name) {
            return Ok(Some(column));
        }
        let Some((_, value)) = self.metadata.iter().find(|(key, _)| key == name) else { return Ok(None) };
        let descriptor: serde_json::Value = serde_json::from_str(descriptor).unwrap_or_default();
        let of = descriptor[DESCRIPTOR]["data_types"][name].as_str().and_then(|of| of.parse::<DataType>().ok());
        let wrong =
            || FileError::ArrayHeader { array: name.into(), what: format!("`{value}` is not a value of the type in the descriptor") };
        let element = of.and_then(ElementType::of).ok_or_else(wrong)?;
        crate::with_element!(element, T => {
            let mut at = 0;
            let read = <T as Field>::read(value.as_bytes(), &mut at).filter(|_| at == value.len()).ok_or_else(wrong)?;
            Ok(Some(AnyArray::from_values(vec![read])))
        })
    }

    /// Returns the maximum number of rows that a table can need: from the descriptor in the metadata, else from `shape`, else
    /// `u64::MAX`.
    pub fn most_rows(metadata: &[(String, String)], shape: Option<&[u64]>) -> u64 {
        let descriptor = metadata.iter().find(|(key, _)| key == DESCRIPTOR);
        match descriptor.and_then(|(_, descriptor)| Header::parse(descriptor).ok()) {
            Some(header) => header.stored.min(coordinates(&header.shape)),
            None => shape.map_or(u64::MAX, coordinates),
        }
    }

    /// Returns the coordinates on the first axis that `rows` selects, if the metadata has the descriptor of a list of all elements whose
    /// column `FIRST_COORDINATES` contains them. Otherwise returns `None`, and every row of the table is needed.
    pub fn first_coordinates(metadata: &[(String, String)], rows: RowSlice) -> Option<Range<u64>> {
        let (_, descriptor) = metadata.iter().find(|(key, _)| key == DESCRIPTOR)?;
        let header = Header::parse(descriptor).ok()?;
        let list = matches!(header.custom.levels(), [CustomLevel::Sparse(_)]) && header.custom.transpose().is_sorted();
        let extent = *header.shape.first()?;
        (list && header.structure.is_none() && header.index_base == 0).then(|| rows.of(extent))
    }

    /// Drops labels of rows. Moves the columns of any other pandas index to the front, because they are coordinates. Fails if
    /// an index is kept beside no or several other columns, or if a single column is left after labels were dropped.
    fn indexed(&mut self) -> Result<()> {
        let index = pandas::index(&self.metadata);
        let labels = self.columns.len();
        self.columns.retain(|(name, _)| !pandas::is_label(&self.metadata, name));
        let (mut index, rest): (Vec<_>, Vec<_>) = self.columns.drain(..).partition(|(name, _)| index.contains(name));
        let refused = |column: &str, columns: usize| Err(FileError::Labels { column: column.into(), columns });
        match (index.first(), rest.len()) {
            (Some((name, _)), columns) if columns != 1 => return refused(name, columns),
            (None, 1) if labels > 1 => return refused("__index_level_0__", 1),
            _ => {}
        }
        index.extend(rest);
        self.columns = index;
        Ok(())
    }

    /// Returns the tensor of a table without a descriptor. Fails if the table has no column, or if the columns are no
    /// coordinates and values of a tensor.
    fn plain(mut self, shape: Option<&[u64]>) -> Result<AnyTensor<'a>> {
        self.indexed()?;
        let named = self.columns.iter().position(|(name, _)| matches!(&name.to_ascii_lowercase()[..], "value" | "values"));
        let Some(at) = named.or(self.columns.len().checked_sub(1)) else { return Err(FileError::Missing { array: "values".into() }) };
        let (_, values) = self.columns.remove(at);
        let element = values.element();
        let columns = self.columns.into_iter().map(|(name, column)| column.into_indices(&name)).collect::<Result<Vec<Indices>>>()?;
        AnyTensor::list_within(shape, columns, AnyValues::Each(values), element)
    }
}

/// Returns a descriptor of a tensor without `left_out` of its elements.
fn fewer(descriptor: &str, left_out: u64) -> Result<String> {
    let stored = Header::parse(descriptor)?.stored;
    let mut about = parse_json(descriptor)?;
    let inside = if about[DESCRIPTOR].is_object() { &mut about[DESCRIPTOR] } else { &mut about };
    inside["number_of_stored_values"] = stored.saturating_sub(left_out).into();
    Ok(about.to_string())
}

/// Returns the first value of an array as text.
fn text(value: &AnyArray<'_>) -> String {
    let mut out = Vec::new();
    crate::with_element!(value.element(), T => {
        if let Some(value) = value.values::<T>().and_then(|values| values.first().copied()) {
            Field::write(value, &mut out);
        }
    });
    String::from_utf8(out).unwrap_or_default()
}

/// Appends `more` to `all`. If `all` is empty, it becomes `more` without a copy.
#[cfg(feature = "arrow")]
pub(super) fn append<'a>(all: &mut Cow<'a, [u8]>, more: Cow<'a, [u8]>) {
    if all.is_empty() {
        *all = more;
    } else {
        all.to_mut().extend_from_slice(&more);
    }
}
