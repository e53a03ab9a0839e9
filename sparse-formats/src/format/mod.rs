//! Formats: which arrays store the coordinates of a tensor, level by level. `name` prints and parses them; the arrays
//! themselves are in `pattern`.

mod groups;
mod name;

pub(crate) use groups::Group;

use crate::FormatError;
use alloc::vec;
use alloc::vec::Vec;

/// The maximum number of axes of a tensor.
///
/// ```
/// use sparse_formats::{Format, MAX_RANK};
/// let axes: Vec<usize> = (0..=MAX_RANK).collect();
/// assert_eq!(Format::new(&[], &axes).unwrap_err().to_string(), "255 axes are too many: a tensor has at most 254");
/// ```
pub const MAX_RANK: usize = 254;

/// The kind of a level: which arrays store its coordinates.
///
/// ```
/// use sparse_formats::LevelKind;
/// assert_eq!(LevelKind::ALL.map(LevelKind::token), ["S", "C", "DC"]);
/// assert_eq!(LevelKind::from_token("DC"), Some(LevelKind::IndexedPointers));
/// assert_eq!(LevelKind::from_token("D"), None, "a dense axis is no level");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum LevelKind {
    /// `S`: an index for each entry of the next level.
    Indices,
    /// `C`: pointers, with an entry for each coordinate of the axis below each parent.
    Pointers,
    /// `DC`: an index for each coordinate that occurs, and pointers to their children.
    IndexedPointers,
}

impl LevelKind {
    /// All kinds of levels.
    pub const ALL: [LevelKind; 3] = [LevelKind::Indices, LevelKind::Pointers, LevelKind::IndexedPointers];

    /// Returns the token of this kind in names of formats.
    pub const fn token(self) -> &'static str {
        match self {
            LevelKind::Indices => "S",
            LevelKind::Pointers => "C",
            LevelKind::IndexedPointers => "DC",
        }
    }

    /// Returns the kind with this token, or `None` if no kind has it.
    pub fn from_token(token: &str) -> Option<LevelKind> {
        LevelKind::ALL.into_iter().find(|kind| kind.token() == token)
    }
}

/// A rule that splits the nodes of a `DC` level, so that indices repeat, until none has more than `most` children.
///
/// ```
/// use sparse_formats::{Balance, Builder, Format, Indices};
/// let format = Format::dcsr().with_balanced(Some(Balance { level: 0, most: 2 }))?;
/// assert_eq!((format.to_string().as_str(), format.balanced()), ("DC-S-R+balanced(0,2)", Some(Balance { level: 0, most: 2 })));
/// // Row 7 has three elements: it becomes a node of two and a node of one.
/// let columns: [Indices; 2] = [vec![7u8, 7, 7].into(), vec![0u8, 1, 2].into()];
/// let a = Builder::new(format, 0).build(&[9, 3], &columns, vec![1, 2, 3])?;
/// assert_eq!(a.pattern().indices(0), Some(&vec![7u8, 7].into()));
/// assert_eq!(a.pattern().pointers(0), Some(&vec![0u8, 2, 3].into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Balance {
    /// The level whose nodes are split.
    pub level: usize,
    /// The maximum number of children of a node, at least 1.
    pub most: usize,
}

/// The levels of a tensor in storage order, and the promises about their arrays.
///
/// Level `k` stores axis `axis_order[k]`. The axes after the last level are dense: each stored element is a
/// block over them, the last axis fastest.
///
/// ```
/// use sparse_formats::{Format, LevelKind};
/// let named = [Format::csr(), Format::csc(), Format::dcsr(), Format::dcsc(), Format::vector(), Format::coo(3), Format::csf(3)];
/// assert_eq!(named.map(|f| f.to_string()), ["C-S-R", "C-S-C", "DC-S-R", "DC-S-C", "S-R", "S-S-S-R", "DC-DC-S-R"]);
/// assert_eq!((Format::csc().axis_order(), Format::csc().alias()), (&[1, 0][..], Some("CSC")));
/// let format: Format = "C-DC-S-X[2,0,1]".parse()?;
/// assert_eq!(format.kinds(), [LevelKind::Pointers, LevelKind::IndexedPointers, LevelKind::Indices]);
/// // Each element of a row is a vector along axis 1.
/// let vectors = Format::new(&[LevelKind::Pointers, LevelKind::Indices], &[0, 2, 1])?;
/// assert_eq!((vectors.rank(), vectors.levels(), vectors.dense_axes()), (3, 2, 1));
/// assert_eq!(vectors.to_string(), "C-S-D-X[0,2,1]");
/// # Ok::<(), sparse_formats::FormatError>(())
/// ```
///
/// Promises that the arrays of a format keep can be dropped:
///
/// ```
/// use sparse_formats::Format;
/// let csr = Format::csr();
/// assert!(!csr.is_multigraph() && csr.balanced().is_none() && csr.unsorted() == [false, false]);
/// let edges = csr.clone().with_multigraph(true)?.with_unsorted(&[false, true])?;
/// assert_eq!(edges, "C-S-R+multigraph+unsorted(1)".parse()?);
/// assert!(edges.is_multigraph() && edges.unsorted()[1] && edges.same_levels(&csr));
/// # Ok::<(), sparse_formats::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Format {
    kinds: Vec<LevelKind>,
    axes: Vec<usize>,
    unsorted: Vec<bool>,
    multigraph: bool,
    balanced: Option<Balance>,
}

impl Format {
    /// Returns the format with levels of these kinds over the axes in this order. Axes after the levels are dense.
    ///
    /// Fails if the last level is not `S`, or unless `axis_order` is a permutation of at least as many axes as there
    /// are levels, and of at most [`MAX_RANK`].
    ///
    /// ```
    /// use sparse_formats::{Format, LevelKind};
    /// assert_eq!(Format::new(&[LevelKind::Pointers, LevelKind::Indices], &[1, 0])?, Format::csc());
    /// let error = Format::new(&[LevelKind::Indices, LevelKind::Pointers], &[0, 1]).unwrap_err();
    /// assert_eq!(error.to_string(), "the last level is C, but it must be S unless the format is a multigraph");
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn new(kinds: &[LevelKind], axis_order: &[usize]) -> Result<Format, FormatError> {
        let format = Format::multigraph(kinds, axis_order)?;
        match kinds.last() {
            None | Some(LevelKind::Indices) => Ok(Format { multigraph: false, ..format }),
            Some(kind) => Err(FormatError::Final { kind: kind.token() }),
        }
    }

    /// Returns the format of a multigraph: coordinates may repeat, and the last level may have any kind. Otherwise fails
    /// as [`Format::new`] does.
    ///
    /// ```
    /// use sparse_formats::{Format, LevelKind};
    /// let format = Format::multigraph(&[LevelKind::Indices, LevelKind::Pointers], &[0, 1])?;
    /// assert_eq!(format.to_string(), "S-C-R");
    /// assert_eq!(Format::coo(2).with_multigraph(true)?.to_string(), "S-S-R+multigraph");
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn multigraph(kinds: &[LevelKind], axis_order: &[usize]) -> Result<Format, FormatError> {
        if axis_order.len() > MAX_RANK {
            return Err(FormatError::Rank { rank: axis_order.len(), most: MAX_RANK });
        }
        let mut seen = vec![false; axis_order.len()];
        let fresh = |axis: &usize| seen.get_mut(*axis).is_some_and(|seen| !core::mem::replace(seen, true));
        if kinds.len() > axis_order.len() || !axis_order.iter().all(fresh) {
            return Err(FormatError::Axes { axes: axis_order.to_vec(), levels: kinds.len() });
        }
        let unsorted = vec![false; kinds.len()];
        Ok(Format { kinds: kinds.to_vec(), axes: axis_order.to_vec(), unsorted, multigraph: true, balanced: None })
    }

    /// Returns the format with a level of each of these kinds, level `k` over axis `k`. Fails as [`Format::new`] does.
    ///
    /// ```
    /// use sparse_formats::{Format, LevelKind};
    /// let kinds = [LevelKind::Pointers, LevelKind::IndexedPointers, LevelKind::Indices];
    /// assert_eq!(Format::regular(&kinds)?, "C-DC-S-R".parse()?);
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn regular(kinds: &[LevelKind]) -> Result<Format, FormatError> {
        Format::new(kinds, &(0..kinds.len()).collect::<Vec<_>>())
    }

    /// Returns the format with `S` levels only, a list of coordinates. A rank above [`MAX_RANK`] becomes `MAX_RANK`.
    pub fn coo(rank: usize) -> Format {
        let rank = rank.min(MAX_RANK);
        Format::of(vec![LevelKind::Indices; rank], (0..rank).collect())
    }

    /// Returns `DC-...-DC-S`, compressed sparse fibers. A rank above [`MAX_RANK`] becomes `MAX_RANK`.
    pub fn csf(rank: usize) -> Format {
        let rank = rank.min(MAX_RANK);
        let mut kinds = vec![LevelKind::IndexedPointers; rank];
        if let Some(last) = kinds.last_mut() {
            *last = LevelKind::Indices;
        }
        Format::of(kinds, (0..rank).collect())
    }

    /// Returns the format of a list of indices, for vectors.
    pub fn vector() -> Format {
        Format::coo(1)
    }

    /// Returns the format of compressed rows, `C-S-R`.
    pub fn csr() -> Format {
        Format::of(vec![LevelKind::Pointers, LevelKind::Indices], vec![0, 1])
    }

    /// Returns the format of compressed columns, `C-S-C`.
    pub fn csc() -> Format {
        Format::of(vec![LevelKind::Pointers, LevelKind::Indices], vec![1, 0])
    }

    /// Returns the format of compressed nonempty rows, `DC-S-R`.
    pub fn dcsr() -> Format {
        Format::csf(2)
    }

    /// Returns the format of compressed nonempty columns, `DC-S-C`.
    pub fn dcsc() -> Format {
        Format::of(Format::csf(2).kinds, vec![1, 0])
    }

    /// Returns the format of these kinds and axes, which must fit each other. No flags are set.
    fn of(kinds: Vec<LevelKind>, axes: Vec<usize>) -> Format {
        Format { unsorted: vec![false; kinds.len()], kinds, axes, multigraph: false, balanced: None }
    }

    /// Returns the kinds of the levels, in storage order.
    pub fn kinds(&self) -> &[LevelKind] {
        &self.kinds
    }

    /// Returns the axes in storage order: first the axes of the levels, then the dense ones.
    pub fn axis_order(&self) -> &[usize] {
        &self.axes
    }

    /// Returns the number of axes of the tensor, dense ones included.
    pub fn rank(&self) -> usize {
        self.axes.len()
    }

    /// Returns the number of levels.
    pub fn levels(&self) -> usize {
        self.kinds.len()
    }

    /// Tests whether the tensor is a matrix whose rows or columns are compressed, without blocks: `C-S-R` or `C-S-C`.
    pub(crate) fn has_compressed_rows(&self) -> bool {
        self.kinds == [LevelKind::Pointers, LevelKind::Indices] && self.dense_axes() == 0
    }

    /// Returns the number of dense axes after the levels.
    pub fn dense_axes(&self) -> usize {
        self.axes.len() - self.kinds.len()
    }

    /// Returns a flag for each level: true if its indices need not be sorted below one parent.
    pub fn unsorted(&self) -> &[bool] {
        &self.unsorted
    }

    /// Returns true if coordinates may repeat.
    pub fn is_multigraph(&self) -> bool {
        self.multigraph
    }

    /// Returns the balance, which names the level whose nodes are split, or `None` if no nodes are split.
    pub fn balanced(&self) -> Option<Balance> {
        self.balanced
    }

    /// Returns the format with its axes in this order. Fails unless `axis_order` names each axis of the format once.
    ///
    /// ```
    /// use sparse_formats::Format;
    /// assert_eq!(Format::csf(3).with_axis_order(&[2, 0, 1])?.to_string(), "DC-DC-S-X[2,0,1]");
    /// assert_eq!(Format::csr().with_axis_order(&[1, 0])?, Format::csc());
    /// assert!(Format::csr().with_axis_order(&[0, 0]).is_err());
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn with_axis_order(self, axis_order: &[usize]) -> Result<Format, FormatError> {
        if axis_order.len() != self.axes.len() {
            return Err(FormatError::Axes { axes: axis_order.to_vec(), levels: self.kinds.len() });
        }
        Ok(Format { axes: Format::multigraph(&self.kinds, axis_order)?.axes, ..self })
    }

    /// Sets whether coordinates may repeat. Fails if they may not and the last level is not `S`.
    ///
    /// ```
    /// use sparse_formats::Format;
    /// assert_eq!(Format::csr().with_multigraph(true)?.to_string(), "C-S-R+multigraph");
    /// let pointers_last: Format = "S-DC-R".parse()?;
    /// assert!(pointers_last.is_multigraph() && pointers_last.with_multigraph(false).is_err());
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn with_multigraph(self, multigraph: bool) -> Result<Format, FormatError> {
        match self.kinds.last() {
            Some(kind) if !multigraph && *kind != LevelKind::Indices => Err(FormatError::Final { kind: kind.token() }),
            _ => Ok(Format { multigraph, ..self }),
        }
    }

    /// Returns the format with these flags: true for each level whose indices need not be sorted.
    ///
    /// A `C` level has no indices and takes no flag. The indices of consecutive `S` levels, and of a `DC` level after
    /// them, form tuples. The flag of one of these levels says that the tuples are sorted only by the levels before it.
    /// Fails if a `C` level has a flag, or if the number of flags differs from the number of levels.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparseTensor};
    /// // A row whose columns are not in order.
    /// let arrays = || Arrays::new().with_pointers(0, vec![0u8, 2]).with_indices(1, vec![3u8, 1]);
    /// assert!(SparseTensor::from_parts(&[1, 4], Format::csr(), arrays(), vec![5, 6], 0).is_err());
    /// let format = Format::csr().with_unsorted(&[false, true])?;
    /// assert_eq!(SparseTensor::from_parts(&[1, 4], format, arrays(), vec![5, 6], 0)?.at(&[0, 1]), Some(&6));
    /// let error = Format::csr().with_unsorted(&[true, false]).unwrap_err();
    /// assert_eq!(error.to_string(), "the C level 0 cannot be unsorted, because it stores no indices");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_unsorted(self, unsorted: &[bool]) -> Result<Format, FormatError> {
        if unsorted.len() != self.kinds.len() {
            return Err(FormatError::Flags { flags: unsorted.len(), levels: self.kinds.len() });
        }
        match (0..unsorted.len()).find(|level| unsorted[*level] && self.kinds[*level] == LevelKind::Pointers) {
            Some(level) => Err(FormatError::Unsorted { level }),
            None => Ok(Format { unsorted: unsorted.to_vec(), ..self }),
        }
    }

    /// Returns the format with the nodes of a level split until none has more than `most` children. `None` splits none.
    ///
    /// Fails if `most` is 0, the level is not `DC`, or the next level that is not `S` is `C`, which repeats the children.
    ///
    /// ```
    /// use sparse_formats::{Balance, Format};
    /// assert!(Format::dcsr().with_balanced(Some(Balance { level: 0, most: 16 })).is_ok());
    /// assert!(Format::csr().with_balanced(Some(Balance { level: 0, most: 16 })).is_err(), "a C level has one node for each row");
    /// ```
    pub fn with_balanced(self, balanced: Option<Balance>) -> Result<Format, FormatError> {
        if let Some(Balance { level, most }) = balanced {
            let repeats = self.kinds.iter().skip(level).skip(1).find(|kind| **kind != LevelKind::Indices);
            if self.kinds.get(level) != Some(&LevelKind::IndexedPointers) || repeats == Some(&LevelKind::Pointers) || most == 0 {
                return Err(FormatError::Balanced { level, most });
            }
        }
        Ok(Format { balanced, ..self })
    }

    /// Tests whether a level stores indices. `S` and `DC` levels do.
    ///
    /// ```
    /// use sparse_formats::Format;
    /// assert_eq!([0, 1].map(|level| Format::csr().stores_indices(level)), [false, true]);
    /// assert_eq!([0, 1].map(|level| Format::dcsr().stores_indices(level)), [true, true]);
    /// ```
    pub fn stores_indices(&self, level: usize) -> bool {
        self.kinds.get(level).is_some_and(|kind| *kind != LevelKind::Pointers)
    }

    /// Tests whether a level stores pointers. `C` and `DC` levels do, unless the next level is `C`.
    ///
    /// ```
    /// use sparse_formats::Format;
    /// let format: Format = "DC-C-S-R".parse()?;
    /// let arrays = |level| (format.stores_indices(level), format.stores_pointers(level));
    /// // The children of level 0 are all coordinates of level 1, so their positions need no pointers.
    /// assert_eq!([0, 1, 2].map(arrays), [(true, false), (false, true), (true, false)]);
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn stores_pointers(&self, level: usize) -> bool {
        self.kinds.get(level).is_some_and(|kind| *kind != LevelKind::Indices) && self.kinds.get(level + 1) != Some(&LevelKind::Pointers)
    }

    /// Tests whether two formats have the same kinds and axes. If so, they have the same arrays.
    ///
    /// ```
    /// use sparse_formats::Format;
    /// assert!(Format::csr().same_levels(&"C-S-R+unsorted(1)".parse()?));
    /// assert!(!Format::csr().same_levels(&Format::csc()));
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn same_levels(&self, other: &Format) -> bool {
        self.kinds == other.kinds && self.axes == other.axes
    }
}
