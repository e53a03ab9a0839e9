//! Merge path: rows and their entries as the steps of one path, which is cut into parts of equal work, however long the rows are.
//!
//! The steps of a row are its entries, then its end. So neither empty rows nor one long row leave a thread alone with the work.

use super::parallel;
use alloc::vec::Vec;
use core::ops::Range;
use layout_levels::Index;

/// A block of a fold is this many rows and entries together.
const BLOCK: usize = 1 << 16;

/// Rows whose entries follow one another, the first from 0 on.
pub trait Rows: Sync {
    /// How many rows there are.
    fn rows(&self) -> usize;

    /// How many entries they have.
    fn entries(&self) -> usize;

    /// Where the entries of a row begin.
    fn begin(&self, row: usize) -> usize;

    /// Where they end.
    fn end(&self, row: usize) -> usize;

    /// Where the entries of some rows end.
    fn ends(&self, rows: Range<usize>) -> impl Iterator<Item = usize>;

    /// Calls `f` with some of the rows and their entries.
    #[inline(always)]
    fn each(&self, rows: Range<usize>, mut f: impl FnMut(usize, Range<usize>)) {
        if rows.is_empty() {
            return;
        }
        let mut begin = self.begin(rows.start);
        for (row, end) in rows.clone().zip(self.ends(rows)) {
            f(row, begin..end);
            begin = end;
        }
    }
}

/// Rows by offsets, of which the first is entry 0.
pub struct Offsets<'a, I> {
    begins: &'a [I],
    ends: &'a [I],
    base: usize,
}

impl<'a, I: Index> Offsets<'a, I> {
    /// The rows between neighbours of `offsets`.
    pub fn new(offsets: &'a [I]) -> Self {
        let (first, ends) = offsets.split_first().map_or((0, &[][..]), |(first, ends)| (first.to_usize(), ends));
        Offsets { begins: &offsets[..ends.len()], ends, base: first }
    }
}

impl<I: Index> Rows for Offsets<'_, I> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.ends.len()
    }

    #[inline(always)]
    fn entries(&self) -> usize {
        self.ends.last().map_or(0, |end| end.to_usize() - self.base)
    }

    #[inline(always)]
    fn begin(&self, row: usize) -> usize {
        self.begins[row].to_usize() - self.base
    }

    #[inline(always)]
    fn end(&self, row: usize) -> usize {
        self.ends[row].to_usize() - self.base
    }

    #[inline(always)]
    fn ends(&self, rows: Range<usize>) -> impl Iterator<Item = usize> {
        let base = self.base;
        self.ends[rows].iter().map(move |end| end.to_usize() - base)
    }
}

/// Rows of one size.
pub struct Even {
    /// The number of rows.
    pub rows: usize,
    /// The number of entries of each row.
    pub size: usize,
}

impl Rows for Even {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn entries(&self) -> usize {
        self.rows * self.size
    }

    #[inline(always)]
    fn begin(&self, row: usize) -> usize {
        row * self.size
    }

    #[inline(always)]
    fn end(&self, row: usize) -> usize {
        (row + 1) * self.size
    }

    #[inline(always)]
    fn ends(&self, rows: Range<usize>) -> impl Iterator<Item = usize> {
        rows.map(|row| self.end(row))
    }
}

/// The work of one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The rows that end in it; the first one may have begun before, and the one after the last may begin in it.
    pub rows: Range<usize>,
    /// Its entries.
    pub entries: Range<usize>,
}

impl Part {
    /// Calls `f` with every row that has entries in this part, and these.
    #[inline(always)]
    pub fn each(&self, rows: &impl Rows, mut f: impl FnMut(usize, Range<usize>)) {
        let (mut row, mut at, mut ends) = (self.rows.start, self.entries.start, rows.ends(self.rows.clone()));
        // One call for all rows, the last of which goes on after the part: `f` is a loop of its own, and large.
        while let Some(end) = ends.next().or((at < self.entries.end).then_some(self.entries.end)) {
            f(row, at..end);
            (row, at) = (row + 1, end);
        }
    }
}

/// How many of the numbers below `count` are `before` a bound: all that are come first.
pub fn bound(count: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let at = low.midpoint(high);
        if before(at) { low = at + 1 } else { high = at }
    }
    low
}

/// How many rows end on the first `diagonal` steps of the path.
pub fn crossing(rows: usize, diagonal: usize, end: impl Fn(usize) -> usize) -> usize {
    bound(rows.min(diagonal), |row| end(row) + row < diagonal)
}

/// The path as `count` parts of the same number of steps.
pub fn parts(rows: &impl Rows, count: usize) -> Vec<Part> {
    let ranges = parallel::ranges(rows.rows() + rows.entries(), count);
    let cross = |steps| crossing(rows.rows(), steps, |row| rows.end(row));
    let mut from = (0, 0);
    let cut = |steps: Range<usize>| {
        let row = cross(steps.end);
        let to = (row, steps.end - row);
        let part = Part { rows: from.0..to.0, entries: from.1..to.1 };
        from = to;
        part
    };
    ranges.into_iter().map(cut).collect()
}

/// All of the path.
pub fn all(rows: &impl Rows) -> Part {
    Part { rows: 0..rows.rows(), entries: 0..rows.entries() }
}

/// How many tasks the path is worth.
pub fn tasks_of(rows: &impl Rows) -> usize {
    match parallel::threads(rows.rows() + rows.entries()) {
        1 => 1,
        threads => 4 * threads,
    }
}

/// As many parts of equal work as tasks are worth starting.
pub fn shares(rows: &impl Rows) -> Vec<Part> {
    parts(rows, tasks_of(rows))
}

/// `out` in pieces for the entries of the parts.
pub fn carved<T>(parts: Vec<Part>, mut out: &mut [T]) -> Vec<(Part, &mut [T])> {
    let carve = |part: Part| {
        let of_part = parallel::carve(&mut out, part.entries.len());
        (part, of_part)
    };
    parts.into_iter().map(carve).collect()
}

/// Some of the entries as a part.
pub fn part_of(rows: &impl Rows, entries: Range<usize>) -> Part {
    let ended = |entry: usize| bound(rows.rows(), |row| rows.end(row) <= entry);
    Part { rows: ended(entries.start)..ended(entries.end), entries }
}

/// The path as parts that end where rows end, each with the same number of steps where no row is longer.
pub fn whole_rows(rows: &impl Rows, count: usize) -> Vec<Part> {
    let (mut out, mut from) = (parts(rows, count), (0, 0));
    let last = out.len().saturating_sub(1);
    for (k, part) in out.iter_mut().enumerate() {
        let end = if k == last { rows.rows() } else { part.rows.end };
        let to = (end, if end == 0 { 0 } else { rows.end(end - 1) });
        *part = Part { rows: from.0..to.0, entries: from.1..to.1 };
        from = to;
    }
    out
}

/// The data of the entries of rows: one array, or several of one length.
pub trait Entries: Copy + Send + Sync {
    /// Those from `at` on.
    fn from(self, at: usize) -> Self;
}

impl<T: Sync> Entries for &[T] {
    #[inline(always)]
    fn from(self, at: usize) -> Self {
        self.get(at..).unwrap_or(&[])
    }
}

impl<A: Entries, B: Entries> Entries for (A, B) {
    #[inline(always)]
    fn from(self, at: usize) -> Self {
        (self.0.from(at), self.1.from(at))
    }
}

/// Sets `out[row]` to what `finish` makes of the fold of the entries of each row; `fold` has the entries from some of a row on, how many of them are the row's,
/// and how many of the row come before them.
///
/// The path is cut into blocks of one size, whatever the threads: a row that goes on in the next block is folded in pieces, the same for any number of
/// threads, and `join` puts them together, from the last to the first.
pub fn fold<P: Send, A: Send, E: Entries>(
    rows: &impl Rows,
    entries: E,
    out: &mut [A],
    fold: impl Fn(E, usize, usize) -> P + Copy + Sync + Send,
    join: impl Fn(P, &mut P),
    finish: impl Fn(P) -> A + Copy + Sync + Send,
) {
    let path = rows.rows() + rows.entries();
    let cross = |block: usize| crossing(rows.rows(), block * BLOCK, |row| rows.end(row));
    let (mut rest, mut parts) = (&mut *out, Vec::new());
    for blocks in parallel::ranges(path.div_ceil(BLOCK), tasks_of(rows)) {
        let (from, to) = (cross(blocks.start), cross(blocks.end));
        parts.push((blocks, from, parallel::carve(&mut rest, to - from)));
    }
    // What `fold` has is captured by value: it stays in registers, and is not looked up again after each end of a row that was not foreseen.
    let carries = parallel::map(parts, move |(blocks, mut row, mut out)| {
        let mut carries = Vec::with_capacity(blocks.len());
        for block in blocks {
            let end = cross(block + 1);
            let (from, to) = (block * BLOCK - row, ((block + 1) * BLOCK).min(path) - end);
            let slots = parallel::carve(&mut out, end - row);
            let mut at = from;
            if let Some((slot, slots)) = slots.split_first_mut() {
                at = rows.end(row);
                let before = from - rows.begin(row);
                let part = fold(entries.from(from), at - from, before);
                if before == 0 {
                    *slot = finish(part);
                } else {
                    carries.push((row, part));
                }
                let mut rest = entries.from(at);
                for (slot, end) in slots.iter_mut().zip(rows.ends(row + 1..end)) {
                    *slot = finish(fold(rest, end - at, 0));
                    rest = rest.from(end - at);
                    at = end;
                }
            }
            if at < to {
                carries.push((end, fold(entries.from(at), to - at, at - rows.begin(end))));
            }
            row = end;
        }
        carries
    });
    let mut close = |row: Option<(usize, P)>| {
        if let Some((row, all)) = row
            && let Some(slot) = out.get_mut(row)
        {
            *slot = finish(all);
        }
    };
    let mut open = None;
    for (row, part) in carries.into_iter().flatten().rev() {
        match &mut open {
            Some((of, after)) if *of == row => join(part, after),
            _ => close(open.replace((row, part))),
        }
    }
    close(open);
}
