//! Matrices by diagonals, as SciPy has them.

use crate::interop::InterchangeError;
use crate::kernels::Value;
use crate::{Arrays, Composite, Indices, Part, Scheme, Values};
use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;
use array_kernels::memory::filled;
use layout_levels::{Level, Range};

/// The arrays of SciPy's `dia_array`: `data[k, j]` is the element in row `j - offsets[k]` and column `j`.
///
/// ```
/// use sparse_formats::{Composite, DiaArrays, spmv};
/// // [[1, 4, 0], [0, 2, 5], [0, 0, 3]]: the diagonal above the main one begins in column 1.
/// let data = vec![1, 2, 3, 0, 4, 5];
/// let a = Composite::from_dia(DiaArrays { shape: [3, 3], offsets: vec![0, 1], data: data.into() }, 0)?;
/// assert_eq!(spmv(&a, false, &[1, 10, 100])?, [41, 520, 300]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DiaArrays<'a, V: Clone> {
    /// The numbers of rows and columns.
    pub shape: [u64; 2],
    /// `column - row` of the elements of each diagonal, in any order.
    pub offsets: Vec<i64>,
    /// The values of all diagonals, one row after another. All rows have the same length.
    pub data: Cow<'a, [V]>,
}

impl<'a, V: Value + PartialEq> Composite<'a, V> {
    /// Converts SciPy's arrays of diagonals to a matrix in the format `dia`.
    ///
    /// The data are moved if each diagonal has a value for every column, the offsets increase, and values outside
    /// the matrix equal `fill`. Otherwise they are copied. Diagonals and values outside the matrix are dropped, as
    /// SciPy does.
    ///
    /// ```
    /// use sparse_formats::{Composite, DiaArrays};
    /// let data = [7, 8, 0, 0, 1, 2];
    /// let a = Composite::from_dia(DiaArrays { shape: [3, 3], offsets: vec![-1, 1], data: (&data[..]).into() }, 0)?;
    /// assert_eq!((a.at(&[2, 1]), a.at(&[0, 1]), a.at(&[0, 0])), (Some(&8), Some(&1), Some(&0)));
    /// assert_eq!(a.into_dia()?.offsets, [-1, 1]);
    /// # Ok::<(), sparse_formats::InterchangeError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if an offset repeats, if the length of `data` is no multiple of the number of offsets, or if memory has no
    /// room for a copy.
    pub fn from_dia(arrays: DiaArrays<'a, V>, fill: V) -> Result<Self, InterchangeError> {
        let DiaArrays { shape, offsets, data } = arrays;
        let width = data.len().checked_div(offsets.len()).unwrap_or(0);
        if width * offsets.len() != data.len() {
            let expected = (width * offsets.len()) as u64;
            return Err(InterchangeError::ArrayLength { array: "data".to_string(), found: data.len(), expected });
        }
        let mut order: Vec<usize> = (0..offsets.len()).collect();
        order.sort_by_key(|k| offsets[*k]);
        if let Some(pair) = order.windows(2).find(|pair| offsets[pair[0]] == offsets[pair[1]]) {
            return Err(InterchangeError::Diagonal { at: (pair[0], pair[1]), offset: offsets[pair[0]] });
        }
        let [rows, columns] = shape;
        let diagonal = |k: &usize| {
            let number = i128::from(offsets[*k]) + i128::from(rows) - 1;
            let inside = rows.min(columns) > 0 && (0..i128::from(rows) + i128::from(columns) - 1).contains(&number);
            inside.then(|| (*k, u64::try_from(number).unwrap_or(u64::MAX)))
        };
        let (kept, diagonals): (Vec<usize>, Vec<u64>) = order.iter().filter_map(diagonal).unzip();
        let memory = || InterchangeError::from(crate::SparseError::Overflow { level: 1, parents: kept.len(), extent: columns });
        let (height, length) = (usize::try_from(rows).map_err(|_| memory())?, usize::try_from(columns).map_err(|_| memory())?);
        let level = Range::trusted(&diagonals[..], height, length);
        let as_it_is = length == width && kept.iter().copied().eq(0..offsets.len());
        let outside = |k: usize| {
            let row = &data[k * width..][..width];
            let columns = level.columns(k);
            row[..columns.start].iter().chain(&row[columns.end..]).any(|value| *value != fill)
        };
        let data = if as_it_is && !(0..kept.len()).any(outside) {
            data
        } else {
            let mut out = kept.len().checked_mul(length).and_then(|len| filled(len, fill.clone())).ok_or_else(memory)?;
            for (p, k) in kept.iter().enumerate() {
                let (positions, columns) = (level.range(p), level.columns(p));
                let end = columns.end.min(width).max(columns.start.min(width));
                let values = &data[k * width..][..width][columns.start.min(end)..end];
                out[positions][..values.len()].clone_from_slice(values);
            }
            out.into()
        };
        let arrays = Arrays::new().with_indices(0, Indices::narrowest(&diagonals));
        Ok(Composite::from_arrays(&shape, &Scheme::Diagonals, Vec::from([(arrays, Values::Each(data))]), fill)?)
    }

    /// Converts a matrix in the format `dia` to SciPy's arrays, and moves the data. SciPy's fill value is always 0.
    ///
    /// ```
    /// use sparse_formats::{Builder, Composite, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![0u8, 2].into()];
    /// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![5, 6])?;
    /// let arrays = Composite::new(&a, &"dia".parse()?)?.into_dia()?;
    /// assert_eq!((arrays.offsets, arrays.data), (vec![0, 1], vec![5, 0, 0, 0, 0, 6].into()));
    /// assert!(Composite::from(a).into_dia().is_err(), "a matrix by rows");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the tensor has another format or is no matrix, if it has no values, or if memory has no room to repeat
    /// a value that all elements share.
    pub fn into_dia(self) -> Result<DiaArrays<'a, V>, InterchangeError> {
        let other = || InterchangeError::NoCounterpart { level: 0, what: "a tensor that is not stored by the diagonals of a matrix" };
        let [rows, columns] = *self.shape() else { return Err(other()) };
        let parts: [Part<V>; 1] = self.into_parts().try_into().map_err(|_| other())?;
        let [Part { map, tensor }] = parts;
        let pattern = tensor.pattern();
        let Some(diagonals) = pattern.indices(0).filter(|_| map.is_diagonal()) else { return Err(other()) };
        let offsets = diagonals.iter().map(|diagonal| (i128::from(diagonal) + 1 - i128::from(rows)) as i64).collect();
        let size = pattern.stored().saturating_mul(pattern.block());
        let memory = InterchangeError::from(crate::SparseError::Memory { elements: size });
        let data = match tensor.into_parts().values {
            Values::Each(data) => data,
            Values::Iso(value) => Cow::Owned(filled(size, value).ok_or(memory)?),
            Values::PatternOnly => return Err(InterchangeError::NoValues),
        };
        Ok(DiaArrays { shape: [rows, columns], offsets, data })
    }
}
