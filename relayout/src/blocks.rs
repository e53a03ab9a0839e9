//! Tensors in blocks over a grid of places, with halos.

use crate::plan::{DEFAULT_LIMIT, Piece, Plan, PlanError, Planner, Result, Side};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// A tensor in blocks over a grid of places. Around its own elements, each block has a halo: room for copies of the nearest
/// elements of neighbouring blocks.
///
/// Mode `k` is cut into `grid[k]` blocks; the first `extent[k] mod grid[k]` of them have one element more. The place of a block
/// is the linear coordinate of the block in the grid, the first mode fastest. In memory, a block has room for `below[k]` elements
/// before its own elements and for `above[k]` behind them in each mode, even at the ends of the tensor. The first mode is
/// contiguous.
///
/// ```
/// use relayout::{HaloBlocks, Copy};
/// let blocks = HaloBlocks { below: vec![1, 0], above: vec![1, 0], ..HaloBlocks::new(&[10, 4], &[2, 1]) };
/// assert_eq!(blocks.local_extent(0)?, [7, 4]);
/// let plan = blocks.halo()?;
/// let message = &plan.messages()[0];
/// // The last own row of place 0 goes to the halo row before the own rows of place 1.
/// assert_eq!((message.from.number(), message.copies[0].source, message.copies[0].target), (Some(0), 5, 0));
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HaloBlocks {
    /// The extents of the tensor, in elements.
    pub extent: Vec<i64>,
    /// The number of blocks in each mode.
    pub grid: Vec<i64>,
    /// The width of the halo before each block, in elements, for each mode.
    pub below: Vec<i64>,
    /// The width of the halo behind each block, in elements, for each mode.
    pub above: Vec<i64>,
    /// For each mode, true if the mode is periodic: its first element follows its last one.
    pub periodic: Vec<bool>,
    /// True if halos have no edges and corners: they extend along one mode only. A star-shaped stencil needs no more.
    pub faces: bool,
}

/// Elements `lo .. lo + count` of a mode of the tensor. The first of them is at coordinate `at` in the block's memory.
#[derive(Clone, Copy)]
struct Span {
    lo: i64,
    count: i64,
    at: i64,
}

/// ```
/// use relayout::{HaloBlocks, Place};
/// // A ring of ten elements in blocks of 4, 3 and 3, with one element of each neighbour beside them.
/// let ring = HaloBlocks { below: vec![1], above: vec![1], periodic: vec![true], ..HaloBlocks::new(&[10], &[3]) };
/// assert_eq!((ring.first(1)?, ring.local_extent(1)?), (vec![4], vec![1 + 3 + 1]));
/// assert_eq!(ring.side()?.spots(&[10], &[4])?, [(Place::from(1), 1)]); // behind the halo element
/// // The messages of one rank: it sends an element to both neighbours and receives one from each.
/// let own = ring.halo_of(0)?;
/// let ends: Vec<_> = own.messages().iter().map(|message| (message.from.number(), message.to.number())).collect();
/// assert_eq!(ends, [(Some(0), Some(1)), (Some(0), Some(2)), (Some(1), Some(0)), (Some(2), Some(0))]);
/// assert_eq!(ring.halo_of(3).unwrap_err().to_string(), "place 3 has no block: the grid has 3 places");
/// # Ok::<(), relayout::PlanError>(())
/// ```
impl HaloBlocks {
    /// Creates blocks of a tensor that is not periodic, `grid[k]` in mode `k`, without halos. It checks nothing yet.
    pub fn new(extent: &[i64], grid: &[i64]) -> Self {
        let none = vec![0; extent.len()];
        HaloBlocks {
            extent: extent.to_vec(),
            grid: grid.to_vec(),
            below: none.clone(),
            above: none,
            periodic: vec![false; extent.len()],
            faces: false,
        }
    }

    /// Returns the extents in memory of the block of `place`, in elements, with its halo.
    ///
    /// # Errors
    /// Fails if no block has this place or if `side` refuses the fields. [`first`](Self::first) and [`halo_of`](Self::halo_of)
    /// fail in these cases, too.
    pub fn local_extent(&self, place: i64) -> Result<Vec<i64>> {
        self.check_place(place)?;
        Ok(self.own(place).iter().enumerate().map(|(k, own)| own.count + self.below[k] + self.above[k]).collect())
    }

    /// Returns the coordinate in the tensor of the first own element of the block of `place`. Fails as `local_extent` does.
    pub fn first(&self, place: i64) -> Result<Vec<i64>> {
        self.check_place(place)?;
        Ok(self.own(place).iter().map(|own| own.lo).collect())
    }

    /// Returns the own elements of all blocks, without halos, as a side of a plan.
    /// Fails if a list has another length than `extent`, if a halo is wider than mode `k` or `grid[k]` is below 1, and for more
    /// than `DEFAULT_LIMIT` blocks.
    pub fn side(&self) -> Result<Side> {
        self.check()?;
        let places = 0..self.places()?;
        Ok(Side::pieces(places.map(|place| self.piece(place, &self.own(place))).collect::<Result<Vec<_>>>()?))
    }

    /// Plans the copies that fill all halos from the own elements of the blocks. Source and target are the same memory.
    ///
    /// # Errors
    /// Fails as `side` does, or if the plan has more than `DEFAULT_LIMIT` copies.
    pub fn halo(&self) -> Result<Plan> {
        self.plan(&|_| true)
    }

    /// Plans the copies of [`halo`](Self::halo) that the block of `place` sends or receives. The plan does not grow with the
    /// number of places, but the search for neighbours visits each place. Fails if no block has this place, too.
    pub fn halo_of(&self, place: i64) -> Result<Plan> {
        self.check_place(place)?;
        self.plan(&|other| other == place)
    }

    fn plan(&self, wanted: &dyn Fn(i64) -> bool) -> Result<Plan> {
        self.check()?;
        let planner = Planner::new().extent(&self.extent).overlapping();
        let (mut sources, mut targets) = (vec![], vec![]);
        for place in 0..self.places()? {
            for halo in self.halos(place) {
                let owners = self.owners(&halo);
                if wanted(place) || owners.iter().any(|owner| wanted(*owner)) {
                    targets.push(self.piece(place, &halo)?);
                    sources.extend(owners);
                }
            }
        }
        sources.sort_unstable();
        sources.dedup();
        let sources = sources.into_iter().map(|place| self.piece(place, &self.own(place)));
        planner.plan(&Side::pieces(sources.collect::<Result<Vec<_>>>()?), &Side::pieces(targets))
    }

    /// Returns the number of blocks. Each block takes at least one copy, so more blocks than [`DEFAULT_LIMIT`] are an
    /// error.
    fn places(&self) -> Result<i64> {
        let (copies, limit) = (self.grid.iter().product(), DEFAULT_LIMIT);
        if copies > limit as i64 { Err(PlanError::Limit { copies, limit }) } else { Ok(copies) }
    }

    /// Returns the coordinate in the grid of the block of `place`.
    fn block(&self, mut place: i64) -> Vec<i64> {
        let digit = |grid: &i64| {
            let number = place % grid;
            place /= grid;
            number
        };
        self.grid.iter().map(digit).collect()
    }

    fn start(&self, k: usize, block: i64) -> i64 {
        let (least, more) = (self.extent[k] / self.grid[k], self.extent[k] % self.grid[k]);
        block * least + block.min(more)
    }

    /// Returns the own elements of the block of `place`, one span for each mode.
    fn own(&self, place: i64) -> Vec<Span> {
        let span = |(k, block): (usize, i64)| {
            let lo = self.start(k, block);
            Span { lo, count: self.start(k, block + 1) - lo, at: self.below[k] }
        };
        self.block(place).into_iter().enumerate().map(span).collect()
    }

    /// Returns the boxes of the tensor that fill the halo of the block of `place`, as a span for each mode.
    fn halos(&self, place: i64) -> Vec<Vec<Span>> {
        let mut boxes: Vec<(usize, Vec<Span>)> = vec![(0, vec![])];
        for (k, own) in self.own(place).into_iter().enumerate() {
            let mut around = vec![];
            // Adds `lo..end` of the mode where elements exist. In a periodic mode, coordinates beyond one end continue
            // at the other.
            let mut add = |mut lo: i64, end: i64, mut at: i64| {
                while lo < end {
                    let number = lo.div_euclid(self.extent[k].max(1));
                    let count = end.min((number + 1) * self.extent[k]) - lo;
                    if number == 0 || self.periodic[k] {
                        around.push(Span { lo: lo - number * self.extent[k], count, at });
                    }
                    (lo, at) = (lo + count, at + count);
                }
            };
            if own.count > 0 {
                add(own.lo - self.below[k], own.lo, 0);
                add(own.lo + own.count, own.lo + own.count + self.above[k], self.below[k] + own.count);
            }
            let longer = |(beside, modes): &(usize, Vec<Span>)| {
                let with = |span: Span, beside: usize| (beside, [&modes[..], &[span]].concat());
                let mut out = vec![with(own, *beside)];
                out.extend(around.iter().map(|span| with(*span, beside + 1)));
                out
            };
            boxes = boxes.iter().flat_map(longer).collect();
        }
        let most = if self.faces { 1 } else { self.grid.len() };
        let wanted = |(beside, modes): &(usize, Vec<Span>)| (1..=most).contains(beside) && modes.iter().all(|span| span.count > 0);
        boxes.into_iter().filter(wanted).map(|(_, modes)| modes).collect()
    }

    /// Returns the places of the blocks that own elements of a box of the tensor, given as one span for each mode.
    fn owners(&self, span: &[Span]) -> Vec<i64> {
        let mut places = vec![(0, 1)];
        for (k, span) in span.iter().enumerate() {
            let has = |block: &i64| self.start(k, *block) < span.lo + span.count && span.lo < self.start(k, block + 1);
            let blocks: Vec<i64> = (0..self.grid[k]).filter(has).collect();
            let on = |(place, weight): &(i64, i64)| {
                blocks.iter().map(|block| (place + block * weight, weight * self.grid[k])).collect::<Vec<_>>()
            };
            places = places.iter().flat_map(on).collect();
        }
        places.into_iter().map(|(place, _)| place).collect()
    }

    /// Returns a box of the tensor as a piece in the memory of the block of `place`. Fails if an offset exceeds 64 bits.
    fn piece(&self, place: i64, span: &[Span]) -> Result<Piece> {
        let (mut step, mut base) = (1_i64, 0_i64);
        let mut strides = vec![];
        for ((k, own), span) in self.own(place).iter().enumerate().zip(span) {
            strides.push(format!("{step}@0"));
            base = step.checked_mul(span.at).and_then(|more| base.checked_add(more)).ok_or(PlanError::Overflow)?;
            step = step.checked_mul(own.count + self.below[k] + self.above[k]).ok_or(PlanError::Overflow)?;
        }
        let numbers = |list: &dyn Fn(&Span) -> i64| span.iter().map(list).collect::<Vec<_>>();
        let (at, extent) = (numbers(&|span| span.lo), numbers(&|span| span.count));
        let shape: Vec<String> = extent.iter().map(|extent| format!("{extent}")).collect();
        Ok(Piece::new(&format!("({}):({})", shape.join(","), strides.join(",")), &at, &extent)?.with_base(&[base, place]))
    }

    fn check_place(&self, place: i64) -> Result<()> {
        self.check()?;
        let places = self.grid.iter().product();
        if (0..places).contains(&place) { Ok(()) } else { Err(PlanError::NoBlock { place, places }) }
    }

    fn check(&self) -> Result<()> {
        let modes = self.extent.len();
        for extents in [self.grid.len(), self.below.len(), self.above.len(), self.periodic.len()] {
            if extents != modes {
                return Err(PlanError::Rank { modes, extents });
            }
        }
        for (mode, size) in self.extent.iter().copied().enumerate() {
            let bad = |extent: i64| Err(PlanError::Beyond { mode, extent, size });
            match (self.grid[mode], self.below[mode], self.above[mode]) {
                _ if size < 0 => return bad(size),
                (grid, ..) if grid < 1 => return bad(grid),
                (_, below, _) if below < 0 || below > size => return bad(below),
                (_, _, above) if above < 0 || above > size => return bad(above),
                _ => {}
            }
        }
        let all = self.grid.iter().try_fold(1_i64, |all, grid| all.checked_mul(*grid));
        all.map(|_| ()).ok_or(PlanError::Overflow)
    }
}
