//! Matrices in blocks over a grid of processes, as ScaLAPACK distributes them.

use crate::plan::{PlanError, Result, Side};
use alloc::format;

/// The step from column to column in a [`BlockCyclic`] side, in offsets. It exceeds the number of rows of any local matrix.
const COLUMN: i64 = 1 << 31;

/// A matrix in blocks that are distributed cyclically over a grid of processes.
///
/// A block has `block[0]` by `block[1]` elements. Block `(i, j)` is on the process at row `(i + first[0]) mod grid[0]`
/// and column `(j + first[1]) mod grid[1]` of the grid. Each process stores its blocks one after the other, with
/// contiguous columns. This is ScaLAPACK's distribution (the user's guide, section 4.3): `M, N` are `extent`, `MB, NB`
/// are `block`, and `RSRC, CSRC` are `first`.
///
/// ```
/// use relayout::{BlockCyclic, Planner};
/// let from = BlockCyclic { extent: [100, 80], block: [8, 8], grid: [2, 2], first: [0, 0] };
/// let to = BlockCyclic { grid: [1, 4], ..from };
/// let plan = Planner::new().extent(&from.extent).plan(&from.side()?, &to.side()?)?;
/// assert_eq!(plan.elements(), 8000);
/// assert_eq!(from.local_extent([1, 0]), [48, 40]);
/// assert_eq!(BlockCyclic::from_descriptor(&from.descriptor(0, 48), [2, 2])?, from);
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockCyclic {
    /// The numbers of rows and columns of the matrix.
    pub extent: [i64; 2],
    /// The numbers of rows and columns of a block.
    pub block: [i64; 2],
    /// The numbers of rows and columns of the grid of processes.
    pub grid: [i64; 2],
    /// The row and the column, from 0, in the grid of the process that has block `(0, 0)`.
    pub first: [i64; 2],
}

/// ```
/// use relayout::BlockCyclic;
/// // Eight rows in blocks of two, over two processes. The second process has the first block.
/// let matrix = BlockCyclic { extent: [8, 6], block: [2, 3], grid: [2, 1], first: [1, 0] };
/// assert_eq!(matrix.local_extent([0, 0]), [4, 6]);
/// // Row 3 is in the second block, so on process (0, 0), where it is row 1.
/// let (place, offset) = matrix.side()?.spots(&matrix.extent, &[3, 4])?.remove(0);
/// assert_eq!(matrix.process(&place), [0, 0]);
/// assert_eq!(BlockCyclic::offset(offset, 4), 1 + 4 * 4); // four local rows in memory, column 4
/// let error = BlockCyclic { block: [0, 3], ..matrix }.side().err().map(|error| error.to_string());
/// assert_eq!(error.as_deref(), Some("a block-cyclic matrix cannot have MB = 0"));
/// # Ok::<(), relayout::PlanError>(())
/// ```
impl BlockCyclic {
    /// Creates the matrix of a ScaLAPACK descriptor, `[1, CTXT, M, N, MB, NB, RSRC, CSRC, LLD]`, on a grid of processes.
    ///
    /// # Errors
    /// Returns [`PlanError::Descriptor`] with the first bad entry: `DTYPE` is not 1, `M` or `N` is below 0, `MB`, `NB` or the
    /// grid is below 1, `RSRC` or `CSRC` is outside the grid, or a number is 2^31 or more.
    pub fn from_descriptor(descriptor: &[i32; 9], grid: [i64; 2]) -> Result<Self> {
        let [kind, _, m, n, mb, nb, rsrc, csrc, _] = descriptor.map(i64::from);
        if kind != 1 {
            return Err(PlanError::Descriptor { entry: "DTYPE", value: kind });
        }
        let matrix = BlockCyclic { extent: [m, n], block: [mb, nb], grid, first: [rsrc, csrc] };
        matrix.check()?;
        Ok(matrix)
    }

    /// Returns the ScaLAPACK descriptor for a process whose local matrix has `leading` rows in memory (`LLD`). `context` is the
    /// BLACS context of the process.
    ///
    /// A number beyond 32 bits does not fit a descriptor. It becomes -1, which ScaLAPACK refuses.
    pub fn descriptor(&self, context: i32, leading: i64) -> [i32; 9] {
        let [[m, n], [mb, nb], [rsrc, csrc]] = [self.extent, self.block, self.first];
        [1, i64::from(context), m, n, mb, nb, rsrc, csrc, leading].map(|number| i32::try_from(number).unwrap_or(-1))
    }

    /// Returns the numbers of rows and columns of the local matrix of the process at `(row, column)` of the grid (`NUMROC`). Both
    /// are 0 if the process is not in the grid, or if [`side`](Self::side) refuses a field.
    pub fn local_extent(&self, process: [i64; 2]) -> [i64; 2] {
        if self.check().is_err() || [0, 1].iter().any(|k| !(0..self.grid[*k]).contains(&process[*k])) {
            return [0, 0];
        }
        [0, 1].map(|k| {
            let (extent, block, grid) = (self.extent[k], self.block[k], self.grid[k]);
            let number = (process[k] - self.first[k]).rem_euclid(grid);
            let period = block * grid;
            extent / period * block + (extent % period - number * block).clamp(0, block)
        })
    }

    /// Returns the matrix as a side of a plan.
    ///
    /// Its places are `(row, column)` in the grid, less `first`; [`process`](Self::process) adds it again. Row `r` and column `c`
    /// of a local matrix have the offset `r + c * 2^31`; [`offset`](Self::offset) converts it to an offset in memory.
    ///
    /// # Errors
    /// Returns [`PlanError::Descriptor`] with the first number out of range, and fails if a step exceeds 62 bits.
    pub fn side(&self) -> Result<Side> {
        self.check()?;
        let periods = [0, 1].map(|k| 1 + (self.extent[k].max(1) - 1) / (self.block[k] * self.grid[k]));
        let [mb, nb] = self.block;
        Side::parse(&format!(
            "(({mb},{},{}),({nb},{},{})):((1@0,1@1,{mb}@0),({COLUMN}@0,1@2,{}@0))",
            self.grid[0],
            periods[0],
            self.grid[1],
            periods[1],
            nb * COLUMN
        ))
    }

    /// Converts a place of [`side`](Self::side) to the row and the column, from 0, of its process in the grid.
    pub fn process(&self, place: &crate::Place) -> [i64; 2] {
        let number = |k: usize| place.numbers().get(k).copied().unwrap_or(0);
        [0, 1].map(|k| number(k).wrapping_add(self.first[k]).rem_euclid(self.grid[k].max(1)))
    }

    /// Converts an offset or a step of [`side`](Self::side) to `leading` rows in memory: `r + c * 2^31` to `r + c * leading`.
    pub fn offset(offset: i64, leading: i64) -> i64 {
        let column = offset.saturating_add(COLUMN / 2).div_euclid(COLUMN);
        (offset - column * COLUMN).saturating_add(column.saturating_mul(leading))
    }

    fn check(&self) -> Result<()> {
        let entries = [
            ("M", self.extent[0], 0, COLUMN),
            ("N", self.extent[1], 0, COLUMN),
            ("MB", self.block[0], 1, COLUMN),
            ("NB", self.block[1], 1, COLUMN),
            ("number of grid rows", self.grid[0], 1, COLUMN),
            ("number of grid columns", self.grid[1], 1, COLUMN),
            ("RSRC", self.first[0], 0, self.grid[0]),
            ("CSRC", self.first[1], 0, self.grid[1]),
        ];
        match entries.into_iter().find(|(_, value, least, end)| value < least || value >= end) {
            Some((entry, value, ..)) => Err(PlanError::Descriptor { entry, value }),
            None => Ok(()),
        }
    }
}
