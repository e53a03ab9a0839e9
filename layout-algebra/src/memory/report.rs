//! What a warp asks for, access by access, with who collides with whom.

use crate::algebra::accesses::Indexer;
use crate::algebra::operands::Operand;
use crate::banks::{Access, Banks, Lanes, MAX_LANES, Served};
use crate::error::{Cause, LayoutError, Op, Result};
use crate::heap::*;
use crate::value::LayoutValue;

/// The indices that the values of each thread have; `None` for an inactive thread.
///
/// ```
/// use layout_algebra::memory::{Access, Banks, Threads};
/// use layout_algebra::{error::Op, expression::{Operand, Parser}, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let layout: Operand<16> = Parser::whole("(32,32):(32,1)", &mut scope)?;
/// let Operand::Layout(column) = Parser::whole("32:1", &mut scope)? else { unreachable!() };
/// let report = Threads::through(&layout, &column)?.banks(Access::element(32), Banks::NVIDIA)?;
/// assert_eq!((report.wavefronts(), report.conflicts()), (32, 31));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Threads {
    index: Vec<Option<Vec<i64>>>,
    values: usize,
}

/// How the accesses of all warps are served by banks.
#[derive(Clone, Debug)]
pub struct BankReport {
    /// By warp, then access.
    pub accesses: Vec<Served>,
    /// The lanes of each, and their bytes.
    pub lanes: Vec<Lanes>,
}

/// Sectors and lines of global memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lines {
    /// Bytes of a sector, the least that is moved.
    pub sector_bytes: u32,
    /// Bytes of a line.
    pub line_bytes: u32,
    /// The byte of element 0.
    pub base: i64,
}

impl Default for Lines {
    /// Sectors of 32 bytes in lines of 128.
    fn default() -> Self {
        Lines { sector_bytes: 32, line_bytes: 128, base: 0 }
    }
}

/// What accesses of all warps move.
#[derive(Clone, Debug, Default)]
pub struct LinesReport {
    /// Distinct sectors by warp, then access.
    pub sectors: Vec<u64>,
    /// Distinct lines by warp, then access.
    pub lines: Vec<u64>,
    /// Sectors that the bytes asked for would fill.
    pub ideal_sectors: u64,
    /// Lines that they would fill.
    pub ideal_lines: u64,
    /// Distinct bytes asked for, access by access.
    pub useful_bytes: u64,
}

/// Words of one bank that lanes served together ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collision {
    /// The bank.
    pub bank: u32,
    /// The words, each with the lanes that ask for it.
    pub words: Vec<(i64, Vec<usize>)>,
}

impl Threads {
    /// The indices in `layout` of what `threads` takes each thread, its mode 0, and each value, its further modes, to: integer coordinates.
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

    /// The indices in `layout` of the coordinates given for each thread: one integer, or one for each mode.
    ///
    /// Fails where threads have different numbers of values.
    pub fn at<const N: usize>(layout: &Operand<N>, coordinates: Vec<Option<Vec<Vec<i64>>>>) -> Result<Threads> {
        let layout = Indexer::of(layout)?;
        Threads::new(
            coordinates
                .into_iter()
                .map(|values| values.map(|values| values.iter().map(|c| layout.sum(c)).collect()).transpose())
                .collect::<Result<_>>()?,
        )
    }

    /// The indices given. Fails where threads have different numbers of values.
    pub fn new(index: Vec<Option<Vec<i64>>>) -> Result<Threads> {
        let values = index.iter().flatten().map(Vec::len).next().unwrap_or(0);
        match index.iter().flatten().find(|of| of.len() != values) {
            Some(of) => Err(LayoutError::plain(Op::BankConflicts, Cause::ThreadValues, values as i64, of.len() as i64)),
            None => Ok(Threads { index, values }),
        }
    }

    /// The indices of every thread.
    pub fn into_indices(self) -> Vec<Option<Vec<i64>>> {
        self.index
    }

    /// `visit` of the lanes of every access, by warp.
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

    /// How banks serve the threads, `access.vector` values at once.
    pub fn banks(&self, access: Access, banks: Banks) -> Result<BankReport> {
        let mut report = BankReport { accesses: Vec::new(), lanes: Vec::new() };
        self.accesses(access, banks.warp() as usize, 0, |lanes| {
            report.accesses.push(banks.serve(&lanes));
            report.lanes.push(lanes);
        })?;
        Ok(report)
    }

    /// The sectors and lines that the threads touch, `access.vector` values at once.
    pub fn lines(&self, access: Access, warp: usize, lines: Lines) -> Result<LinesReport> {
        let mut report = LinesReport::default();
        self.accesses(access, warp.clamp(1, MAX_LANES), lines.base, |lanes| {
            let mut first: Vec<i64> = (0..lanes.len()).filter_map(|k| lanes.byte(k)).collect();
            first.sort_unstable();
            first.dedup();
            // Vectors are aligned, so they are the same or apart.
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
    /// All wavefronts.
    pub fn wavefronts(&self) -> u64 {
        self.accesses.iter().map(|served| u64::from(served.wavefronts)).sum()
    }

    /// The wavefronts without a conflict.
    pub fn ideal(&self) -> u64 {
        self.accesses.iter().map(|served| u64::from(served.ideal)).sum()
    }

    /// What conflicts cost.
    pub fn conflicts(&self) -> u64 {
        self.wavefronts() - self.ideal()
    }
}

impl Banks {
    /// The banks of which lanes that are served together ask for more than one word, worst first; of each, the words and their lanes.
    pub fn collisions(&self, lanes: &Lanes) -> Vec<Collision> {
        let mut found: Vec<Collision> = Vec::new();
        let group = self.group(lanes.bytes() as u32) as usize;
        for from in (0..lanes.len()).step_by(group) {
            let mut here: Vec<Collision> = Vec::new();
            for lane in from..(from + group).min(lanes.len()) {
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
