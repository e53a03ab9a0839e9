//! FROSTT: tensors of any rank as text, a line of coordinates and a value for each element.

use crate::error::{FileError, Result};
use crate::progress::Progress;
use crate::text::{self, Field, Layout, blank};
use crate::value::{AnyArray, AnyTensor, AnyValues, Element};
use sparse_formats::Indices;
use std::io::Write;

/// The tensor of a text, its elements in the order of the text.
///
/// The file does not say the type of its values. If all are whole numbers, written without a point and without an exponent, they are of type `int64`, or `uint64` where they
/// need it; else, and where 64 bits do not hold one, they are of type `float64`.
///
/// Lines that begin with `#` are comments. The file does not say its shape: where none is given, extents are the greatest coordinates.
///
/// Fails with the line and the column of the first thing that is not as it should be.
///
/// ```
/// let a = sparse_files::tns::read(b"# three axes\n1 2 3 0.5\n2 1 1 4\n", None)?;
/// assert_eq!((a.shape(), a.stored()), (&[2, 2, 3][..], 2));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn read(text: &[u8], shape: Option<&[u64]>) -> Result<AnyTensor<'static>> {
    read_with(text, shape, &Progress::default())
}

/// [`read`], which says how far it is.
pub(crate) fn read_with(text: &[u8], shape: Option<&[u64]>, progress: &Progress) -> Result<AnyTensor<'static>> {
    let first = text.split(|byte| *byte == b'\n').find_map(|line| {
        let words = line.split(|byte| blank(*byte)).filter(|word| !word.is_empty());
        let comment = line.iter().find(|byte| !blank(**byte)) == Some(&b'#');
        words.clone().next_back().filter(|_| !comment).map(|value| (words.count(), value))
    });
    let rank = match (first, shape) {
        (Some((numbers, _)), _) => numbers - 1,
        (None, Some(shape)) => shape.len(),
        (None, None) => return Err(FileError::Text { line: 1, column: 1, what: "a line of coordinates and a value is expected".into() }),
    };
    if let Some(shape) = shape.filter(|shape| shape.len() != rank) {
        return Err(FileError::ArrayShape { array: "the tensor".into(), found: shape.to_vec(), expected: format!("{rank} axes") });
    }
    if rank > sparse_formats::MAX_RANK {
        return Err(sparse_formats::TensorError::from(sparse_formats::FormatError::Rank { rank, most: sparse_formats::MAX_RANK }).into());
    }
    let layout = Layout { rank, extents: shape, entries: None, comment: b'#', line: 1, progress };
    // The first value tells most texts of real numbers; of the others, the first number that is not whole.
    let whole = first.is_some_and(|(_, value)| value.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-')));
    if whole {
        for read in [entries::<i64>, entries::<u64>] {
            match read(text, &layout) {
                Err(FileError::Text { .. }) => {}
                read => return read,
            }
        }
    }
    entries::<f64>(text, &layout)
}

/// The tensor of the lines of a text, with values of one type.
fn entries<T: Element + Field>(text: &[u8], layout: &Layout<'_>) -> Result<AnyTensor<'static>> {
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

/// Writes a tensor: the stored elements in their order.
///
/// Fails where there are no values, they are complex, or elements that are not stored are not 0.
pub fn write(out: &mut dyn Write, tensor: &AnyTensor<'_>) -> Result<()> {
    let no_place = |what: &str| Err(FileError::NoPlace { what: what.into(), kind: "a .tns file" });
    if !tensor.fill_is_zero() {
        return no_place("a fill value that is not 0");
    }
    if tensor.element().is_complex() {
        return no_place("a complex number");
    }
    if tensor.attributes().is_one_triangle() {
        return no_place("one triangle that stands for both");
    }
    let columns = tensor.coordinates()?;
    if tensor.values() == AnyValues::PatternOnly {
        return no_place("an element without a value");
    }
    let values = tensor.each_value();
    crate::with_element!(tensor.element(), T => Ok(text::print::<T>(out, &columns, &values.values().unwrap_or_default(), values.len())?))
}
