//! Formats: which arrays store the coordinates of a tensor, level by level. `name` prints and parses them; the arrays
//! themselves are in `pattern`.

mod groups;
mod name;

pub(crate) use groups::Group;

use crate::FormatError;
use alloc::vec;
use alloc::vec::Vec;

/// The maximum number of axes of a tensor.
pub const MAX_RANK: usize = 254;

/// The kind of a level: which arrays store its coordinates.
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
/// let csc = Format::csc();
/// assert_eq!(csc.to_string(), "C-S-C");
/// assert_eq!(csc.axis_order(), [1, 0]);
/// let format: Format = "C-DC-S-X[2,0,1]".parse()?;
/// assert_eq!(format.kinds(), [LevelKind::Pointers, LevelKind::IndexedPointers, LevelKind::Indices]);
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
    pub fn with_axis_order(self, axis_order: &[usize]) -> Result<Format, FormatError> {
        if axis_order.len() != self.axes.len() {
            return Err(FormatError::Axes { axes: axis_order.to_vec(), levels: self.kinds.len() });
        }
        Ok(Format { axes: Format::multigraph(&self.kinds, axis_order)?.axes, ..self })
    }

    /// Sets whether coordinates may repeat. Fails if they may not and the last level is not `S`.
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
    pub fn stores_indices(&self, level: usize) -> bool {
        self.kinds.get(level).is_some_and(|kind| *kind != LevelKind::Pointers)
    }

    /// Tests whether a level stores pointers. `C` and `DC` levels do, unless the next level is `C`.
    pub fn stores_pointers(&self, level: usize) -> bool {
        self.kinds.get(level).is_some_and(|kind| *kind != LevelKind::Indices) && self.kinds.get(level + 1) != Some(&LevelKind::Pointers)
    }

    /// Tests whether two formats have the same kinds and axes. If so, they have the same arrays.
    pub fn same_levels(&self, other: &Format) -> bool {
        self.kinds == other.kinds && self.axes == other.axes
    }
}
