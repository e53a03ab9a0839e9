//! Mode formats of TACO, converted through the level types of `mlir`, which cover them.

use super::{InteropParts, LevelFormat, LevelType, MlirEncoding, MlirStorage};
use crate::{Format, InterchangeError, Rejected, SparseTensor, SparsityPattern, Values};
use alloc::vec::Vec;
use core::fmt::{Display, Formatter};

/// The storage of a mode.
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
    pub fn taco_storage(&self) -> Result<MlirStorage<'_>, InterchangeError> {
        self.mlir_storage()
    }
}

impl<'a, V: Clone> SparseTensor<'a, V> {
    /// Returns the tensor of modes and their arrays. Checks them as [`SparseTensor::from_parts`] does.
    ///
    /// Fails at the first violation, and returns the arrays.
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
