//! Writes Matrix Market files.

use super::header::{SYMMETRIES, VALUES, Values};
use super::read::COMMENT;
use crate::ElementType;
use crate::error::{FileError, Result};
use crate::text;
use crate::value::{AnyTensor, AnyValues, Dedupe, Element};
use sparse_formats::{Format, Indices, Symmetry, Triangle};
use std::borrow::Cow;
use std::io::Write;

/// Writes a matrix or a vector: the stored elements in their order, or all values if no axis has a level.
///
/// Fails if the rank is neither 1 nor 2, if the fill value is not 0, or if `out` fails. Also fails for a dense or
/// skew-symmetric matrix without values, and for a skew-symmetric one with a diagonal other than 0.
///
/// ```
/// let text = b"%%MatrixMarket matrix coordinate complex hermitian\n% spins\n2 2 1\n2 1 0.5 -1\n";
/// let mut out = Vec::new();
/// sparse_files::matrix_market::write(&mut out, &sparse_files::matrix_market::read(text)?)?;
/// assert_eq!(String::from_utf8_lossy(&out), "%%MatrixMarket matrix coordinate complex hermitian\n% spins\n2 2 1\n2 1 0.5 -1.0\n");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn write(out: &mut dyn Write, tensor: &AnyTensor<'_>) -> Result<()> {
    let no_place = |what: String| Err(FileError::NoPlace { what, kind: "Matrix Market" });
    let object = match tensor.shape().len() {
        1 => "vector",
        2 => "matrix",
        rank => return no_place(format!("a tensor of {rank} axes")),
    };
    if !tensor.fill_is_zero() {
        return no_place("a fill value that is not 0".into());
    }
    let attributes = tensor.attributes();
    let complex = tensor.element().is_complex();
    let symmetry = attributes.symmetry.filter(|_| attributes.is_one_triangle());
    // Real numbers are their own conjugates, so a hermitian matrix of real numbers is symmetric.
    let symmetry = symmetry.map(|symmetry| if symmetry == Symmetry::Hermitian && !complex { Symmetry::Symmetric } else { symmetry });
    let dense = tensor.format().levels() == 0 && symmetry.is_none();
    let values = match (tensor.values(), tensor.element()) {
        (AnyValues::PatternOnly, _) if dense => return no_place("a dense matrix without values".into()),
        (AnyValues::PatternOnly, _) if symmetry == Some(Symmetry::Skew) => {
            return no_place("a skew-symmetric matrix without values".into());
        }
        (AnyValues::PatternOnly, _) => Values::Pattern,
        (_, ElementType::C64 | ElementType::C128) => Values::Complex,
        (_, ElementType::F32 | ElementType::F64) => Values::Real,
        (AnyValues::Each(array) | AnyValues::Iso(array), ElementType::U64)
            if array.values::<u64>().is_some_and(|values| values.iter().any(|value| i64::try_from(*value).is_err())) =>
        {
            Values::Unsigned
        }
        _ => Values::Integer,
    };
    let name = VALUES.iter().find(|(_, known)| *known == values).map_or("", |(name, _)| name);
    let of = SYMMETRIES.iter().find(|(_, known)| *known == symmetry).map_or("", |(name, _)| name);
    writeln!(out, "%%MatrixMarket {object} {} {name} {of}", if dense { "array" } else { "coordinate" })?;
    for comment in attributes.user.get(COMMENT).iter().flat_map(|comments| comments.split('\n')) {
        writeln!(out, "%{comment}")?;
    }
    let sizes: Vec<String> = tensor.shape().iter().map(u64::to_string).collect();
    write!(out, "{}", sizes.join(" "))?;
    if dense {
        writeln!(out)?;
        let order: Vec<usize> = (0..tensor.shape().len()).rev().collect();
        let by_columns = Format::new(&[], &order).map_err(sparse_formats::SparseError::from)?;
        let tensor = if tensor.format() == &by_columns { tensor.view() } else { tensor.convert(&by_columns, Dedupe::Refuse)? };
        return crate::with_element!(tensor.element(), T => entries::<T>(out, &tensor, &[], false));
    }
    let mut columns = tensor.coordinates()?;
    writeln!(out, " {}", columns[0].len())?;
    let upper = symmetry.is_some() && attributes.triangle == Some(Triangle::Upper);
    if upper {
        columns.swap(0, 1);
    }
    crate::with_element!(tensor.element(), T => entries::<T>(out, tensor, &columns, upper))
}

/// Writes the entries at the coordinates in `columns`, or only the values if there are no columns. If `upper`, the caller has
/// swapped the columns, and the values become their mirror images. Fails if a value has no mirror image, or for a
/// skew-symmetric matrix with a diagonal other than 0.
fn entries<T: Element + text::Field>(out: &mut dyn Write, tensor: &AnyTensor<'_>, columns: &[Indices<'_>], upper: bool) -> Result<()> {
    let pattern = matches!(tensor.values(), AnyValues::PatternOnly);
    let values = tensor.each_value();
    let entries = values.len();
    let mut values: Cow<'_, [T]> = if pattern { Cow::Owned(Vec::new()) } else { values.values().unwrap_or_default() };
    if columns.len() == 2 && tensor.attributes().is_one_triangle() && tensor.attributes().symmetry == Some(Symmetry::Skew) {
        let diagonal = columns[0]
            .iter()
            .zip(columns[1].iter())
            .zip(&values[..])
            .find(|((row, column), value)| row == column && **value != T::default());
        if let Some(((row, _), value)) = diagonal {
            let what = format!("the value {value:?} on the diagonal, in row {} counted from 1", row + 1);
            return Err(FileError::NoPlace { what, kind: "a skew-symmetric matrix" });
        }
    }
    if let (true, Some(symmetry)) = (upper, tensor.attributes().symmetry) {
        for value in values.to_mut() {
            let none = || FileError::Mirror { value: format!("{value:?}"), element: T::TYPE };
            *value = value.mirrored(symmetry).ok_or_else(none)?;
        }
    }
    Ok(text::print(out, columns, &values, entries)?)
}
