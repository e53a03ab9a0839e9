//! Records how a plan comes about, for tools that explain it.

use super::affine::{self, Budget, Subproblem};
use super::digits::ModeDigits;
use super::{Planner, Result, Side, held};
use alloc::vec::Vec;

/// The steps of a plan, from two sides to the blocks that are joined into copies. Later steps are not recorded.
///
/// ```
/// use relayout::{Piece, Planner, Side, Trace};
/// // Two pieces of the target: each is a box of its own.
/// let halves = Side::pieces([Piece::new("(4):(1@0)", &[0], &[4])?, Piece::new("(2):(1@0)", &[4], &[2])?.with_base(&[0, 1])]);
/// let Trace { extents, boxes } = Planner::new().extent(&[6]).trace(&Side::parse("(6):(1@0)")?, &halves)?;
/// assert_eq!((extents, boxes.len()), (vec![6], 2));
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trace {
    /// The extents of the tensor: one for each mode, or the number of elements if they correspond by linear coordinate.
    pub extents: Vec<i64>,
    /// The boxes of coordinates. Each box lies in one piece of the target, and each piece of the source has all of it
    /// or none.
    pub boxes: Vec<TracedBox>,
}

/// A box of coordinates, `lo[k] <= c[k] < hi[k]`.
///
/// ```
/// use relayout::{Piece, Planner, Side};
/// // Place 0 has elements 0 to 4, place 1 has elements 3 to 5: both have elements 3 and 4.
/// let source = Side::pieces([Piece::new("(5):(1@0)", &[0], &[5])?, Piece::new("(3):(1@0)", &[3], &[3])?.with_base(&[0, 1])]);
/// let trace = Planner::new().extent(&[6]).trace(&source, &Side::parse("(6):(1@0)")?)?;
/// let mut boxes: Vec<_> = trace.boxes.iter().map(|one| (one.lo[0]..one.hi[0], one.sources)).collect();
/// boxes.sort_by_key(|(range, _)| range.start);
/// assert_eq!(boxes, [(0..3, 1), (3..5, 2), (5..6, 1)]);
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TracedBox {
    /// The first coordinate of each mode.
    pub lo: Vec<i64>,
    /// One beyond the last coordinate of each mode.
    pub hi: Vec<i64>,
    /// The number of pieces of the source that have all elements of the box.
    pub sources: usize,
    /// The factors of the coordinate that are refined alone.
    pub factors: Vec<TracedFactor>,
}

/// A factor of the coordinate that is refined alone: a mode, or the range of a mode below or above a weight at which
/// all sides are cut.
///
/// ```
/// use relayout::{Planner, Side};
/// // Blocks of 4 become blocks of 6. They share a boundary every 12 elements.
/// let trace = Planner::new().trace(&Side::parse("(4,6):(1@0,1@1)")?, &Side::parse("(6,4):(1@0,1@1)")?)?;
/// let factor = &trace.boxes[0].factors[0];
/// assert_eq!(factor.digits, [[(6, 0, 1), (4, 1, 1)], [(4, 0, 1), (6, 1, 1)]]); // (count, component, step)
/// let begins: Vec<i64> = factor.progressions.iter().map(|(first, _)| *first).collect();
/// assert_eq!((factor.mode, factor.extent, begins, factor.blocks), (Some(0), 24, vec![0, 4, 6, 8], 8));
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TracedFactor {
    /// The number of the mode; `None` for the replicas of the target.
    pub mode: Option<usize>,
    /// Number of coordinates of the factor.
    pub extent: i64,
    /// The digits of the target, then of each source, the fastest first: (count, component that the digit moves along, step).
    /// Component 0 is the offset.
    pub digits: Vec<Vec<(i64, usize, i64)>>,
    /// The progressions on which all sides are affine: the first coordinate, and the counts of the loops.
    pub progressions: Vec<(i64, Vec<i64>)>,
    /// The number of blocks of the progressions, each with one place on each side. With one source, blocks of the same
    /// places are already joined.
    pub blocks: usize,
}

impl Planner {
    /// Returns the steps that lead to the plan: the boxes, and how each is refined. Fails as [`Planner::plan`] does, but
    /// does not check that the elements and the pieces of the target are distinct.
    ///
    /// ```
    /// use relayout::{Planner, Side};
    /// let trace = Planner::new().trace(&Side::parse("(4,6):(1@0,1@1)")?, &Side::parse("(6,4):(1@0,1@1)")?)?;
    /// // Boundaries of blocks of 4 and of 6 coincide every 12 elements: 4 progressions, twice.
    /// let factor = &trace.boxes[0].factors[0];
    /// assert_eq!((factor.extent, factor.progressions.len()), (24, 4));
    /// # Ok::<(), relayout::PlanError>(())
    /// ```
    pub fn trace(&self, from: &Side, to: &Side) -> Result<Trace> {
        let (extents, source, target) = self.parts(from, to)?;
        let mut budget = Budget::new(self.most());
        let mut boxes = Vec::new();
        for part in target.list.iter().filter(|part| !part.is_empty()) {
            for (region, holders) in held(part, &source)? {
                let sides: Vec<_> = core::iter::once(part).chain(holders.iter().copied()).collect();
                let factor = |problem: Subproblem| {
                    let progressions = problem.strands(&budget)?;
                    let loops = progressions.iter().map(|strand| (strand.start, strand.loops.iter().map(|(count, _)| *count).collect()));
                    Ok(TracedFactor {
                        mode: problem.mode,
                        extent: problem.hi - problem.lo,
                        digits: problem.chains.iter().map(digits).collect(),
                        progressions: loops.collect(),
                        blocks: problem.atoms(&progressions, target.components, source.components, &mut budget)?.len(),
                    })
                };
                let factors = affine::problems(&region, &sides).into_iter().map(factor).collect::<Result<_>>()?;
                boxes.push(TracedBox { lo: region.lo, hi: region.hi, sources: holders.len(), factors });
            }
        }
        Ok(Trace { extents, boxes })
    }
}

fn digits(chain: &ModeDigits) -> Vec<(i64, usize, i64)> {
    chain.digits.iter().map(|digit| (digit.count, digit.component, digit.step)).collect()
}
