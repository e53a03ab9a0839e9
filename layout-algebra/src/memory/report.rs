//! Reports on the accesses of threads: bank conflicts, colliding lanes, sectors and lines.

use crate::algebra::accesses::Indexer;
use crate::algebra::operands::Operand;
use crate::banks::{Access, Banks, Lanes, MAX_LANES, Served};
use crate::error::{Cause, LayoutError, Op, Result};
use crate::heap::*;
use crate::value::LayoutValue;

/// The indices that each thread requests, one for each of its values; `None` for an inactive thread.
///
/// ```
/// use layout_algebra::memory::{Access, Banks, Lines, Threads};
/// use layout_algebra::{error::Op, expression::{Operand, Parser}, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let layout: Operand<16> = Parser::whole("(32,32):(32,1)", &mut scope)?;
/// let Operand::Layout(column) = Parser::whole("32:1", &mut scope)? else { unreachable!() };
/// let report = Threads::through(&layout, &column)?.banks(Access::element(32), Banks::NVIDIA)?;
/// assert_eq!((report.wavefronts(), report.conflicts()), (32, 31));
/// // In global memory, every thread touches a line of its own.
/// let threads = Threads::through(&layout, &column)?;
/// assert_eq!(threads.lines(Access::element(32), 32, Lines::default())?.lines, [32]);
/// assert_eq!(threads.into_indices()[2], Some(vec![64]));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Threads {
    index: Vec<Option<Vec<i64>>>,
    values: usize,
}

/// The accesses of all warps to shared memory, and the wavefronts that serve them.
///
/// ```
/// use layout_algebra::memory::{Access, Banks, Threads};
/// // 32 threads with two values each: all take the same word, then the words 0, 32, 64, ...
/// let threads = Threads::new((0..32).map(|thread| Some(vec![0, 32 * thread])).collect())?;
/// let report = threads.banks(Access::element(32), Banks::NVIDIA)?;
/// assert_eq!(report.accesses.iter().map(|served| served.wavefronts).collect::<Vec<_>>(), [1, 32]);
/// assert_eq!((report.wavefronts(), report.ideal(), report.conflicts()), (33, 2, 31));
/// assert_eq!(report.lanes[1].byte(3), Some(384));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BankReport {
    /// The cost of each access, ordered by warp, then access within the warp.
    pub accesses: Vec<Served>,
    /// The lanes of each access, and their bytes.
    pub lanes: Vec<Lanes>,
}

/// The sizes of sectors and lines of global memory, and the address of the array.
///
/// ```
/// use layout_algebra::memory::{Access, Lines, Threads};
/// // 32 floats in a row, in an array that begins in the middle of a sector.
/// let row = Threads::new((0..32).map(|thread| Some(vec![thread])).collect())?;
/// let aligned = row.lines(Access::element(32), 32, Lines::default())?;
/// let shifted = row.lines(Access::element(32), 32, Lines { base: 16, ..Lines::default() })?;
/// assert_eq!((aligned.sectors[0], shifted.sectors[0]), (4, 5));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lines {
    /// The number of bytes of a sector, the smallest unit of transfer.
    pub sector_bytes: u32,
    /// The number of bytes of a line.
    pub line_bytes: u32,
    /// The byte address of element 0.
    pub base: i64,
}

impl Default for Lines {
    /// Returns sectors of 32 bytes in lines of 128.
    fn default() -> Self {
        Lines { sector_bytes: 32, line_bytes: 128, base: 0 }
    }
}

/// The sectors and lines that the accesses of all warps move.
///
/// ```
/// use layout_algebra::memory::{Access, Lines, Threads};
/// // Every thread reads a float, 64 bytes apart: each is in a sector of its own, and two share a line.
/// let apart = Threads::new((0..32).map(|thread| Some(vec![16 * thread])).collect())?;
/// let report = apart.lines(Access::element(32), 32, Lines::default())?;
/// assert_eq!((report.sectors, report.lines), (vec![32], vec![16]));
/// assert_eq!((report.ideal_sectors, report.ideal_lines, report.useful_bytes), (4, 1, 128));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LinesReport {
    /// The number of distinct sectors of each access, ordered by warp, then access.
    pub sectors: Vec<u64>,
    /// The number of distinct lines of each access, ordered by warp, then access.
    pub lines: Vec<u64>,
    /// The number of sectors that the requested bytes would fill.
    pub ideal_sectors: u64,
    /// The number of lines that the requested bytes would fill.
    pub ideal_lines: u64,
    /// The number of distinct requested bytes, summed over all accesses.
    pub useful_bytes: u64,
}

/// Several words of one bank that lanes of one group request.
///
/// ```
/// use layout_algebra::memory::{Access, Banks, Lanes};
/// let mut lanes = Lanes::new(Access::element(32))?;
/// for index in [1, 33, 2, 1] {
///     lanes.push(Some(index))?;
/// }
/// // The words 1 and 33 lie in bank 1. Lanes 0 and 3 share the word 1.
/// let collisions = Banks::NVIDIA.collisions(&lanes);
/// assert_eq!((collisions.len(), collisions[0].bank), (1, 1));
/// assert_eq!(collisions[0].words, [(1, vec![0, 3]), (33, vec![1])]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collision {
    /// The number of the bank, from 0.
    pub bank: u32,
    /// The numbers of the words, address divided by word size, each with the numbers of the lanes that request it.
    pub words: Vec<(i64, Vec<usize>)>,
}

impl Threads {
    /// Computes the indices in `layout` of the integer coordinates `threads(thread, value)`. Fails above 2^24 values of threads.
    pub fn through<const N: usize>(layout: &Operand<N>, threads: &LayoutValue<N>) -> Result<Threads> {
        let coordinate = Indexer::of_layout(threads, 0, None)?;
        let (count, size) = (coordinate.first_mode(), coordinate.size());
        let values = if count == 0 { 0 } else { size / count };
        if size > 1 << 24 {
            return Err(LayoutError::plain(Op::BankConflicts, Cause::TooManyCoordinates, size, 1 << 24));
        }
        let of = |thread: i64| (0..values).map(|v| Ok(vec![coordinate.at(thread + count * v)?])).collect::<Result<Vec<_>>>();
        Threads::at(layout, (0..count).map(|thread| of(thread).map(Some)).collect::<Result<Vec<_>>>()?)
    }

    /// Computes the indices in `layout` of the coordinates given for each thread: one integer, or one for each mode.
    ///
    /// Fails if threads have different numbers of values, or a coordinate does not match `layout`.
    ///
    /// ```
    /// use layout_algebra::{error::Op, expression::{Operand, Parser}, memory::Threads, value::ExprGraph};
    /// let matrix: Operand<8> = Parser::whole("(32,32):(32,1)", &mut ExprGraph::<0>::new(Op::Parse))?;
    /// // Thread 0 reads two elements of row 1, thread 1 is inactive.
    /// let threads = Threads::at(&matrix, vec![Some(vec![vec![1, 0], vec![1, 1]]), None])?;
    /// assert_eq!(threads.into_indices(), [Some(vec![32, 33]), None]);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn at<const N: usize>(layout: &Operand<N>, coordinates: Vec<Option<Vec<Vec<i64>>>>) -> Result<Threads> {
        let layout = Indexer::of(layout)?;
        Threads::new(
            coordinates
                .into_iter()
                .map(|values| values.map(|values| values.iter().map(|c| layout.sum(c)).collect()).transpose())
                .collect::<Result<_>>()?,
        )
    }

    /// Takes the indices as given. Fails if threads have different numbers of values.
    pub fn new(index: Vec<Option<Vec<i64>>>) -> Result<Threads> {
        let values = index.iter().flatten().map(Vec::len).next().unwrap_or(0);
        match index.iter().flatten().find(|of| of.len() != values) {
            Some(of) => Err(LayoutError::plain(Op::BankConflicts, Cause::ThreadValues, values as i64, of.len() as i64)),
            None => Ok(Threads { index, values }),
        }
    }

    /// Returns the indices that every thread requests; `None` for an inactive thread.
    pub fn into_indices(self) -> Vec<Option<Vec<i64>>> {
        self.index
    }

    /// Calls `visit` with the lanes of every access, warp by warp. Fails if a vector is not consecutive and aligned.
    fn accesses(&self, access: Access, warp: usize, base: i64, mut visit: impl FnMut(Lanes)) -> Result<()> {
        let empty = Lanes::from_base(access, base)?;
        let vector = access.vector as usize;
        if !self.values.is_multiple_of(vector) {
            return Err(LayoutError::plain(Op::BankConflicts, Cause::CastExtent, self.values as i64, vector as i64));
        }
        for threads in self.index.chunks(warp) {
            for value in (0..self.values).step_by(vector) {
                let mut lanes = empty;
                for of in threads {
                    let first = of.as_ref().map(|of| of[value]);
                    if let (Some(of), Some(first)) = (of, first)
                        && let Some(k) = (1..vector).find(|k| Some(of[value + k]) != first.checked_add(*k as i64))
                    {
                        return Err(LayoutError::plain(Op::BankConflicts, Cause::NotConsecutive, of[value + k - 1], of[value + k]));
                    }
                    lanes.push(first)?;
                }
                visit(lanes);
            }
        }
        Ok(())
    }

    /// Reports how banks serve the threads, `access.vector` values at once. Fails if a vector is not consecutive and aligned.
    pub fn banks(&self, access: Access, banks: Banks) -> Result<BankReport> {
        let mut report = BankReport { accesses: Vec::new(), lanes: Vec::new() };
        self.accesses(access, banks.warp() as usize, 0, |lanes| {
            report.accesses.push(banks.serve(&lanes));
            report.lanes.push(lanes);
        })?;
        Ok(report)
    }

    /// Reports the sectors and lines that warps of `warp` threads touch, `access.vector` values at once. Fails as `banks`.
    pub fn lines(&self, access: Access, warp: usize, lines: Lines) -> Result<LinesReport> {
        let mut report = LinesReport::default();
        self.accesses(access, warp.clamp(1, MAX_LANES), lines.base, |lanes| {
            let mut first: Vec<i64> = (0..lanes.len()).filter_map(|k| lanes.byte(k)).collect();
            first.sort_unstable();
            first.dedup();
            // Aligned vectors are equal or disjoint.
            let distinct = |size: i64| {
                let parts = first.iter().flat_map(|byte| byte / size..=(byte + lanes.bytes() - 1) / size);
                let (mut count, mut before) = (0, None);
                for part in parts {
                    count += u64::from(before != Some(part));
                    before = Some(part);
                }
                count
            };
            let bytes = first.len() as u64 * lanes.bytes() as u64;
            report.sectors.push(distinct(i64::from(lines.sector_bytes.max(1))));
            report.lines.push(distinct(i64::from(lines.line_bytes.max(1))));
            report.ideal_sectors += bytes.div_ceil(u64::from(lines.sector_bytes.max(1)));
            report.ideal_lines += bytes.div_ceil(u64::from(lines.line_bytes.max(1)));
            report.useful_bytes += bytes;
        })?;
        Ok(report)
    }
}

impl BankReport {
    /// Returns the number of wavefronts of all accesses.
    pub fn wavefronts(&self) -> u64 {
        self.accesses.iter().map(|served| u64::from(served.wavefronts)).sum()
    }

    /// Returns the number of wavefronts that all accesses would take without conflicts.
    pub fn ideal(&self) -> u64 {
        self.accesses.iter().map(|served| u64::from(served.ideal)).sum()
    }

    /// Returns the number of wavefronts that conflicts add.
    pub fn conflicts(&self) -> u64 {
        self.wavefronts() - self.ideal()
    }
}

impl Banks {
    /// Finds the banks of which the lanes of one group request several words, most words first, with those words and their lanes.
    ///
    /// ```
    /// use layout_algebra::memory::{Access, Banks, Lanes};
    /// let mut row = Lanes::new(Access::element(32))?;
    /// for index in 0..32 {
    ///     row.push(Some(index))?;
    /// }
    /// assert!(Banks::NVIDIA.collisions(&row).is_empty());
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn collisions(&self, lanes: &Lanes) -> Vec<Collision> {
        let mut found: Vec<Collision> = Vec::new();
        let group = self.group(lanes.bytes() as u32) as usize;
        for from in (0..self.places(lanes.len())).step_by(group) {
            let mut here: Vec<Collision> = Vec::new();
            for lane in (from..from + group).map(|place| self.lane(lanes.bytes() as u32, place)) {
                let Some(byte) = lanes.byte(lane) else { continue };
                let size = i64::from(self.bytes());
                for word in byte / size..=(byte + lanes.bytes() - 1) / size {
                    let bank = self.bank(word * size);
                    let at = here.iter().position(|c| c.bank == bank).unwrap_or_else(|| {
                        here.push(Collision { bank, words: Vec::new() });
                        here.len() - 1
                    });
                    match here[at].words.iter_mut().find(|(other, _)| *other == word) {
                        Some((_, lanes)) => lanes.push(lane),
                        None => here[at].words.push((word, vec![lane])),
                    }
                }
            }
            found.extend(here.into_iter().filter(|c| c.words.len() > 1));
        }
        found.sort_by_key(|c| core::cmp::Reverse(c.words.len()));
        found
    }
}
