//! Mode formats of TACO, converted through the level types of `mlir`, which cover them.

use super::{InteropParts, LevelFormat, LevelType, MlirEncoding, MlirStorage};
use crate::{Format, InterchangeError, Rejected, SparseTensor, SparsityPattern, Values};
use alloc::vec::Vec;
use core::fmt::{Display, Formatter};

/// The storage of a mode.
///
/// ```
/// use sparse_formats::{Format, TacoFormat, TacoModeKind};
/// let kinds: Vec<_> = TacoFormat::of(&Format::csr())?.modes.iter().map(|mode| mode.kind).collect();
/// assert_eq!(kinds, [TacoModeKind::Dense, TacoModeKind::Compressed]);
/// # Ok::<(), sparse_formats::InterchangeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TacoModeKind {
    /// Every coordinate, without arrays.
    Dense,
    /// An array of positions, which bound the coordinates below each parent, and an array of coordinates.
    Compressed,
    /// An array with one coordinate for each parent.
    Singleton,
}

/// The format of a mode.
///
/// ```
/// use sparse_formats::{TacoMode, TacoModeKind};
/// let mode = TacoMode { kind: TacoModeKind::Compressed, ordered: false, unique: true };
/// assert_eq!(mode.to_string(), "compressed(not_ordered)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct TacoMode {
    /// The storage of the mode.
    pub kind: TacoModeKind,
    /// True if coordinates are sorted below one parent.
    pub ordered: bool,
    /// True if coordinates are distinct below one parent.
    pub unique: bool,
}

/// Prints `dense`, `compressed` or `singleton`, with `not_ordered` and `not_unique` in parentheses.
impl Display for TacoMode {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        let kind = match self.kind {
            TacoModeKind::Dense => "dense",
            TacoModeKind::Compressed => "compressed",
            TacoModeKind::Singleton => "singleton",
        };
        let flags = match (self.ordered, self.unique) {
            (true, true) => "",
            (true, false) => "(not_unique)",
            (false, true) => "(not_ordered)",
            (false, false) => "(not_ordered, not_unique)",
        };
        write!(f, "{kind}{flags}")
    }
}

/// The modes of a tensor and their order: mode `k` stores axis `ordering[k]`.
///
/// Unlike MLIR, TACO takes modes of any kind after a singleton.
///
/// ```
/// use sparse_formats::{Format, TacoFormat, TacoMode, TacoModeKind};
/// let mode = |kind| TacoMode { kind, ordered: true, unique: true };
/// // CSC: the columns are axis 1.
/// let csc = TacoFormat { modes: vec![mode(TacoModeKind::Dense), mode(TacoModeKind::Compressed)], ordering: vec![1, 0] };
/// assert_eq!(csc.format()?, Format::csc());
/// let repeating = TacoMode { unique: false, ..mode(TacoModeKind::Compressed) };
/// let modes = vec![repeating, mode(TacoModeKind::Compressed)];
/// assert!(TacoFormat { modes, ordering: vec![0, 1] }.format().is_err(), "rows repeat, and no singleton follows");
/// # Ok::<(), sparse_formats::InterchangeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct TacoFormat {
    /// The modes, in storage order.
    pub modes: Vec<TacoMode>,
    /// The axis of the tensor that each mode stores.
    pub ordering: Vec<usize>,
}

impl TacoFormat {
    /// Converts a format to modes.
    ///
    /// ```
    /// use sparse_formats::TacoFormat;
    /// let taco = TacoFormat::of(&"S-DC-S-R".parse()?)?;
    /// assert_eq!(taco.modes.iter().map(ToString::to_string).collect::<Vec<_>>(), ["compressed(not_unique)", "singleton", "compressed"]);
    /// assert_eq!(taco.format()?, "S-DC-S-R".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails if the last level is not `S`, or if nodes are split: neither has a counterpart.
    pub fn of(format: &Format) -> Result<TacoFormat, InterchangeError> {
        let MlirEncoding { level_types, axis_order } = MlirEncoding::of(format)?;
        let mode = |level: LevelType| {
            let kind = match level.format {
                LevelFormat::Compressed => TacoModeKind::Compressed,
                LevelFormat::Singleton => TacoModeKind::Singleton,
                _ => TacoModeKind::Dense,
            };
            TacoMode { kind, ordered: !level.nonordered, unique: !level.nonunique }
        };
        Ok(TacoFormat { modes: level_types.into_iter().map(mode).collect(), ordering: axis_order })
    }

    /// Returns the level types of MLIR with the arrays of these modes.
    fn encoding(&self) -> MlirEncoding {
        let level = |mode: &TacoMode| {
            let format = match mode.kind {
                TacoModeKind::Dense => LevelFormat::Dense,
                TacoModeKind::Compressed => LevelFormat::Compressed,
                TacoModeKind::Singleton => LevelFormat::Singleton,
            };
            LevelType { format, nonunique: !mode.unique, nonordered: !mode.ordered, soa: false }
        };
        MlirEncoding { level_types: self.modes.iter().map(level).collect(), axis_order: self.ordering.clone() }
    }

    /// Returns the format with the same arrays.
    ///
    /// Fails as [`MlirEncoding::format`] does, for example if coordinates repeat in a mode that is neither the last one
    /// nor followed by a singleton.
    pub fn format(&self) -> Result<Format, InterchangeError> {
        self.encoding().format()
    }
}

impl SparsityPattern<'_> {
    /// Returns the arrays `pos` and `crd` of the modes that [`TacoFormat::of`] gives for the format. They are the
    /// positions and coordinates of [`SparsityPattern::mlir_storage`]. Fails as `TacoFormat::of` does.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices, SparseTensor, TacoFormat};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
    /// let a = Builder::new(Format::dcsr(), 0).build(&[2, 3], &columns, vec![5, 6])?;
    /// let storage = a.pattern().taco_storage()?;
    /// // The arrays pos and crd of both modes.
    /// assert_eq!(storage.positions, [Some(vec![0u8, 2].into()), Some(vec![0u8, 1, 2].into())]);
    /// assert_eq!(storage.coordinates, [Some(vec![0u8, 1].into()), Some(vec![2u8, 0].into())]);
    /// assert_eq!(SparseTensor::from_taco(&[2, 3], &TacoFormat::of(a.format())?, storage, vec![5, 6], 0)?, a);
    /// # Ok::<(), sparse_formats::InterchangeError>(())
    /// ```
    pub fn taco_storage(&self) -> Result<MlirStorage<'_>, InterchangeError> {
        self.mlir_storage()
    }
}

impl<'a, V: Clone> SparseTensor<'a, V> {
    /// Returns the tensor of modes and their arrays. Checks them as [`SparseTensor::from_parts`] does.
    ///
    /// Fails at the first violation, and returns the arrays.
    ///
    /// ```
    /// use sparse_formats::{Format, MlirStorage, SparseTensor, TacoFormat};
    /// let csr = TacoFormat::of(&Format::csr())?;
    /// let (positions, coordinates) = (vec![None, Some(vec![0u32, 1, 2].into())], vec![None, Some(vec![2u32, 0].into())]);
    /// let a = SparseTensor::from_taco(&[2, 3], &csr, MlirStorage { positions, coordinates }, vec![5.0, 6.0], 0.0)?;
    /// assert_eq!((a.format(), a.at(&[1, 0])), (&Format::csr(), Some(&6.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_taco(
        shape: &[u64],
        format: &TacoFormat,
        storage: MlirStorage<'a>,
        values: impl Into<Values<'a, V>>,
        fill: V,
    ) -> Result<Self, Rejected<InteropParts<'a, MlirStorage<'a>, V>, InterchangeError>> {
        SparseTensor::from_mlir(shape, &format.encoding(), storage, values, fill)
    }
}
