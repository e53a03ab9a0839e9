//! The indices that a class of one division shares with a class of another one.

use crate::error::{LimitedItem, Result, at_most};
use crate::partition::{MAX_RANGES, Partition, lcm};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// Indices of one tensor axis as blocks at equal distances: `start + i * step + j` for `i` below `count` and `j` below `len`.
///
/// `source` and `target` are the local indices of the first one in the parts of two devices, and `source_step` and
/// `target_step` the local distances between blocks.
///
/// ```
/// use placements::{Mesh, Placement, Reshard, Rule};
/// let mesh = Mesh::new([("x", 2)])?;
/// let rows = Placement::new(&mesh, &[12])?;
/// let plan = Reshard::new(&rows.clone().split(0, "x", Rule::Chunk)?, &rows.split(0, "x", Rule::Block(2))?)?;
/// let run = &plan.transfers()?[0].runs[0];
/// // Device 0 keeps the elements 0, 1, 4 and 5: two blocks of two.
/// assert_eq!((run.start, run.len, run.step, run.count), (0, 2, 4, 2));
/// assert_eq!((run.source_step, run.target_step), (4, 2));
/// # Ok::<(), placements::PlacementError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexRun {
    /// The first index, in the whole tensor.
    pub start: i64,
    /// The number of indices of a block.
    pub len: i64,
    /// The distance between the begins of two blocks.
    pub step: i64,
    /// The number of blocks.
    pub count: i64,
    /// The local index of the first one in the source.
    pub source: i64,
    /// The local distance between blocks in the source.
    pub source_step: i64,
    /// The local index of the first one in the target.
    pub target: i64,
    /// The local distance between blocks in the target.
    pub target_step: i64,
}

impl IndexRun {
    /// Returns the number of indices, `count * len`.
    pub fn indices(&self) -> i64 {
        self.count * self.len
    }

    /// Returns the blocks whose numbers are in `blocks`, and of each the indices in `inside`.
    pub(crate) fn part(self, blocks: [i64; 2], inside: [i64; 2]) -> IndexRun {
        let moved = |first: i64, step: i64| first + blocks[0] * step + inside[0];
        let run = IndexRun {
            start: moved(self.start, self.step),
            source: moved(self.source, self.source_step),
            target: moved(self.target, self.target_step),
            len: inside[1] - inside[0],
            count: blocks[1] - blocks[0],
            ..self
        };
        run.without_steps()
    }

    /// Sets all steps to the length of the block if the run has only one.
    fn without_steps(self) -> IndexRun {
        match self.count {
            1 => IndexRun { step: self.len, source_step: self.len, target_step: self.len, ..self },
            _ => self,
        }
    }
}

/// The runs that each class of a target shares with each class of a source.
pub(crate) struct Overlay {
    /// The class of the source, the class of the target, and the indices: in ascending order of target and of source.
    pub runs: Vec<(usize, usize, IndexRun)>,
    /// The begin of each class of the target in `runs`, and the end.
    pub first: Vec<usize>,
}

impl Overlay {
    /// Lists the runs that two divisions of the same indices share. Fails for more than [`MAX_RANGES`] runs.
    pub fn new(from: &Partition, to: &Partition) -> Result<Overlay> {
        let mut runs: Vec<(usize, usize, IndexRun)> = vec![];
        let (mut a, mut b) = (0, 0);
        while let (Some(one), Some(other)) = (from.segments.get(a), to.segments.get(b)) {
            let (lo, hi) = (one.lo.max(other.lo), one.hi.min(other.hi));
            let period = lcm(one.period, other.period);
            let width = if one.entries.len() == 1 && other.entries.len() == 1 { hi - lo } else { period.min(hi - lo) };
            let (turns, rest) = ((hi - lo) / width, (hi - lo) % width);
            let mut x = lo;
            while x < lo + width {
                let ((source, end), (target, other_end)) = (one.find(x), other.find(x));
                let end = end.min(other_end).min(lo + width);
                let (offset, len) = (x - lo, end - x);
                let mut run = IndexRun {
                    start: x,
                    len,
                    step: width,
                    count: turns,
                    source: one.position(source, x),
                    source_step: width / one.period * source.step,
                    target: other.position(target, x),
                    target_step: width / other.period * target.step,
                };
                // The last period is not whole: a block may be whole there, partial or absent.
                let beyond = (rest - offset).clamp(0, len);
                if beyond == len {
                    run.count += 1;
                } else if beyond > 0 {
                    let tail = IndexRun {
                        start: run.start + turns * run.step,
                        len: beyond,
                        count: 1,
                        source: run.source + turns * run.source_step,
                        target: run.target + turns * run.target_step,
                        ..run
                    };
                    runs.push((source.class, target.class, tail.without_steps()));
                }
                runs.push((source.class, target.class, run.without_steps()));
                at_most(LimitedItem::Ranges, runs.len(), MAX_RANGES)?;
                x = end;
            }
            a += usize::from(one.hi == hi);
            b += usize::from(other.hi == hi);
        }
        runs.sort_by_key(|(source, target, run)| (*target, *source, run.start));
        let mut first = vec![0; to.sizes.len() + 1];
        runs.iter().for_each(|run| first[run.1 + 1] += 1);
        for class in 0..to.sizes.len() {
            first[class + 1] += first[class];
        }
        Ok(Overlay { runs, first })
    }

    /// Returns the runs of a class of the target.
    pub fn of(&self, target: usize) -> &[(usize, usize, IndexRun)] {
        &self.runs[self.first[target]..self.first[target + 1]]
    }

    /// Returns the number of indices that a class of the source and a class of the target share, if there are any.
    pub fn sizes(&self) -> BTreeMap<(usize, usize), i64> {
        let mut sizes = BTreeMap::new();
        for (source, target, run) in &self.runs {
            *sizes.entry((*source, *target)).or_insert(0) += run.indices();
        }
        sizes
    }
}
