//! Custom formats of binary sparse files: levels `dense(r)` and `sparse(r)`, each over several axes.

use super::{Accepted, InteropParts};
use crate::format::Group;
use crate::{
    ArrayName, Arrays, Format, Indices, InterchangeError, LevelKind, Rejected, SparseError, SparseTensor, SparsityPattern, TensorParts,
    Values,
};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter};

/// A level over one or more axes.
///
/// ```
/// use sparse_formats::CustomLevel;
/// let level = CustomLevel::Sparse(2);
/// assert_eq!((level.name(), level.rank(), level.to_string().as_str()), ("sparse", 2, "sparse(2)"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CustomLevel {
    /// All tuples of coordinates of this number of axes, without arrays.
    Dense(usize),
    /// Only the tuples that occur, of coordinates of this number of axes.
    Sparse(usize),
}

impl CustomLevel {
    /// Returns the number of axes of the level.
    pub const fn rank(self) -> usize {
        match self {
            CustomLevel::Dense(rank) | CustomLevel::Sparse(rank) => rank,
        }
    }

    /// Returns `dense` or `sparse`.
    pub const fn name(self) -> &'static str {
        match self {
            CustomLevel::Dense(_) => "dense",
            CustomLevel::Sparse(_) => "sparse",
        }
    }
}

impl Display for CustomLevel {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}({})", self.name(), self.rank())
    }
}

/// Levels and the axes of a tensor that they store: axis `k` of the levels is axis `transpose[k]` of the tensor.
///
/// ```
/// use sparse_formats::{Custom, CustomLevel, Format};
/// let custom = Custom::new(&[CustomLevel::Dense(1), CustomLevel::Sparse(1)], &[1, 0])?;
/// assert_eq!((custom.levels().len(), custom.transpose()), (2, &[1, 0][..]));
/// assert_eq!((custom.format()?, Custom::of(&Format::csc())?), (Format::csc(), custom));
/// let error = Custom::new(&[CustomLevel::Sparse(2)], &[0]).unwrap_err();
/// assert_eq!(error.to_string(), "the axis order [0] must name each of the 2 axes of the levels once");
/// # Ok::<(), sparse_formats::InterchangeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Custom {
    levels: Vec<CustomLevel>,
    transpose: Vec<usize>,
}

/// The arrays of custom levels, numbered by axis.
///
/// ```
/// use sparse_formats::{Custom, CustomArrays, Format, SparseTensor};
/// let custom = Custom::of(&Format::csr())?;
/// let pointers_to = vec![None, Some(vec![0u8, 1, 2].into())];
/// let arrays = CustomArrays { pointers_to, indices: vec![None, Some(vec![2u8, 0].into())] };
/// let a = SparseTensor::from_custom(&[2, 3], &custom, arrays.clone(), vec![5, 6], 0)?;
/// assert_eq!((a.at(&[1, 0]), a.pattern().custom_arrays()?), (Some(&6), arrays));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomArrays<'a> {
    /// `pointers_to_k` for each sparse level, except the first level, that begins with axis `k`.
    pub pointers_to: Vec<Option<Indices<'a>>>,
    /// `indices_k` for each axis `k` of a sparse level.
    pub indices: Vec<Option<Indices<'a>>>,
}

impl Custom {
    /// Returns the format of these levels and axes. Fails if a level has no axis, or unless `transpose` is an order of
    /// all axes of the levels.
    pub fn new(levels: &[CustomLevel], transpose: &[usize]) -> Result<Custom, InterchangeError> {
        if let Some(level) = levels.iter().position(|level| level.rank() == 0) {
            return Err(InterchangeError::EmptyLevel { level });
        }
        let axes = levels.iter().try_fold(0usize, |axes, level| axes.checked_add(level.rank()));
        let custom = Custom { levels: levels.to_vec(), transpose: transpose.to_vec() };
        match axes {
            Some(axes) if axes == transpose.len() && custom.kinds().is_some_and(|kinds| Format::new(&kinds, transpose).is_ok()) => {
                Ok(custom)
            }
            axes => Err(InterchangeError::Axes { levels: axes.unwrap_or(usize::MAX), axes: transpose.to_vec() }),
        }
    }

    /// Returns the levels, in storage order.
    pub fn levels(&self) -> &[CustomLevel] {
        &self.levels
    }

    /// Returns the axes of the tensor in the order of the levels.
    pub fn transpose(&self) -> &[usize] {
        &self.transpose
    }

    /// Converts a format: a `C` level is dense, tuples are sparse, and each dense axis is a dense level.
    ///
    /// ```
    /// use sparse_formats::{Custom, Format};
    /// let levels = |name: &str| -> Result<String, Box<dyn std::error::Error>> {
    ///     Ok(Custom::of(&name.parse()?)?.levels().iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    /// };
    /// assert_eq!(levels("CSR")?, "dense(1) sparse(1)");
    /// assert_eq!(levels("COO")?, "sparse(2)");
    /// assert_eq!(levels("S-DC-S-R")?, "sparse(2) sparse(1)");
    /// assert_eq!(levels("S-C-S-R")?, levels("DC-C-S-R")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails for multigraphs, unsorted levels and split nodes, which have no counterpart.
    pub fn of(format: &Format) -> Result<Custom, InterchangeError> {
        plain(format)?;
        let mut levels: Vec<CustomLevel> = format
            .groups()
            .map(|group| match group {
                Group::Dense { .. } => CustomLevel::Dense(1),
                Group::Tuples { first, end, .. } => CustomLevel::Sparse(end - first),
            })
            .collect();
        levels.resize(levels.len() + format.dense_axes(), CustomLevel::Dense(1));
        Ok(Custom { levels, transpose: format.axis_order().to_vec() })
    }

    /// Returns the kinds of the levels of a `Format`, up to the last sparse level. Returns `None` if a level has more
    /// axes than the tensor.
    fn kinds(&self) -> Option<Vec<LevelKind>> {
        let last = self.levels.iter().rposition(|level| matches!(level, CustomLevel::Sparse(_)));
        let mut kinds = Vec::new();
        for (k, level) in self.levels.iter().enumerate().take(last.map_or(0, |last| last + 1)) {
            if level.rank() > self.transpose.len() {
                return None;
            }
            let kind = if matches!(level, CustomLevel::Dense(_)) { LevelKind::Pointers } else { LevelKind::Indices };
            kinds.resize(kinds.len() + level.rank(), kind);
            if let Some(end) = kinds.last_mut().filter(|_| kind == LevelKind::Indices && Some(k) != last) {
                *end = LevelKind::IndexedPointers;
            }
        }
        Some(kinds)
    }

    /// Returns the format with the same arrays.
    ///
    /// `dense(r)` becomes `C` for each axis, or dense axes if no sparse level follows. The last `sparse(r)` becomes
    /// `S` for each axis; an earlier one ends with `DC`. `Custom::new` has checked that this format exists.
    ///
    /// ```
    /// use sparse_formats::{Custom, CustomLevel::{Dense, Sparse}};
    /// let name = |levels: &[_]| Ok::<_, sparse_formats::InterchangeError>(Custom::new(levels, &[0, 1, 2])?.format()?.to_string());
    /// assert_eq!(name(&[Dense(2), Sparse(1)])?, "C-C-S-R");
    /// assert_eq!(name(&[Sparse(1), Sparse(2)])?, "DC-S-S-R");
    /// assert_eq!(name(&[Sparse(1), Dense(2)])?, "S-D-D-R");
    /// # Ok::<(), sparse_formats::InterchangeError>(())
    /// ```
    pub fn format(&self) -> Result<Format, InterchangeError> {
        let axes = || InterchangeError::Axes { levels: self.levels.len(), axes: self.transpose.clone() };
        Format::new(&self.kinds().ok_or_else(axes)?, &self.transpose).map_err(|_| axes())
    }
}

/// Fails unless a format promises sorted, distinct and unsplit entries.
fn plain(format: &Format) -> Result<(), InterchangeError> {
    let last = format.levels().saturating_sub(1);
    let no = |level, what| Err(InterchangeError::NoCounterpart { level, what });
    match (format.unsorted().iter().position(|unsorted| *unsorted), format.balanced()) {
        _ if format.is_multigraph() => no(last, "coordinates that repeat"),
        (Some(level), _) => no(level, "unsorted indices"),
        (_, Some(balance)) => no(balance.level, "nodes that are split"),
        _ => Ok(()),
    }
}

impl SparsityPattern<'_> {
    /// Returns the arrays of the levels that [`Custom::of`] gives for the format. Fails as `Custom::of` does. Borrows
    /// arrays, but copies those whose entries are stored repeatedly, with each entry once.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
    /// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![5, 6])?;
    /// let arrays = a.pattern().custom_arrays()?;
    /// // Pointers have the number of the level that they point to.
    /// assert_eq!(arrays.pointers_to, [None, Some(vec![0u8, 1, 2].into())]);
    /// assert_eq!(arrays.indices, [None, Some(vec![2u8, 0].into())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn custom_arrays(&self) -> Result<CustomArrays<'_>, InterchangeError> {
        plain(self.format())?;
        Ok(self.group_arrays())
    }

    /// Returns the arrays of groups of levels, with an entry once that is stored repeatedly.
    pub(super) fn group_arrays(&self) -> CustomArrays<'_> {
        let levels = self.format().levels();
        let mut out = CustomArrays { pointers_to: vec![None; levels], indices: vec![None; levels] };
        for group in self.format().groups() {
            let Group::Tuples { first, end, repeats } = group else { continue };
            let stride = if repeats { self.level_extents()[end].max(1) as usize } else { 1 };
            let above = first.checked_sub(1).and_then(|above| self.pointers(above));
            out.pointers_to[first] = above.map(|pointers| {
                if stride == 1 {
                    pointers.view()
                } else {
                    Indices::narrowest(&pointers.iter().map(|k| k / stride as u64).collect::<Vec<_>>())
                }
            });
            for level in first..end {
                out.indices[level] = self.indices(level).map(|indices| {
                    if stride == 1 { indices.view() } else { indices.gather(&(0..indices.len()).step_by(stride).collect::<Vec<_>>()) }
                });
            }
        }
        out
    }
}

impl<'a> CustomArrays<'a> {
    /// Returns the arrays of a format with these levels. A first level has no pointers to it.
    fn into_arrays(self, format: &Format) -> Arrays<'a> {
        let mut pointers = self.pointers_to;
        pointers.drain(..pointers.len().min(1));
        pointers.resize(pointers.len().max(format.levels()), None);
        Arrays { indices: self.indices, pointers }
    }

    /// Returns the numbers of slots for arrays: of pointers, and of indices.
    pub(crate) fn lengths(&self) -> (usize, usize) {
        (self.pointers_to.len(), self.indices.len())
    }

    /// Returns the custom arrays from which `into_arrays` made `arrays`, with the numbers of slots that `lengths` gave.
    pub(crate) fn of_arrays(arrays: Arrays<'a>, lengths: (usize, usize)) -> CustomArrays<'a> {
        let Arrays { mut indices, pointers: mut pointers_to } = arrays;
        pointers_to.insert(0, None);
        pointers_to.resize(lengths.0, None);
        indices.resize(lengths.1, None);
        CustomArrays { pointers_to, indices }
    }
}

impl<'a, V: Clone> SparseTensor<'a, V> {
    /// Returns the tensor of arrays of custom levels. Checks them as [`SparseTensor::from_parts`] does.
    ///
    /// Fails at the first violation, and returns the arrays.
    ///
    /// ```
    /// use sparse_formats::{Custom, CustomArrays, CustomLevel, SparseTensor};
    /// let custom = Custom::new(&[CustomLevel::Sparse(2)], &[0, 1])?;
    /// let indices = vec![Some(vec![0u8, 1].into()), Some(vec![2u8, 3].into())];
    /// let arrays = CustomArrays { pointers_to: vec![], indices };
    /// let refused = SparseTensor::from_custom(&[2, 3], &custom, arrays, vec![5, 6], 0).unwrap_err();
    /// assert_eq!(refused.to_string(), "indices_1[1] is 3, but the extent is 3");
    /// let arrays = refused.parts.arrays;
    /// assert_eq!(SparseTensor::from_custom(&[2, 4], &custom, arrays, vec![5, 6], 0)?.at(&[1, 3]), Some(&6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_custom(
        shape: &[u64],
        custom: &Custom,
        arrays: CustomArrays<'a>,
        values: impl Into<Values<'a, V>>,
        fill: V,
    ) -> Result<Self, Rejected<InteropParts<'a, CustomArrays<'a>, V>, InterchangeError>> {
        let parts = InteropParts { arrays, values: values.into(), fill };
        match custom.format() {
            Ok(format) => SparseTensor::from_custom_as(shape, format, parts),
            Err(error) => Err(Rejected::new(parts, error)),
        }
    }

    /// Returns the tensor of arrays of custom levels in `format`, which has the levels of `Custom::format` and may promise
    /// less, for example unsorted indices. Fails as [`SparseTensor::from_custom`] does.
    pub(crate) fn from_custom_as(
        shape: &[u64],
        format: Format,
        parts: InteropParts<'a, CustomArrays<'a>, V>,
    ) -> Accepted<'a, Self, CustomArrays<'a>, V> {
        let lengths = parts.arrays.lengths();
        if parts.arrays.pointers_to.first().is_some_and(Option::is_some) {
            return Err(Rejected::new(parts, SparseError::Unexpected { array: ArrayName::Pointers(0) }.into()));
        }
        let InteropParts { arrays, values, fill } = parts.with_arrays(|arrays| arrays.into_arrays(&format));
        SparseTensor::from_parts(shape, format, arrays, values, fill).map_err(|Rejected { parts, error }| {
            let TensorParts { arrays, values, fill, .. } = *parts;
            let arrays = CustomArrays::of_arrays(arrays, lengths);
            Rejected::new(InteropParts { arrays, values, fill }, error.into())
        })
    }
}
