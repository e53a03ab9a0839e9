//! Plans the exact list of copies that turns a source into a target.
//!
//! A plan is `to . from^-1` through the coordinates of the tensor, never through addresses. A source may therefore
//! repeat elements, and neither side needs to be compact. The planner computes with the modes of both sides and never
//! visits single elements: two layouts of a billion elements take as long as two of a thousand with the same modes.
//!
//! [`Planner::plan`] takes these steps, and comments in its code repeat their numbers. In the costs, `d` is the number
//! of digits of both sides, `p` and `q` are the numbers of pieces of the target and of the source, `b` is the number
//! of blocks, and `c` is the number of copies.
//!
//! | step | what it does | cost | skipped when |
//! |---|---|---|---|
//! | 1. Digits | Writes both sides as digits of the coordinate of each mode, coalesced ([`side`]). | `O(d)` | never |
//! | 2. Cover | Refuses pieces of the target that overlap or leave a hole. | `O(p^2)` boxes | pieces may overlap |
//! | 3. Injective | Refuses a target with two elements at one offset of one place ([`injective`]). | one bounded sum for each digit of a piece, and for each component of two pieces whose offsets meet: at most 2^18 intervals in all, or a lattice of at most 24 strides; the same again for up to 4096 boxes if elements collide and some coordinates are beyond the extent | there are no elements |
//! | 4. Holders | Cuts each piece of the target into boxes, by the pieces of the source that hold them. | `O(q)` cuts of each box | never |
//! | 5. Refine | Cuts the coordinate where any side does, and writes out the digits that move a place. The results are blocks that are affine on every side ([`refine`], [`affine`]). | `O(b)`, at most four times the limit and 65536 | never |
//! | 6. Choose | Lists the replicas and pieces that hold each block, and chooses as few source places as possible for each place of the target ([`sources`]). | `O(b)` times replicas; exact for up to 14 places, greedy beyond | each block has one source |
//! | 7. Join | Joins blocks that continue one another into one copy ([`join`]). Without loops, it makes the longest runs ([`runs`]). | `O(b log b)` for each pass; up to 2048 elements are also taken apart and joined anew | there is one block |
//! | 8. Count | Refuses more copies than the limit, before it writes them out. | `O(c)` | never |

mod affine;
mod copy;
mod digits;
mod error;
mod injective;
mod join;
mod place;
mod refine;
mod region;
mod runs;
mod side;
pub(crate) mod solve;
mod sources;
mod statistics;
mod trace;

pub(crate) use copy::span;
pub use copy::{Copy, Loop};
pub use error::{PlanError, Result};
pub use place::Place;
pub use side::{Piece, Side};
pub use statistics::Statistics;
pub use trace::{Trace, TracedBox, TracedFactor};

use affine::Budget;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use region::Region;
use side::{BoundPiece, BoundSide};

/// The limit on the number of copies of a plan, unless [`Planner::limit`] sets another.
///
/// ```
/// use relayout::{DEFAULT_LIMIT, HaloBlocks, Planner, Side};
/// // More blocks than copies are refused before anything is planned.
/// let error = HaloBlocks::new(&[1 << 21], &[1 << 21]).halo().unwrap_err();
/// assert_eq!(error.to_string(), "the plan needs at least 2097152 copies, but the limit is 1048576");
/// // A program whose plans are larger sets its own limit.
/// let planner = Planner::new().limit(4 * DEFAULT_LIMIT);
/// assert_eq!(planner.plan(&Side::parse("16:1")?, &Side::parse("16:1")?)?.copies().count(), 1);
/// # Ok::<(), relayout::PlanError>(())
/// ```
pub const DEFAULT_LIMIT: usize = 1 << 20;

/// The copies from one place to another.
///
/// ```
/// use relayout::{Plan, Side};
/// // Four blocks of 4 become two blocks of 8.
/// let plan = Plan::new(&Side::parse("(4,4):(1@0,1@1)")?, &Side::parse("(8,2):(1@0,1@1)")?)?;
/// let sent = plan.messages().iter().filter(|message| !message.is_local());
/// let sent: Vec<_> = sent.map(|message| (message.from.number(), message.to.number(), message.elements())).collect();
/// assert_eq!(sent, [(Some(1), Some(0), 4), (Some(2), Some(1), 4), (Some(3), Some(1), 4)]);
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The place that has the elements.
    pub from: Place,
    /// The place that receives the elements.
    pub to: Place,
    /// The copies, in ascending order of their offsets in the target.
    pub copies: Vec<Copy>,
}

impl Message {
    /// Returns the number of elements copied, at most `i64::MAX`.
    pub fn elements(&self) -> i64 {
        self.copies.iter().map(Copy::elements).fold(0, i64::saturating_add)
    }

    /// Tests whether the message stays within one place.
    pub fn is_local(&self) -> bool {
        self.from == self.to
    }
}

/// The list of copies that moves every element of a tensor from one layout to another.
///
/// The copies write every element of the target exactly once, each replica included, and nothing else. Each element comes
/// from a place that has it: its own place if possible. Source and target are different memory, even within one place.
///
/// ```
/// use relayout::{Plan, Side};
/// // From four blocks of four elements to a cyclic distribution.
/// let plan = Plan::new(&Side::parse("(4,4):(1@0,1@1)")?, &Side::parse("(4,4):(1@1,1@0)")?)?;
/// assert_eq!(plan.messages().len(), 16);
/// assert_eq!(plan.statistics().local, 4);
///
/// // A transposition is one copy of two loops.
/// let plan = Plan::new(&Side::parse("(300,200):(1,300)")?, &Side::parse("(300,200):(200,1)")?)?;
/// assert_eq!(plan.copies().count(), 1);
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    messages: Vec<Message>,
    elements: i64,
}

impl Plan {
    /// Plans the copies between two sides of equal size.
    ///
    /// Elements correspond by linear coordinate, the leftmost mode fastest. Fails if the sizes differ, and as
    /// [`Planner::plan`] does.
    pub fn new(from: &Side, to: &Side) -> Result<Plan> {
        Planner::new().plan(from, to)
    }

    /// Returns the messages, in ascending order of source place and then of target place.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Iterates over all copies, each with its source place and its target place.
    pub fn copies(&self) -> impl Iterator<Item = (&Place, &Place, &Copy)> {
        self.messages.iter().flat_map(|message| message.copies.iter().map(move |copy| (&message.from, &message.to, copy)))
    }

    /// Returns the number of elements written. Each replica counts.
    pub fn elements(&self) -> i64 {
        self.elements
    }
}

/// The options of a [`Plan`]: which elements exist, how many loops a copy may have, and how many copies there may be.
///
/// ```
/// use relayout::{Planner, Side};
/// // 13 elements move from blocks of 4 to blocks of 5. Elements beyond the extent do not exist.
/// let plan = Planner::new().elements(13).plan(&Side::parse("(4,4):(1@0,1@1)")?, &Side::parse("(5,3):(1@0,1@1)")?)?;
/// assert_eq!(plan.elements(), 13);
///
/// // Each copy has at most one loop, like a strided descriptor.
/// let plan = Planner::new().max_loops(1).plan(&Side::parse("(8,6,5):(1,8,48)")?, &Side::parse("(8,6,5):(1,10,100)")?)?;
/// assert_eq!(plan.copies().count(), 5);
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Planner {
    extent: Extent,
    max_loops: Option<usize>,
    limit: Option<usize>,
    overlapping: bool,
}

/// The extent of a plan: the elements that exist.
#[derive(Clone, Debug, Default)]
enum Extent {
    /// All elements of both sides.
    #[default]
    All,
    /// The elements whose linear coordinate is smaller than this number.
    Linear(i64),
    /// The elements whose coordinate in each mode is smaller than the number for this mode.
    Modes(Vec<i64>),
}

impl Planner {
    /// Creates options with these defaults: all elements, any number of loops, at most [`DEFAULT_LIMIT`] copies.
    pub fn new() -> Self {
        Planner::default()
    }

    /// Plans only the elements whose linear coordinate is below `count`, on both sides.
    pub fn elements(mut self, count: i64) -> Self {
        self.extent = Extent::Linear(count);
        self
    }

    /// Plans only the elements whose coordinate in mode `k` is below `extent[k]`, for each top-level mode `k` of both sides. This
    /// coordinate is a linear coordinate of the mode, so the two sides may divide a mode differently, and a mode may be longer
    /// than its extent.
    pub fn extent(mut self, extent: &[i64]) -> Self {
        self.extent = Extent::Modes(extent.to_vec());
        self
    }

    /// Sets the maximum number of loops per copy. With 0, each copy is one contiguous run.
    pub fn max_loops(mut self, loops: usize) -> Self {
        self.max_loops = Some(loops);
        self
    }

    /// Lets pieces of the target overlap and leave elements of the tensor out. The plan writes each piece and nothing
    /// else. Halos are such pieces.
    ///
    /// ```
    /// use relayout::{Piece, Planner, Side};
    /// // Six elements are on two ranks. Each rank also needs the neighbour's nearest element.
    /// let whole = Side::pieces([Piece::new("(6):(1@0)", &[0], &[3])?, Piece::new("(6):(1@0)", &[3], &[3])?.with_base(&[0, 1])]);
    /// let near = Side::pieces([Piece::new("(1):(1@0)", &[3], &[1])?, Piece::new("(1):(1@0)", &[2], &[1])?.with_base(&[3, 1])]);
    /// let plan = Planner::new().extent(&[6]).overlapping().plan(&whole, &near)?;
    /// assert_eq!(plan.elements(), 2);
    /// # Ok::<(), relayout::PlanError>(())
    /// ```
    pub fn overlapping(mut self) -> Self {
        self.overlapping = true;
        self
    }

    /// Sets the maximum number of copies. [`Planner::plan`] counts before it writes copies out, and fails if there are
    /// more.
    ///
    /// ```
    /// use relayout::{Planner, Side};
    /// let [rows, columns] = [Side::parse("(8,6):(6,1)")?, Side::parse("(8,6):(1,8)")?];
    /// let few = Planner::new().limit(10);
    /// assert_eq!(few.plan(&rows, &columns)?.copies().count(), 1); // one copy, with two loops
    /// let error = few.max_loops(1).limit(5).plan(&rows, &columns).unwrap_err();
    /// assert_eq!(error.to_string(), "the plan needs at least 6 copies, but the limit is 5");
    /// # Ok::<(), relayout::PlanError>(())
    /// ```
    pub fn limit(mut self, copies: usize) -> Self {
        self.limit = Some(copies);
        self
    }

    /// Plans the copies from one side to the other.
    ///
    /// Fails if the sides do not fit each other or the extent, if the target has two elements at one offset of one place, if
    /// pieces of the target overlap or leave a hole, if no piece of the source has an element, or if there are more copies than
    /// the limit. Fails also if a number exceeds 62 bits, or if a search exceeds its bounds.
    pub fn plan(&self, from: &Side, to: &Side) -> Result<Plan> {
        // Step 1: write both sides as digits.
        let (extents, source, target) = self.parts(from, to)?;
        let whole = Region { lo: vec![0; extents.len()], hi: extents };
        let regions: Vec<Region> = target.list.iter().map(BoundPiece::region).collect();
        // Step 2: refuse pieces of the target that overlap or leave a hole.
        if !self.overlapping {
            covered_once(&whole, &regions)?;
        }
        let elements = elements(&regions, &target)?;
        if elements == 0 {
            return Ok(Plan { messages: vec![], elements });
        }
        // Step 3: refuse a target with two elements at one offset of one place.
        injective::distinct(&target)?;
        let mut budget = Budget::new(self.most());
        let mut needs = vec![];
        for part in target.list.iter().filter(|part| !part.is_empty()) {
            // Step 4: cut each piece of the target by the pieces of the source.
            for (region, holders) in held(part, &source)? {
                let sides: Vec<&BoundPiece> = core::iter::once(part).chain(holders.iter().copied()).collect();
                // Step 5: refine the boxes to blocks that are affine on every side.
                let atoms = affine::affine_blocks(&region, &sides, target.components, source.components, &mut budget)?;
                // Step 6, first half: list the sources that hold each block.
                let shifts = sources::shifts(&holders, atoms.len())?;
                needs.extend(atoms.iter().map(|atom| sources::need(atom, &shifts)));
            }
        }
        // Steps 6 to 8: choose the sources, join the blocks and count the copies.
        let messages = self.messages(needs, &budget)?;
        Ok(Plan { messages, elements })
    }

    /// Returns the extents of the tensor: one for each mode, or the number of elements if they correspond by linear coordinate.
    /// Fails if the sides do not fit each other or the extent.
    ///
    /// ```
    /// use relayout::{Planner, Side};
    /// let [a, b, c] = [Side::parse("(4,6):(1,4)")?, Side::parse("(4,6):(6,1)")?, Side::parse("(6,4):(1,6)")?];
    /// assert_eq!(Planner::new().extents(&a, &b)?, [4, 6]);
    /// assert_eq!(Planner::new().extents(&a, &c)?, [24]); // linear coordinates, because the extents differ
    /// assert_eq!(Planner::new().extent(&[3, 4]).extents(&a, &c)?, [3, 4]);
    /// # Ok::<(), relayout::PlanError>(())
    /// ```
    pub fn extents(&self, from: &Side, to: &Side) -> Result<Vec<i64>> {
        Ok(self.parts(from, to)?.0)
    }

    /// Returns the extents of the tensor, and `from` and `to` over these extents. Fails if they do not fit one another.
    fn parts(&self, from: &Side, to: &Side) -> Result<(Vec<i64>, BoundSide, BoundSide)> {
        let (extents, linear) = match &self.extent {
            Extent::Modes(extents) => (extents.clone(), false),
            Extent::Linear(count) => (vec![*count], true),
            Extent::All => {
                let sizes = (from.size()?, to.size()?);
                if sizes.0 != sizes.1 {
                    return Err(PlanError::Sizes { source: sizes.0, target: sizes.1 });
                }
                let extents = from.extents()?;
                if extents == to.extents()? { (extents, false) } else { (vec![sizes.0], true) }
            }
        };
        let (source, target) = (from.parts(&extents, linear)?, to.parts(&extents, linear)?);
        Ok((extents, source, target))
    }

    fn most(&self) -> usize {
        self.limit.unwrap_or(DEFAULT_LIMIT)
    }

    /// Returns the copies that write the blocks of `needs`, grouped by source and target place. Fails if there are more copies
    /// than the limit.
    fn messages(&self, needs: Vec<sources::BlockSources>, budget: &Budget) -> Result<Vec<Message>> {
        // On the way, the number of copies may exceed the limit by the budget's margin. The final number may not.
        let allowed = |copies: Option<i64>| match copies {
            Some(copies) if copies <= budget.left => Ok(()),
            copies => Err(budget.error(copies.unwrap_or(i64::MAX))),
        };
        let lists: BTreeMap<(Place, Place), Vec<Copy>> = if self.max_loops == Some(0) {
            // Step 8: count the copies.
            allowed(runs::count(&needs))?;
            // Steps 6 and 7 at once: each run takes the source that continues it furthest.
            runs::longest(&needs)
        } else {
            let most = self.max_loops.unwrap_or(usize::MAX);
            // Step 6, second half: take one source for each need.
            let messages = sources::choose(needs);
            // Step 7: join the blocks.
            let copies = |blocks| join::join(blocks, most).into_iter().map(copy::Block::copy).collect();
            let messages: Vec<(_, Vec<Copy>)> = messages.into_iter().map(|(places, blocks)| (places, copies(blocks))).collect();
            // Step 8: count the copies.
            let all = messages.iter().flat_map(|(_, copies)| copies);
            allowed(all.map(|copy| copy.parts(most)).try_fold(0_i64, |total, parts| total.checked_add(parts?)))?;
            let split = |copies: Vec<Copy>| copies.into_iter().flat_map(|copy| copy.split(most)).collect();
            messages.into_iter().map(|(places, copies)| (places, split(copies))).collect()
        };
        let copies: usize = lists.values().map(Vec::len).sum();
        if copies > budget.limit {
            return Err(budget.error(copies as i64));
        }
        let message = |((from, to), mut copies): ((Place, Place), Vec<Copy>)| {
            copies.sort_unstable_by_key(|copy| copy.target);
            Message { from, to, copies }
        };
        Ok(lists.into_iter().map(message).collect())
    }
}

/// Returns the number of elements of these boxes, each replica of `target` included. Fails if it exceeds 61 bits.
fn elements(regions: &[Region], target: &BoundSide) -> Result<i64> {
    let replicas = target.list.first().map_or(1, |part| part.replicas);
    let one = |region: &Region| region.lo.iter().zip(&region.hi).try_fold(replicas, |all, (lo, hi)| all.checked_mul((hi - lo).max(0)));
    let elements = regions.iter().try_fold(0_i64, |all, region| all.checked_add(one(region)?));
    elements.filter(|elements| *elements < 1 << 61).ok_or(PlanError::Overflow)
}

impl BoundPiece {
    fn region(&self) -> Region {
        Region { lo: self.lo.clone(), hi: self.hi.clone() }
    }

    fn is_empty(&self) -> bool {
        self.lo.iter().zip(&self.hi).any(|(lo, hi)| lo >= hi)
    }
}

/// Refuses pieces of a target, given as boxes, that overlap or leave a hole in `whole`.
fn covered_once(whole: &Region, regions: &[Region]) -> Result<()> {
    for (first, one) in regions.iter().enumerate() {
        for (second, other) in regions.iter().enumerate().skip(first + 1) {
            if let Some(common) = one.common(other) {
                return Err(PlanError::Overlap { first, second, element: common.lo });
            }
        }
    }
    if regions.iter().map(Region::size).sum::<i128>() < whole.size() {
        let element = whole.first_outside(regions.iter()).unwrap_or_default();
        return Err(PlanError::Hole { element });
    }
    Ok(())
}

/// Cuts a piece of the target into boxes, each with the pieces of the source that have it. Fails if no piece of the
/// source has some element.
fn held<'a>(part: &BoundPiece, source: &'a BoundSide) -> Result<Vec<(Region, Vec<&'a BoundPiece>)>> {
    let whole = part.region();
    let mut boxes: Vec<(Region, Vec<&BoundPiece>)> = vec![];
    for holder in &source.list {
        let Some(common) = whole.common(&holder.region()) else { continue };
        let mut new = vec![common.clone()];
        let mut cut = vec![];
        for (region, holders) in boxes {
            match region.common(&common) {
                None => cut.push((region, holders)),
                Some(both) => {
                    new = new.iter().flat_map(|rest| rest.without(&both)).collect();
                    cut.extend(region.without(&common).into_iter().map(|rest| (rest, holders.clone())));
                    cut.push((both, [&holders[..], &[holder]].concat()));
                }
            }
        }
        cut.extend(new.into_iter().map(|region| (region, vec![holder])));
        boxes = cut;
    }
    if boxes.iter().map(|(region, _)| region.size()).sum::<i128>() < whole.size() {
        let element = whole.first_outside(boxes.iter().map(|(region, _)| region)).unwrap_or_default();
        return Err(PlanError::NoSource { element });
    }
    Ok(boxes)
}
