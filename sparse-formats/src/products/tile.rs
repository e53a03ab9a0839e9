//! Some elements of a tensor, decoded: what kernels go through at a time.

use super::stream::{AHEAD, TILE};
use crate::Indices;
use crate::kernels::wide::{LINE, fetch_address};
use alloc::vec::Vec;
use core::ops::Range;

/// Elements whose successors are asked for together.
const ASKED: usize = 32;

/// Elements of which few are in more than one line of an array.
const FEW: usize = 8;

/// Some elements, and memory for them.
pub(super) struct Tile<'p, V> {
    /// For each axis, the coordinates of elements, or of fibers, or of groups of these; then those of the next ones, or the last one again.
    pub coordinates: Vec<Vec<u64>>,
    /// By fibers, the coordinates that elements have of their own, where the level stores those of all elements; their column is empty then.
    pub leaves: Option<&'p Indices<'p>>,
    /// True for those who read coordinates where they are stored, if they can.
    pub takes_leaves: bool,
    /// How many there are.
    pub len: usize,
    /// The number of the first, where they are no positions of blocks.
    pub first: usize,
    /// True where neighbours share a coordinate by chance alone.
    pub scattered: bool,
    /// True where it goes by fibers.
    pub by_fiber: bool,
    /// Where the fibers end; some may have no elements.
    pub(super) ends: Vec<usize>,
    /// Where the groups of fibers end that have all coordinates above their own in common.
    pub groups: Vec<usize>,
    /// Of each axis, whether its coordinates are those of groups.
    pub above: Vec<bool>,
    /// The entry of the levels that the first fiber is.
    pub first_fiber: usize,
    /// Which of those who go over the same elements this is, of how many; none is told of where there is none.
    pub share: Option<[usize; 2]>,
    /// The numbers of elements that are positions of blocks; empty otherwise.
    pub places: Vec<usize>,
    /// The rows of a result that fibers are for, where these are numbers of fibers; and those of the next ones.
    pub rows: Vec<u64>,
    /// True if those who go through it ask for what comes after it, a little at a time.
    pub asks: bool,
    /// Where values and coordinates of elements are in memory, from those of the first on, and how many bytes each has.
    pub(super) further: Vec<[usize; 2]>,
    /// For each element it has, there are so many in memory.
    pub(super) spread: usize,
    /// The values where they lie, or copied.
    pub(super) shared: Option<&'p [V]>,
    pub(super) own: Vec<V>,
    pub(super) numbers: Vec<(usize, usize)>,
    pub(super) stored: Vec<Vec<u64>>,
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) upto: Vec<usize>,
    pub(super) children: Vec<usize>,
    pub(super) one: Vec<u64>,
}

/// The elements of a tile, some at a time; values and coordinates that come long after these are asked for.
pub(super) struct Pieces<'t> {
    further: &'t [[usize; 2]],
    spread: usize,
    /// The first element that nothing is asked for.
    next: usize,
}

impl Pieces<'_> {
    /// Where some of the elements end, from one on.
    #[inline(always)]
    pub fn piece(&mut self, start: usize, end: usize) -> usize {
        let end = end.min(start + ASKED);
        while self.next < end {
            for [address, bytes] in self.further {
                ask(address.wrapping_add((self.next * self.spread + 2 * TILE) * bytes), self.spread * bytes);
            }
            self.next += ASKED;
        }
        end
    }
}

/// Asks for so many bytes for each of some elements.
#[inline(always)]
fn ask(from: usize, bytes: usize) {
    (0..ASKED * bytes).step_by(LINE).for_each(|at| fetch_address(from.wrapping_add(at)));
}

/// What comes long after the elements of fibers, which is asked for while these are gone through: values, and the coordinates that elements have of their own.
pub(super) struct Ahead {
    /// Where what comes after the first element is.
    from: [usize; 2],
    /// How many bytes there are for each element.
    bytes: [usize; 2],
    /// The first element of long fibers that nothing is asked for.
    next: usize,
}

impl Ahead {
    /// Where those elements of a fiber end, from one on, that are gone through at a time; what comes after them is asked for.
    #[inline(always)]
    pub fn piece(&mut self, start: usize, end: usize) -> usize {
        // One line is as much as few elements have, and asking for it takes no decision.
        for k in 0..2 {
            fetch_address(self.from[k].wrapping_add(start.wrapping_mul(self.bytes[k])));
        }
        if end - start > FEW { self.long_piece(start, end) } else { end }
    }

    #[inline(always)]
    fn long_piece(&mut self, start: usize, end: usize) -> usize {
        let end = if end - start <= 2 * ASKED { end } else { start + ASKED };
        self.next = self.next.max(start);
        // The same number of lines each time, wherever pieces end, so that processors predict the ends of these loops.
        while self.next < end {
            for k in 0..2 {
                ask(self.from[k].wrapping_add(self.next.wrapping_mul(self.bytes[k])), self.bytes[k]);
            }
            self.next += ASKED;
        }
        end
    }
}

impl<V> Tile<'_, V> {
    pub fn new() -> Self {
        Tile {
            coordinates: Vec::new(),
            leaves: None,
            takes_leaves: false,
            shared: None,
            own: Vec::new(),
            len: 0,
            first: 0,
            scattered: false,
            by_fiber: false,
            ends: Vec::new(),
            groups: Vec::new(),
            above: Vec::new(),
            first_fiber: 0,
            share: Some([0, 1]),
            places: Vec::new(),
            rows: Vec::new(),
            asks: false,
            further: Vec::new(),
            spread: 1,
            numbers: Vec::new(),
            stored: Vec::new(),
            ranges: Vec::new(),
            upto: Vec::new(),
            children: Vec::new(),
            one: Vec::new(),
        }
    }

    /// For those who ask for what comes after it.
    pub fn asking(self) -> Self {
        Tile { asks: true, ..self }
    }

    /// For one of those who go over the same elements; none is told of where it is none of them.
    pub fn shared(share: Option<[usize; 2]>) -> Self {
        Tile { share, ..Tile::new() }
    }

    /// What comes after its fibers.
    #[inline(always)]
    pub fn ahead(&self) -> Ahead {
        let first = self.further.first().copied().unwrap_or([self.own.as_ptr().addr(), 0]);
        let both = [first, self.further.get(1).copied().unwrap_or(first)];
        Ahead {
            from: both.map(|[address, bytes]| address.wrapping_add(2 * TILE * bytes)),
            bytes: both.map(|[_, bytes]| bytes * self.spread),
            next: 0,
        }
    }

    /// For a pass over its elements, in their order.
    #[inline(always)]
    pub fn pieces(&self) -> Pieces<'_> {
        Pieces { further: &self.further, spread: self.spread, next: 0 }
    }

    /// Lets columns go on with their last coordinate, where they have nothing more after the slots; `leaf` is the axis of the coordinates that elements of fibers have of
    /// their own.
    #[inline(always)]
    pub(super) fn go_on(&mut self, leaf: Option<usize>) {
        for (axis, column) in self.coordinates.iter_mut().enumerate() {
            let own = Some(axis) == leaf;
            if own && self.leaves.is_some() {
                continue;
            }
            let slots = match self.by_fiber && !own {
                true if self.above[axis] => self.groups.len(),
                true => self.ends.len(),
                false => self.len,
            };
            let last = column.last().copied().unwrap_or(0);
            column.resize(slots + AHEAD, last);
        }
    }

    /// The coordinates of so many slots in an axis, and of those so many further on.
    #[inline(always)]
    pub fn column<const FURTHER: usize>(&self, axis: usize, slots: usize) -> [&[u64]; 2] {
        let column = &self.coordinates[axis];
        [&column[..slots], &column[FURTHER..][..slots]]
    }

    /// The coordinates of its elements among those of all, and of those so many further on.
    #[inline(always)]
    pub fn stored_from<'a, I>(&self, all: &'a [I]) -> [&'a [I]; 2] {
        let from = &all[self.first..];
        [&from[..self.len], &from[AHEAD..][..self.len]]
    }

    /// How many fibers there are.
    #[inline(always)]
    pub fn fibers(&self) -> usize {
        self.ends.len()
    }

    /// The elements of a fiber, counted from the first of the tile.
    #[inline(always)]
    pub fn fiber(&self, slot: usize) -> Range<usize> {
        let begin = if slot == 0 { 0 } else { self.ends[slot - 1] };
        begin..self.ends[slot]
    }

    /// The values of the elements.
    pub fn values(&self) -> &[V] {
        self.shared.unwrap_or(&self.own)
    }

    /// The numbers of its elements among all values.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let counted = if self.places.is_empty() { self.first..self.first + self.len } else { 0..0 };
        counted.chain(self.places.iter().copied())
    }
}

impl<V: Copy> Tile<'_, V> {
    /// Makes a group of each fiber.
    fn part_groups(&mut self, leaf: Option<usize>) {
        for axis in (0..self.above.len()).filter(|axis| self.above[*axis]) {
            core::mem::swap(&mut self.one, &mut self.coordinates[axis]);
            expand(&self.one[..self.groups.len()], &self.groups, &mut self.coordinates[axis]);
        }
        self.groups.clear();
        self.groups.extend(1..self.ends.len() + 1);
        self.go_on(leaf);
    }

    /// Keeps the elements with some of the coordinates in an axis, in their order; which of the tensor's they are is lost. Where it goes by fibers, `leaf` is the
    /// axis of the coordinates that elements have of their own: fibers may lose all of these.
    pub fn keep(&mut self, axis: usize, coordinates: Range<u64>, leaf: Option<usize>) {
        self.part_groups(leaf);
        let (mut kept, mut more) = (core::mem::take(&mut self.upto), core::mem::take(&mut self.children));
        let (by_fiber, before) = (self.by_fiber, self.len);
        let own = |axis: usize| !by_fiber || leaf == Some(axis);
        let slots = if own(axis) { self.len } else { self.fibers() };
        choose(&self.coordinates[axis][..slots], coordinates, &mut kept, &mut more);
        if kept.len() == slots || kept.is_empty() {
            // All or none, as neighbours by keys often are.
            if kept.is_empty() {
                self.len = 0;
                self.ends.clear();
                self.groups.clear();
            }
            (self.upto, self.children) = (kept, more);
            return;
        }
        if own(axis) {
            // Fibers end where so many have been kept.
            self.ends.iter_mut().filter(|end| **end > 0).for_each(|end| *end = more[*end - 1]);
        } else {
            let mut ends = core::mem::take(&mut self.places);
            more.clear();
            ends.clear();
            for slot in &kept {
                more.extend(self.fiber(*slot));
                ends.push(more.len());
            }
            self.coordinates.iter_mut().enumerate().filter(|(axis, _)| !own(*axis)).for_each(|(_, column)| take(column, &kept));
            self.places = core::mem::replace(&mut self.ends, ends);
            core::mem::swap(&mut kept, &mut more);
        }
        self.coordinates.iter_mut().enumerate().filter(|(axis, _)| own(*axis)).for_each(|(_, column)| take(column, &kept));
        match self.shared.take() {
            Some(values) => {
                self.own.clear();
                self.own.extend(kept.iter().map(|place| values[*place]));
            }
            None => take(&mut self.own, &kept),
        }
        self.groups.truncate(self.ends.len());
        self.len = kept.len();
        self.spread = before.div_ceil(kept.len().max(1));
        self.places.clear();
        self.go_on(leaf);
        (self.upto, self.children) = (kept, more);
    }
}

/// Replaces `out` by each number as often as there are slots up to its end.
#[inline(always)]
pub(super) fn expand(numbers: &[u64], ends: &[usize], out: &mut Vec<u64>) {
    let slots = ends.last().copied().unwrap_or(0);
    // Two at once, as few have more in short fibers: what is too much is written again.
    out.resize(slots + 2, 0);
    let (mut from, column) = (0, &mut out[..]);
    for (number, end) in numbers.iter().zip(ends) {
        let Some(([first, second], rest)) = column[from..].split_first_chunk_mut() else { break };
        (*first, *second) = (*number, *number);
        let more = end.saturating_sub(from + 2);
        if more > 0 {
            rest[..more].fill(*number);
        }
        from = *end;
    }
    out.truncate(slots);
}

/// The places of some of the coordinates, and how many of them there are up to each place.
fn choose(column: &[u64], coordinates: Range<u64>, places: &mut Vec<usize>, upto: &mut Vec<usize>) {
    places.resize(column.len(), 0);
    upto.resize(column.len(), 0);
    let mut count = 0;
    // What chance decides is not guessed: each place is written, and the next one over it if it is none of them.
    for ((place, x), upto) in column.iter().enumerate().zip(&mut *upto) {
        places[count] = place;
        count += usize::from(coordinates.contains(x));
        *upto = count;
    }
    places.truncate(count);
}

/// Some of the elements, which ascend, and nothing after them.
fn take<X: Copy>(all: &mut Vec<X>, places: &[usize]) {
    for (to, from) in places.iter().enumerate() {
        all[to] = all[*from];
    }
    all.truncate(places.len());
}
