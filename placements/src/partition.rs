//! The indices of one tensor axis, divided among classes of devices.
//!
//! A class is one choice of coordinates on the mesh axes that split the tensor axis. The indices form segments. Within a
//! segment, the owner of an index repeats with a period, so a block-cyclic axis of 10^12 indices is one segment with a few
//! entries.

use crate::error::{LimitedItem, Result, at_most};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// The maximum number of ranges of an axis, and of ranges that are listed.
pub const MAX_RANGES: usize = 1 << 20;

/// Indices of one class that repeat with the period of the segment.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The distance of the first index from the begin of the period.
    pub at: i64,
    pub len: i64,
    pub class: usize,
    /// The number of indices of the class before this entry, in the first period.
    pub position: i64,
    /// The number of indices of the class in each period.
    pub step: i64,
}

/// Indices `lo..hi`, whose owners repeat with a period.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub lo: i64,
    pub hi: i64,
    pub period: i64,
    /// The entries of one period, without gaps.
    pub entries: Vec<Entry>,
}

impl Segment {
    /// Returns the entry that has index `x`, and the end of the run of its class that `x` is in.
    pub fn find(&self, x: i64) -> (&Entry, i64) {
        if let [only] = &self.entries[..] {
            return (only, self.hi);
        }
        let offset = (x - self.lo) % self.period;
        let next = self.entries.partition_point(|entry| entry.at <= offset);
        let entry = &self.entries[next.max(1) - 1];
        (entry, self.hi.min(x + (entry.at + entry.len - offset)))
    }

    /// Returns the number of indices of the class before `x`, which `entry` has.
    pub fn position(&self, entry: &Entry, x: i64) -> i64 {
        let (turn, offset) = ((x - self.lo) / self.period, (x - self.lo) % self.period);
        entry.position + turn * entry.step + offset - entry.at
    }

    /// Returns the number of whole periods, and the length of the rest.
    fn turns(&self) -> (i64, i64) {
        ((self.hi - self.lo) / self.period, (self.hi - self.lo) % self.period)
    }
}

/// A division of `0..n` among classes.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    pub segments: Vec<Segment>,
    /// The number of indices of each class.
    pub sizes: Vec<i64>,
    /// The segment and the entry of each entry, in ascending order of class.
    order: Vec<(usize, usize)>,
    /// The begin of each class in `order`, and the end.
    first: Vec<usize>,
}

impl Partition {
    /// Returns the division of `n` indices in which one class has all of them.
    pub fn whole(n: i64) -> Partition {
        let entry = Entry { at: 0, len: 1, class: 0, position: 0, step: 0 };
        let all = Segment { lo: 0, hi: n, period: 1, entries: vec![entry] };
        Partition::finish(1, if n > 0 { vec![all] } else { vec![] })
    }

    /// Computes the positions of the entries, the sizes and the order.
    fn finish(classes: usize, mut segments: Vec<Segment>) -> Partition {
        let (mut sizes, mut inside) = (vec![0_i64; classes], vec![0_i64; classes]);
        let mut keys = vec![];
        for (s, segment) in segments.iter_mut().enumerate() {
            segment.entries.dedup_by(|next, entry| {
                let joined = next.class == entry.class;
                entry.len += if joined { next.len } else { 0 };
                joined
            });
            if let [only] = &mut segment.entries[..] {
                (segment.period, only.len) = (1, 1);
            }
            for (e, entry) in segment.entries.iter_mut().enumerate() {
                entry.position = sizes[entry.class] + inside[entry.class];
                inside[entry.class] += entry.len;
                keys.push((entry.class, s, e));
            }
            segment.entries.iter_mut().for_each(|entry| entry.step = inside[entry.class]);
            let (turns, rest) = segment.turns();
            for entry in &segment.entries {
                inside[entry.class] = 0;
                sizes[entry.class] += turns * entry.len + (rest - entry.at).clamp(0, entry.len);
            }
        }
        keys.sort_unstable();
        let mut first = vec![0; classes + 1];
        keys.iter().for_each(|key| first[key.0 + 1] += 1);
        for class in 0..classes {
            first[class + 1] += first[class];
        }
        Partition { segments, sizes, order: keys.into_iter().map(|(_, s, e)| (s, e)).collect(), first }
    }

    /// Returns the segment and the entry of each entry of a class.
    fn of_class(&self, class: usize) -> &[(usize, usize)] {
        &self.order[self.first[class]..self.first[class + 1]]
    }

    /// Returns the index at `position` of a class, which has more indices than that.
    fn index(&self, class: usize, position: i64) -> i64 {
        let list = self.of_class(class);
        let of = |pair: &(usize, usize)| &self.segments[pair.0].entries[pair.1];
        let last = |position: i64| list[list.partition_point(|pair| of(pair).position <= position).max(1) - 1];
        let (s, e) = last(position);
        let first = self.segments[s].entries[list[list.partition_point(|pair| pair.0 < s)].1].position;
        let step = self.segments[s].entries[e].step;
        let (turn, inside) = ((position - first) / step, first + (position - first) % step);
        let (s, e) = last(inside);
        let (segment, entry) = (&self.segments[s], &self.segments[s].entries[e]);
        segment.lo + turn * segment.period + entry.at + inside - entry.position
    }

    /// Cuts the indices of each class into `parts` runs of consecutive positions. Class `c` becomes the classes `c * parts ..
    /// (c + 1) * parts`. For a number of indices, `bounds` returns the first position of
    /// each part, and the end.
    pub fn cut(&self, parts: usize, mut bounds: impl FnMut(i64) -> Result<Vec<i64>>) -> Result<Partition> {
        let mut starts: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        let mut cuts = vec![];
        for (class, size) in self.sizes.iter().enumerate() {
            if !starts.contains_key(size) {
                starts.insert(*size, bounds(*size)?);
            }
            let inner = starts[size].iter().filter(|start| 0 < **start && *start < size);
            cuts.extend(inner.map(|start| self.index(class, *start)));
        }
        cuts.sort_unstable();
        cuts.dedup();
        let (mut out, mut entries, mut next) = (vec![], 0, 0);
        for segment in &self.segments {
            let mut lo = segment.lo;
            while lo < segment.hi {
                while cuts.get(next).is_some_and(|cut| *cut <= lo) {
                    next += 1;
                }
                let hi = cuts.get(next).map_or(segment.hi, |cut| segment.hi.min(*cut));
                let width = if segment.entries.len() == 1 { hi - lo } else { segment.period.min(hi - lo) };
                let (mut x, mut list) = (lo, vec![]);
                while x < lo + width {
                    let (entry, end) = segment.find(x);
                    let (end, position) = (end.min(lo + width), segment.position(entry, x));
                    let part = starts[&self.sizes[entry.class]].partition_point(|start| *start <= position).max(1) - 1;
                    list.push(Entry { at: x - lo, len: end - x, class: entry.class * parts + part, position: 0, step: 0 });
                    x = end;
                }
                entries += list.len();
                at_most(LimitedItem::Ranges, entries, MAX_RANGES)?;
                out.push(Segment { lo, hi, period: width, entries: list });
                lo = hi;
            }
        }
        Ok(Partition::finish(self.sizes.len() * parts, out))
    }

    /// Cuts the indices of each class into `pieces` chunks, and each of these into `parts` chunks. Part `j` of a class has chunk `j`
    /// of every piece.
    pub fn cut_twice(&self, pieces: usize, parts: usize) -> Result<Partition> {
        let chunks = |count: usize| {
            move |n: i64| {
                let size = n.unsigned_abs().div_ceil(count as u64) as i64;
                Ok((0..=count as i64).map(|k| k.saturating_mul(size).min(n)).collect())
            }
        };
        let mut segments = self.cut(pieces, chunks(pieces))?.cut(parts, chunks(parts))?.segments;
        for entry in segments.iter_mut().flat_map(|segment| &mut segment.entries) {
            entry.class = entry.class / (pieces * parts) * parts + entry.class % parts;
        }
        Ok(Partition::finish(self.sizes.len() * parts, segments))
    }

    /// Deals blocks of `block` consecutive positions of each class to `parts` classes in turn: position `p` goes to part
    /// `(p / block + first) mod parts`.
    pub fn deal(&self, parts: usize, block: i64, first: i64) -> Result<Partition> {
        // A longer block than the axis deals everything to one part, as this one does.
        let block = block.min(1 << 62);
        let cycle = block.saturating_mul(parts as i64);
        let (mut out, mut entries) = (vec![], 0);
        for segment in &self.segments {
            let (lo, length) = (segment.lo, segment.hi - segment.lo);
            // The dealing repeats after `turns` periods of the segment.
            let turns = |turns: i64, entry: &Entry| lcm(turns, cycle / gcd(cycle, entry.step));
            let width = segment.entries.iter().fold(1, turns).saturating_mul(segment.period).min(length);
            let (mut x, mut list) = (lo, vec![]);
            while x < lo + width {
                let (entry, end) = segment.find(x);
                let position = segment.position(entry, x);
                let end = end.min(lo + width).min(x + (block - position % block));
                let class = entry.class * parts + ((position / block % parts as i64 + first) % parts as i64) as usize;
                list.push(Entry { at: x - lo, len: end - x, class, position: 0, step: 0 });
                x = end;
                at_most(LimitedItem::Ranges, entries + list.len(), MAX_RANGES)?;
            }
            entries += list.len();
            out.push(Segment { lo, hi: segment.hi, period: width, entries: list });
        }
        Ok(Partition::finish(self.sizes.len() * parts, out))
    }

    /// Returns the maximal ranges of indices of a class, ascending. Fails for more than `limit` entries.
    pub fn ranges(&self, class: usize, limit: usize) -> Result<Vec<[i64; 2]>> {
        let list = self.of_class(class);
        let turns = |segment: &Segment| {
            if segment.entries.len() == 1 { 1 } else { segment.hi.abs_diff(segment.lo).div_ceil(segment.period as u64) }
        };
        let count = list.iter().fold(0_u64, |sum, pair| sum.saturating_add(turns(&self.segments[pair.0])));
        at_most(LimitedItem::Ranges, usize::try_from(count).unwrap_or(usize::MAX).min(i64::MAX as usize), limit)?;
        let mut out: Vec<[i64; 2]> = vec![];
        let mut add = |lo: i64, hi: i64| match out.last_mut() {
            Some(last) if last[1] == lo => last[1] = hi,
            _ => out.push([lo, hi]),
        };
        for group in list.chunk_by(|one, other| one.0 == other.0) {
            let segment = &self.segments[group[0].0];
            if segment.entries.len() == 1 {
                add(segment.lo, segment.hi);
                continue;
            }
            for turn in 0..turns(segment) as i64 {
                for (_, e) in group {
                    let entry = &segment.entries[*e];
                    let lo = segment.lo + turn * segment.period + entry.at;
                    if lo < segment.hi {
                        add(lo, segment.hi.min(lo + entry.len));
                    }
                }
            }
        }
        Ok(out)
    }
}

// The functions of the algebra read `i64::MAX` as a divisor of 0. Here it is a number that is too large.
pub(crate) fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// Returns the least common multiple of two positive numbers, at most `i64::MAX`.
pub(crate) fn lcm(a: i64, b: i64) -> i64 {
    (a / gcd(a, b)).saturating_mul(b)
}
