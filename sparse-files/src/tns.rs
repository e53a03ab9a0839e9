//! FROSTT: tensors of any rank as text, a line of coordinates and a value for each element.

use crate::ElementType;
use crate::error::{FileError, Result};
use crate::progress::Progress;
use crate::text::{self, Layout, blank};
use crate::value::{AnyArray, AnyTensor, AnyValues};
use sparse_formats::Indices;
use std::io::Write;

/// The tensor of a text, its elements in the order of the text, with values of type `float64`.
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
    let numbers = text.split(|byte| *byte == b'\n').find_map(|line| {
        let count = line.split(|byte| blank(*byte)).filter(|word| !word.is_empty()).count();
        let comment = line.iter().find(|byte| !blank(**byte)) == Some(&b'#');
        (count > 0 && !comment).then_some(count)
    });
    let rank = match (numbers, shape) {
        (Some(numbers), _) => numbers - 1,
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
    let (columns, values): (Vec<Indices>, Vec<f64>) = match text::read::<u32, f64>(text, &layout) {
        Ok(read) => (read.columns.into_iter().map(Indices::from).collect(), read.values),
        Err(FileError::TextRange { .. }) => {
            let read = text::read::<u64, f64>(text, &layout)?;
            (read.columns.into_iter().map(Indices::from).collect(), read.values)
        }
        Err(error) => return Err(error),
    };
    AnyTensor::list_within(shape, columns, AnyValues::Each(AnyArray::from_values(values)), ElementType::F64)
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
