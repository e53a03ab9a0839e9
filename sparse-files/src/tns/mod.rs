//! FROSTT: tensors of any rank as text. Each line has the coordinates and the value of an element.

mod header;

use crate::error::{FileError, Result};
use crate::progress::Progress;
use crate::text::{self, Claim, Field, Layout, blank};
use crate::value::{AnyArray, AnyTensor, AnyValues, Element};
use header::{Header, PLAIN};
use sparse_formats::Indices;
use std::io::Write;

/// Reads the tensor of a text, with its elements in the order of the text.
///
/// A file does not contain the type of its values. If all are whole numbers, written without a point and without an
/// exponent, they become `int64`, or `uint64` if they do not fit that. Otherwise, and if a whole number does not fit
/// 64 bits, they become `float64`.
///
/// Lines that begin with `#` are comments. FROSTT has no shape: if `shape` is `None`, each extent is just large enough
/// for the greatest coordinate. MLIR, ParTI and Tensor Toolbox write a header with the rank, the extents and, in some
/// of them, the number of elements. A header determines the shape. Coordinates count from 1, or from 0 with
/// [`ReadOptions::base`](crate::ReadOptions::base).
///
/// Fails at the first error in the text, with its line and column. Also fails if there are more or fewer elements
/// than a header announces.
///
/// ```
/// let a = sparse_files::tns::read(b"# three axes\n1 2 3 0.5\n2 1 1 4\n", None)?;
/// assert_eq!((a.shape(), a.stored()), (&[2, 2, 3][..], 2));
/// let b = sparse_files::tns::read(b"# extended FROSTT format\n3 2\n4 4 4\n1 2 3 0.5\n2 1 1 4\n", None)?;
/// assert_eq!((b.shape(), b.stored()), (&[4, 4, 4][..], 2));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn read(text: &[u8], shape: Option<&[u64]>) -> Result<AnyTensor<'static>> {
    read_with(text, shape, 1, &Progress::default())
}

/// Reads a text like [`read`], with coordinates that count from `base`, and fails as it does. Reports the bytes read to
/// `progress`.
pub(crate) fn read_with(text: &[u8], shape: Option<&[u64]>, base: u8, progress: &Progress) -> Result<AnyTensor<'static>> {
    let header = Header::read(text)?;
    let body = &text[header.body..];
    let shape = header.shape.as_deref().or(shape);
    let first = body.split(|byte| *byte == b'\n').find_map(|line| {
        let words = line.split(|byte| blank(*byte)).filter(|word| !word.is_empty());
        let comment = line.iter().find(|byte| !blank(**byte)) == Some(&b'#');
        words.clone().next_back().filter(|_| !comment).map(|value| (words.count(), value))
    });
    let rank = match (first, header.shape.as_deref(), shape) {
        (_, Some(shape), _) | (None, _, Some(shape)) => shape.len(),
        (Some((numbers, _)), ..) => numbers - 1,
        (None, None, None) => {
            return Err(FileError::Text {
                line: 1,
                column: 1,
                what: "the text has no line with coordinates and a value, so its rank is unknown: give a shape".into(),
            });
        }
    };
    if let Some(shape) = shape.filter(|shape| shape.len() != rank) {
        return Err(FileError::ArrayShape { array: "the tensor".into(), found: shape.to_vec(), expected: format!("{rank} axes") });
    }
    if rank > sparse_formats::MAX_RANK {
        return Err(sparse_formats::SparseError::from(sparse_formats::FormatError::Rank { rank, most: sparse_formats::MAX_RANK }).into());
    }
    let Header { entries, line, .. } = header;
    let layout = Layout { rank, extents: shape, base: base.into(), entries, comment: b'#', line, progress };
    // The first value identifies most texts of real numbers. In the others, the first number that is not whole does.
    let whole = first.is_some_and(|(_, value)| value.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-')));
    let readers: &[Reader] = if whole { &[elements::<i64>, elements::<u64>, elements::<f64>] } else { &[elements::<f64>] };
    let mut read = Err(FileError::Missing { array: "values".into() });
    for reader in readers {
        read = reader(body, &layout);
        if !matches!(read, Err(FileError::Text { .. })) {
            break;
        }
    }
    read.map_err(|error| match error {
        FileError::TextRange { line, column, axis, found: 0, .. } if base == 1 => FileError::Base { line, column, axis },
        error => error,
    })
}

/// Returns the bounds that the header in the first lines of a text announces, or `None` if they are no valid header.
pub(crate) fn claim(text: &[u8]) -> Option<Claim> {
    Header::claim(text)
}

/// A function that reads a text with values of one type.
type Reader = fn(&[u8], &Layout<'_>) -> Result<AnyTensor<'static>>;

/// Reads the lines of a text as a tensor with values of type `T`. Fails at the first invalid line, also if a value is not of
/// this type.
fn elements<T: Element + Field>(text: &[u8], layout: &Layout<'_>) -> Result<AnyTensor<'static>> {
    let (columns, values): (Vec<Indices>, Vec<T>) = match text::read::<u32, T>(text, layout) {
        Ok(read) => (read.columns.into_iter().map(Indices::from).collect(), read.values),
        Err(FileError::TextRange { .. }) => {
            let read = text::read::<u64, T>(text, layout)?;
            (read.columns.into_iter().map(Indices::from).collect(), read.values)
        }
        Err(error) => return Err(error),
    };
    AnyTensor::list_within(layout.extents, columns, AnyValues::Each(AnyArray::from_values(values)), T::TYPE)
}

/// Writes the stored elements of a tensor in their order.
///
/// Fails if the tensor has no values, if they are complex, if it stores one triangle that represents both, or if the
/// fill value is not 0.
///
/// ```
/// use sparse_files::{matrix_market, tns};
/// let a = matrix_market::read(b"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n3 1 0.5\n")?;
/// let mut out = Vec::new();
/// assert_eq!(tns::write(&mut out, &a).map_err(|error| error.class()), Err("file/counterpart"));
/// tns::write(&mut out, &a.expand()?)?;
/// assert_eq!(out, b"1 3 0.5\n3 1 0.5\n");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn write(out: &mut dyn Write, tensor: &AnyTensor<'_>) -> Result<()> {
    let no_place = |what: &str| Err(FileError::NoPlace { what: what.into(), kind: "a .tns file" });
    if !tensor.fill_is_zero() {
        return no_place("a fill value that is not 0");
    }
    if tensor.element().is_complex() {
        return no_place("a complex number");
    }
    if tensor.attributes().is_one_triangle() {
        return no_place("a tensor that stores one triangle for both: expand it first");
    }
    let columns = tensor.coordinates()?;
    if tensor.values() == AnyValues::PatternOnly {
        return no_place("an element without a value");
    }
    let values = tensor.each_value();
    crate::with_element!(tensor.element(), T => {
        let values = values.values::<T>().unwrap_or_default();
        // Two elements of a vector may look like a header.
        if columns.len() == 1 && values.len() == 2 {
            let mut text = Vec::new();
            text::print(&mut text, &columns, &values, values.len())?;
            if Header::read(&text).is_err() {
                out.write_all(PLAIN.as_bytes())?;
            }
        }
        Ok(text::print(out, &columns, &values, values.len())?)
    })
}
