//! Sparsity patterns: the stored coordinates of tensors. The arrays of a pattern fit its format: `check` has tested them,
//! this crate has made them so, or the caller of `from_parts_unchecked` promises it. Only this module sees the fields.

// `build` makes patterns from coordinates, and `writer` from elements in storage order. `check` and `siblings` test the
// arrays of callers. `decode` returns all coordinates, `lookup` finds an element, `visit` calls a function, and `walk`
// iterates. `level` gives levels of `layout-levels`.
mod build;
mod check;
mod decode;
mod level;
mod lookup;
mod siblings;
mod visit;
mod walk;
mod writer;

pub use build::Widths;
pub(crate) use build::{Sorted, assemble};
pub use walk::{Entry, Walk};
pub(crate) use writer::PatternWriter;

use crate::kernels::rows::in_width;
use crate::shape::{pick, product};
use crate::{ArrayName, Format, Indices, LevelKind, Rejected, SparseError, Width};
use alloc::vec::Vec;

/// The arrays of the levels of a tensor, by level.
///
/// ```
/// use sparse_formats::Arrays;
/// // Rows {1, 3} and {0} as CSR: level 0 has pointers, level 1 has indices.
/// let columns = [1u32, 3, 0];
/// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 3]).with_indices(1, &columns[..]);
/// assert_eq!((arrays.pointers[0].as_ref(), arrays.indices[0].as_ref()), (Some(&vec![0u8, 2, 3].into()), None));
/// assert_eq!(arrays.view(), arrays);
/// let owned: Arrays<'static> = arrays.into_owned();
/// assert_eq!(owned.indices[1], Some(vec![1u32, 3, 0].into()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Arrays<'a> {
    /// `indices_k` for each level `k` that stores them.
    pub indices: Vec<Option<Indices<'a>>>,
    /// `pointers_k` for each level `k` that stores them.
    pub pointers: Vec<Option<Indices<'a>>>,
}

impl<'a> Arrays<'a> {
    /// Returns a collection without arrays, for `with_indices` and `with_pointers`.
    pub fn new() -> Arrays<'a> {
        Arrays::default()
    }

    /// Sets the indices of level `level`.
    pub fn with_indices(mut self, level: usize, array: impl Into<Indices<'a>>) -> Arrays<'a> {
        put(&mut self.indices, level, array.into());
        self
    }

    /// Sets the pointers of level `level`.
    pub fn with_pointers(mut self, level: usize, array: impl Into<Indices<'a>>) -> Arrays<'a> {
        put(&mut self.pointers, level, array.into());
        self
    }

    pub(crate) fn indices(&self, level: usize) -> Option<&Indices<'a>> {
        self.indices.get(level)?.as_ref()
    }

    pub(crate) fn pointers(&self, level: usize) -> Option<&Indices<'a>> {
        self.pointers.get(level)?.as_ref()
    }

    /// Returns a number such that only levels below it have arrays.
    pub(super) fn levels(&self) -> usize {
        self.indices.len().max(self.pointers.len())
    }

    /// Returns the arrays, borrowed.
    pub fn view(&self) -> Arrays<'_> {
        fn view<'v>(arrays: &'v [Option<Indices<'_>>]) -> Vec<Option<Indices<'v>>> {
            arrays.iter().map(|array| array.as_ref().map(Indices::view)).collect()
        }
        Arrays { indices: view(&self.indices), pointers: view(&self.pointers) }
    }

    /// Returns the arrays, copied if they are borrowed.
    pub fn into_owned(self) -> Arrays<'static> {
        let own = |arrays: Vec<Option<Indices<'a>>>| arrays.into_iter().map(|array| array.map(Indices::into_owned)).collect();
        Arrays { indices: own(self.indices), pointers: own(self.pointers) }
    }
}

/// Arrays are equal if their numbers are, even if their widths differ.
impl PartialEq for Arrays<'_> {
    fn eq(&self, other: &Self) -> bool {
        (0..self.levels().max(other.levels()))
            .all(|level| self.indices(level) == other.indices(level) && self.pointers(level) == other.pointers(level))
    }
}

fn put<'a>(arrays: &mut Vec<Option<Indices<'a>>>, level: usize, array: Indices<'a>) {
    if arrays.len() <= level {
        arrays.resize(level + 1, None);
    }
    arrays[level] = Some(array);
}

/// The extents, the format and the arrays of a [`SparsityPattern`].
///
/// ```
/// use sparse_formats::{Arrays, Format, PatternParts, SparsityPattern};
/// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 3]).with_indices(1, vec![1u8, 3, 0]);
/// let rows = SparsityPattern::from_parts(&[2, 4], Format::csr(), arrays)?;
/// // The arrays of rows are the columns of the transposed matrix.
/// let PatternParts { shape, arrays, .. } = rows.into_parts();
/// let columns = SparsityPattern::from_parts(&[shape[1], shape[0]], Format::csc(), arrays)?;
/// assert_eq!(columns.find(&[3, 0]), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PatternParts<'a> {
    /// The extents, in the order of the axes.
    pub shape: Vec<u64>,
    /// The format.
    pub format: Format,
    /// The arrays of the levels.
    pub arrays: Arrays<'a>,
}

/// The stored coordinates of a tensor: its shape, its format, and the arrays of its levels.
///
/// ```
/// use sparse_formats::{Arrays, Format, Indices, SparsityPattern};
/// // Rows of 4 columns: {1, 3}, {}, {0}; borrowed from where they lie.
/// let (pointers, columns) = ([0u8, 2, 2, 3], [1u32, 3, 0]);
/// let arrays = Arrays::new().with_pointers(0, &pointers[..]).with_indices(1, &columns[..]);
/// let pattern = SparsityPattern::from_parts(&[3, 4], Format::csr(), arrays)?;
/// assert_eq!((pattern.shape(), pattern.format(), pattern.stored()), (&[3, 4][..], &Format::csr(), 3));
/// assert_eq!((pattern.find(&[0, 3]), pattern.find(&[1, 3])), (Some(1), None));
/// assert_eq!((pattern.indices(0), pattern.indices(1)), (None, Some(&Indices::from(&columns[..]))));
/// // A view borrows the arrays, and `into_owned` copies the borrowed ones.
/// let owned: SparsityPattern<'static> = pattern.view().into_owned();
/// assert_eq!(owned.into_parts().arrays.pointers[0], Some(vec![0u8, 2, 2, 3].into()));
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
///
/// Levels are numbered in storage order. Axes after them are dense, and each element is a block:
///
/// ```
/// use sparse_formats::{Builder, Format, Indices};
/// let format: Format = "DC-S-D-X[2,0,1]".parse()?;
/// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![3u8, 3].into()];
/// let a = Builder::new(format, 0).build_blocks(&[2, 3, 5], &columns, vec![1, 2, 3, 4, 5, 6])?;
/// let pattern = a.pattern();
/// assert_eq!((pattern.level_extents(), pattern.block_shape()), (&[5, 2][..], vec![3]));
/// // One entry (3) of level 0, two of level 1, two elements.
/// assert_eq!([0, 1, 2].map(|level| pattern.entries(level)), [1, 2, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SparsityPattern<'a> {
    shape: Vec<u64>,
    format: Format,
    arrays: Arrays<'a>,
    /// The extent of the axis of each level, in storage order.
    extents: Vec<u64>,
    /// The number of entries of each level, and at last the number of elements.
    counts: Vec<usize>,
    /// The order that the format promises for the coordinates of each level.
    promises: Vec<level::Promise>,
}

/// Patterns are equal if shapes, formats and the numbers of the arrays are, even if widths differ.
impl PartialEq for SparsityPattern<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape && self.format == other.format && self.arrays == other.arrays
    }
}

impl<'a> SparsityPattern<'a> {
    /// Returns the pattern of these parts. Checks everything that the format promises: lengths, pointers,
    /// ranges, order, and that coordinates do not repeat.
    ///
    /// Fails at the first violation, and returns the parts.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2]).with_indices(1, vec![2u8, 2]);
    /// let rejected = SparsityPattern::from_parts(&[1, 3], Format::csr(), arrays).unwrap_err();
    /// assert_eq!(rejected.error.to_string(), "indices_1[1] repeats 2");
    /// assert_eq!(rejected.error.class(), "levels/duplicate");
    /// assert_eq!(rejected.parts.arrays.indices[1], Some(vec![2u8, 2].into()));
    /// ```
    pub fn from_parts(
        shape: &[u64],
        format: Format,
        arrays: Arrays<'a>,
    ) -> Result<SparsityPattern<'a>, Rejected<PatternParts<'a>, SparseError>> {
        Self::checked(shape, format, arrays, true)
    }

    /// Returns the pattern of these parts. Checks only lengths, and the first and last pointers.
    ///
    /// Fails as [`SparsityPattern::from_parts`] does if a length or an end of a pointer array is wrong.
    ///
    /// The caller must ensure the rest: pointers do not decrease, entries have elements, indices are below
    /// the extents, and siblings are sorted and distinct as the format promises. Otherwise the pattern has
    /// wrong elements or its methods panic.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// let of = |pointers: Vec<u32>, columns: Vec<u32>| {
    ///     let arrays = Arrays::new().with_pointers(0, pointers).with_indices(1, columns);
    ///     SparsityPattern::from_parts_unchecked(&[2, 3], Format::csr(), arrays)
    /// };
    /// // Arrays that this program has made itself.
    /// assert_eq!(of(vec![0, 1, 2], vec![2, 0])?.find(&[1, 0]), Some(1));
    /// assert!(of(vec![0, 1], vec![2, 0]).is_err(), "lengths are checked");
    /// assert!(of(vec![0, 1, 2], vec![9, 0]).is_ok(), "ranges are not");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_parts_unchecked(
        shape: &[u64],
        format: Format,
        arrays: Arrays<'a>,
    ) -> Result<SparsityPattern<'a>, Rejected<PatternParts<'a>, SparseError>> {
        Self::checked(shape, format, arrays, false)
    }

    /// Returns the pattern of these parts. Checks as `SparsityPattern::from_parts` does with `contents`, otherwise as
    /// `SparsityPattern::from_parts_unchecked` does. Fails at the first violation, and returns the parts.
    pub(crate) fn checked(
        shape: &[u64],
        format: Format,
        arrays: Arrays<'a>,
        contents: bool,
    ) -> Result<Self, Rejected<PatternParts<'a>, SparseError>> {
        let checked = check::counts(shape, &format, &arrays).and_then(|counts| match contents {
            true => check::contents(shape, &format, &arrays, &counts).map(|()| counts),
            false => Ok(counts),
        });
        match checked {
            Ok(counts) => Ok(SparsityPattern::of(shape.to_vec(), format, arrays, counts)),
            Err(error) => Err(Rejected::new(PatternParts { shape: shape.to_vec(), format, arrays }, error)),
        }
    }

    /// Returns the pattern of valid parts, unchecked. `counts` has the entries of each level, then the elements.
    pub(crate) fn of(shape: Vec<u64>, format: Format, mut arrays: Arrays<'a>, counts: Vec<usize>) -> SparsityPattern<'a> {
        arrays.indices.resize(format.levels(), None);
        arrays.pointers.resize(format.levels(), None);
        let extents = pick(&shape, &format.axis_order()[..format.levels()]);
        let promises = level::promises(&format);
        SparsityPattern { shape, format, arrays, extents, counts, promises }
    }

    /// Returns the pattern of compressed rows in `format`, or `None` if memory has no room. Checks nothing.
    pub(crate) fn of_rows(shape: &[u64], format: &Format, pointers: Vec<u64>, columns: Indices<'a>) -> Option<SparsityPattern<'a>> {
        let (rows, stored) = (pointers.len() - 1, columns.len());
        let pointers = in_width(pointers.into(), Width::of(stored as u64))?;
        let arrays = Arrays::new().with_pointers(0, pointers).with_indices(1, columns);
        Some(SparsityPattern::of(shape.to_vec(), format.clone(), arrays, alloc::vec![rows, stored, stored]))
    }

    /// Returns the pattern with the same arrays in another format, which must have the same levels. Checks nothing.
    pub(crate) fn with_format(self, format: Format) -> SparsityPattern<'a> {
        SparsityPattern::of(self.shape, format, self.arrays, self.counts)
    }

    /// Tests whether no level is unsorted and coordinates do not repeat, so that operations can traverse several patterns in
    /// step.
    pub(crate) fn is_sorted(&self) -> bool {
        !self.format.is_multigraph() && !self.format.unsorted().contains(&true)
    }

    /// Consumes the pattern and returns its extents, format and arrays.
    pub fn into_parts(self) -> PatternParts<'a> {
        PatternParts { shape: self.shape, format: self.format, arrays: self.arrays }
    }

    /// Returns a view of the pattern, over borrowed arrays.
    pub fn view(&self) -> SparsityPattern<'_> {
        SparsityPattern::of(self.shape.clone(), self.format.clone(), self.arrays.view(), self.counts.clone())
    }

    /// Returns the pattern with owned arrays. Copies borrowed ones.
    pub fn into_owned(self) -> SparsityPattern<'static> {
        SparsityPattern::of(self.shape, self.format, self.arrays.into_owned(), self.counts)
    }

    /// Returns the extents, in the order of the axes.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Returns the format.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// Returns the number of stored elements. With dense axes, each is a block.
    pub fn stored(&self) -> usize {
        self.counts[self.format.levels()]
    }

    /// Returns the number of entries of level `level`, or of elements if `level` is the number of levels.
    pub fn entries(&self, level: usize) -> usize {
        self.counts[level]
    }

    /// Returns the extents of the levels, in storage order.
    pub fn level_extents(&self) -> &[u64] {
        &self.extents
    }

    /// Returns the extents of the dense axes after the levels, in storage order.
    pub fn block_shape(&self) -> Vec<u64> {
        pick(&self.shape, &self.format.axis_order()[self.format.levels()..])
    }

    /// Returns the indices of a level, or `None` if it stores none.
    pub fn indices(&self, level: usize) -> Option<&Indices<'a>> {
        self.arrays.indices(level)
    }

    /// Returns the pointers of a level, or `None` if it stores none.
    pub fn pointers(&self, level: usize) -> Option<&Indices<'a>> {
        self.arrays.pointers(level)
    }

    /// Returns the arrays of all levels.
    pub fn arrays(&self) -> &Arrays<'a> {
        &self.arrays
    }

    /// Permutes the axes: axis `k` of the result is axis `axes[k]` of this pattern. The arrays stay the same.
    ///
    /// Fails if `axes` is not a permutation of the axes.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 3]).with_indices(1, vec![1u8, 3, 0]);
    /// let rows = SparsityPattern::from_parts(&[2, 4], Format::csr(), arrays)?;
    /// let transposed = rows.clone().permuted(&[1, 0])?;
    /// assert_eq!((transposed.shape(), transposed.format()), (&[4, 2][..], &Format::csc()));
    /// assert_eq!((transposed.find(&[3, 0]), transposed.arrays()), (rows.find(&[0, 3]), rows.arrays()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn permuted(self, axes: &[usize]) -> Result<SparsityPattern<'a>, SparseError> {
        // Fails unless `axes` is a permutation.
        self.format.clone().with_axis_order(axes)?;
        let place = crate::shape::inverse(axes);
        let shape = pick(&self.shape, axes);
        let format = self.format.clone().with_axis_order(&pick(&place, self.format.axis_order()))?;
        Ok(SparsityPattern { shape, format, ..self })
    }

    /// Checks the number of values for one array of extents `shape` for each element of each block. Fails if `found`
    /// differs from it, or if it exceeds `usize`. `found` is `None` if all elements share one value, or have none.
    pub(crate) fn check_values(&self, shape: &[u64], found: Option<usize>) -> Result<(), SparseError> {
        let extents: Vec<u64> = shape.iter().copied().chain(self.block_shape()).collect();
        // Without stored elements there are no values, even if the block has huge extents.
        match (product(extents.iter().copied().chain([self.stored() as u64])), found) {
            (None, _) => {
                let extent = extents.iter().fold(1, |product: u64, extent| product.saturating_mul(*extent));
                Err(SparseError::Overflow { level: self.format.levels(), parents: self.stored(), extent })
            }
            (Some(expected), Some(found)) if found != expected => Err(SparseError::Length { array: ArrayName::Values, found, expected }),
            _ => Ok(()),
        }
    }

    fn kind(&self, level: usize) -> LevelKind {
        self.format.kinds()[level]
    }
}
