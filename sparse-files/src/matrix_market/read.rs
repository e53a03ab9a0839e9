//! Reads Matrix Market files.

use super::header::{Header, Values};
use crate::ElementType;
use crate::error::{FileError, Result};
use crate::progress::Progress;
use crate::size_limits::coordinates;
use crate::text::{self, Claim, Field, Layout};
use crate::value::{AnyArray, AnyTensor, AnyValues, Element};
use layout_levels::Index;
use num_complex::Complex;
use sparse_formats::{Attributes, Indices, SparseError, Symmetry, Triangle, with_indices};

/// The key of the comments among the attributes of a tensor.
pub(super) const COMMENT: &str = "comment";

/// Reads the matrix or the vector of a text, with its elements in the order of the text.
///
/// Integers become `int64`. They become `uint64` if they need it, or if the text declares them unsigned and mirror
/// images need no sign. Real numbers become `float64`, and complex numbers `complex[float64]`. A pattern has no
/// values. A symmetric matrix keeps its one triangle, as its attributes record. Comments become the attribute
/// `comment`.
///
/// Fails at the first error in the text, with its line and column. Also fails if there are more or fewer entries than
/// announced.
///
/// ```
/// let text = b"%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 0.5\n3 2 -4e2\n";
/// let a = sparse_files::matrix_market::read(text)?;
/// assert_eq!(a.stored(), 2);
/// assert_eq!(a.expand()?.typed::<f64>().unwrap()?.at(&[1, 2]), Some(&-400.0));
/// let error = sparse_files::matrix_market::read(b"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 4 0.5\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 3, column 3: coordinate 4 of axis 1 is out of range; expected 1 to 3");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn read(text: &[u8]) -> Result<AnyTensor<'static>> {
    read_with(text, &Progress::default())
}

/// Reads a text like [`read`], and fails as it does. Reports the bytes read to `progress`.
pub(crate) fn read_with(text: &[u8], progress: &Progress) -> Result<AnyTensor<'static>> {
    let header = Header::read(text, progress)?;
    let body = &text[header.body..];
    let tensor = match header.values {
        Values::Real => tensor::<f64>(body, &header)?,
        Values::Complex => tensor::<Complex<f64>>(body, &header)?,
        Values::Unsigned => tensor::<u64>(body, &header)?,
        Values::Integer => match tensor::<i64>(body, &header) {
            // Larger values may fit an unsigned type, but half of a skew-symmetric matrix is negative.
            Err(error @ FileError::Text { .. }) if header.symmetry != Some(Symmetry::Skew) => {
                tensor::<u64>(body, &header).map_err(|_| error)?
            }
            tensor => tensor?,
        },
        Values::Pattern => pattern(body, &header)?,
    };
    described(tensor, header, body)
}

/// Returns the bounds that the first lines of a text announce, or `None` if they are no complete and valid header.
pub(crate) fn claim(text: &[u8]) -> Option<Claim> {
    let silent = Progress::default();
    let header = Header::read(text, &silent).ok()?;
    let most = coordinates(&header.shape);
    let values = match header.values {
        Values::Pattern => 0,
        Values::Complex => 2,
        _ => 1,
    };
    let numbers = if header.coordinates { header.shape.len() + values } else { values };
    Some(Claim { entries: header.entries.map_or(most, |entries| entries.min(most)), numbers, before: header.body })
}

impl Header<'_> {
    /// Returns the values as an array. Unsigned values of a skew-symmetric matrix become signed if all of them fit into 63
    /// bits, because half of the matrix is negative. A valid header does not fail.
    fn values<T: Element>(&self, values: Vec<T>) -> Result<AnyArray<'static>> {
        let array = AnyArray::from_values(values);
        let unsigned = |values: &[u64]| self.symmetry == Some(Symmetry::Skew) && values.iter().all(|value| i64::try_from(*value).is_ok());
        if array.values::<u64>().is_some_and(|values| unsigned(&values)) {
            array.reinterpreted("values", ElementType::I64)
        } else {
            Ok(array)
        }
    }

    fn layout(&self) -> Layout<'_> {
        Layout {
            rank: self.shape.len(),
            extents: Some(&self.shape),
            base: 1,
            entries: self.entries,
            comment: b'%',
            line: self.line,
            progress: self.progress,
        }
    }

    /// Tests whether all coordinates fit 32 bits.
    fn narrow(&self) -> bool {
        self.shape.iter().all(|extent| *extent <= 1 << 32)
    }
}

fn pattern(body: &[u8], header: &Header<'_>) -> Result<AnyTensor<'static>> {
    let columns = match header.narrow() {
        true => indices(text::read::<u32, ()>(body, &header.layout())?.columns),
        false => indices(text::read::<u64, ()>(body, &header.layout())?.columns),
    };
    AnyTensor::list(&header.shape, columns, AnyValues::PatternOnly, ElementType::Bool)
}

fn indices<I>(columns: Vec<Vec<I>>) -> Vec<Indices<'static>>
where
    Indices<'static>: From<Vec<I>>,
{
    columns.into_iter().map(Indices::from).collect()
}

fn tensor<T: Element + Field>(body: &[u8], header: &Header<'_>) -> Result<AnyTensor<'static>> {
    if !header.coordinates {
        return array::<T>(body, header);
    }
    let (columns, values) = if header.narrow() {
        let read = text::read::<u32, T>(body, &header.layout())?;
        (indices(read.columns), read.values)
    } else {
        let read = text::read::<u64, T>(body, &header.layout())?;
        (indices(read.columns), read.values)
    };
    let values = header.values(values)?;
    let element = values.element();
    AnyTensor::list(&header.shape, columns, AnyValues::Each(values), element)
}

/// Reads a text with the values of all elements, column by column. A matrix with a symmetry has only the values of the lower
/// triangle, a skew-symmetric one without the diagonal. Fails at the first invalid line, or if the number of values differs.
fn array<T: Element + Field>(body: &[u8], header: &Header<'_>) -> Result<AnyTensor<'static>> {
    let extent = header.shape[0];
    let entries = match header.symmetry {
        None => header.shape.iter().try_fold(1u64, |entries, extent| entries.checked_mul(*extent)),
        Some(Symmetry::Skew) => extent.checked_mul(extent.saturating_sub(1)).map(|twice| twice / 2),
        Some(_) => extent.checked_add(1).and_then(|next| extent.checked_mul(next)).map(|twice| twice / 2),
    };
    // A number of entries beyond 64 bits exceeds the length of any text.
    let values = text::column::<T>(body, &Layout { entries: Some(entries.unwrap_or(u64::MAX)), ..header.layout() })?;
    let values = header.values(values)?;
    let element = values.element();
    if header.symmetry.is_none() {
        let order: Vec<usize> = (0..header.shape.len()).rev().collect();
        return AnyTensor::dense(&header.shape, &order, values);
    }
    let first = u64::from(header.symmetry == Some(Symmetry::Skew));
    // The number of values has been checked, so the coordinates fit in memory.
    let (rows, columns): (Vec<u64>, Vec<u64>) = (0..extent).flat_map(|j| (j + first..extent).map(move |i| (i, j))).unzip();
    let columns = [rows, columns].iter().map(|column| Indices::narrowest(column)).collect();
    AnyTensor::list(&header.shape, columns, AnyValues::Each(values), element)
}

/// Adds the symmetry, the triangle and the comments of the header to a tensor. Fails if a matrix with a symmetry stores both
/// triangles, or if a skew-symmetric one has a diagonal other than 0.
fn described(tensor: AnyTensor<'static>, header: Header<'_>, body: &[u8]) -> Result<AnyTensor<'static>> {
    let mut attributes = Attributes { symmetry: header.symmetry, ..Attributes::default() };
    if !header.comments.is_empty() {
        attributes.user.insert(COMMENT.into(), header.comments.join("\n"));
    }
    let Some(symmetry) = header.symmetry else { return tensor.with_attributes(attributes) };
    let columns = tensor.pattern().coordinates()?;
    let (mut lower, mut upper, mut diagonal) = (false, false, Vec::new());
    with_indices!(&columns[0], rows => with_indices!(&columns[1], columns => {
        for (at, (row, column)) in rows.iter().zip(columns.iter()).enumerate() {
            let (row, column) = (row.to_u64(), column.to_u64());
            lower |= row > column;
            upper |= row < column;
            if row == column && symmetry == Symmetry::Skew {
                diagonal.push((at, row + 1));
            }
        }
    }));
    let values = tensor.each_value();
    // The diagonal equals its own negative, so it is 0 and need not be stored. Some files store it.
    let other = crate::with_element!(values.element(), T => {
        let values = values.values::<T>().unwrap_or_default();
        diagonal.into_iter().find(|(at, _)| values.get(*at).is_some_and(|value| *value != T::default()))
    });
    if let Some((at, row)) = other {
        let line = text::line_of(body, &header.layout(), at);
        let what = format!("a nonzero element on the diagonal, at ({row}, {row}) in line {line}");
        return Err(FileError::NoPlace { what, kind: "a skew-symmetric matrix" });
    }
    // The standard stores the lower triangle, but some files have the upper one. Both triangles together are an
    // error, which names the first entry outside the lower one.
    attributes.triangle = Some(if upper && !lower { Triangle::Upper } else { Triangle::Lower });
    drop((columns, values));
    tensor.with_attributes(attributes).map_err(|error| match error {
        FileError::Tensor(SparseError::Outside { at, coordinate, triangle }) => {
            let found = coordinate.iter().map(|index| index + 1).collect();
            FileError::TextTriangle { line: text::line_of(body, &header.layout(), at), found, triangle }
        }
        error => error,
    })
}
