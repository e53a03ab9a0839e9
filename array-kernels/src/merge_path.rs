//! Merge path: rows and their entries as the steps of one path, which is cut into segments of equal work.
//!
//! The steps of a row are its entries, then its end. Many empty rows, or one long row, divide evenly too.

use super::parallel;
use alloc::vec::Vec;
use core::ops::Range;
use layout_levels::Index;

/// The number of rows and entries, together, in a block of a fold.
const BLOCK: usize = 1 << 16;

/// Rows whose entries follow one another: `begin(0) = 0`, and each row begins at the end of the row before it.
///
/// ```
/// use array_kernels::merge_path::{Even, Offsets, Rows};
/// /// Returns the first row with the most entries.
/// fn longest(rows: &impl Rows) -> Option<usize> {
///     let mut best = None;
///     rows.each(0..rows.rows(), |row, entries| {
///         if best.is_none_or(|(_, most)| entries.len() > most) {
///             best = Some((row, entries.len()));
///         }
///     });
///     best.map(|(row, _)| row)
/// }
/// let rows = Offsets::new(&[0_u32, 2, 2, 6]);
/// assert_eq!((longest(&rows), longest(&Even { rows: 3, size: 4 })), (Some(2), Some(0)));
/// assert_eq!((rows.rows(), rows.entries(), rows.begin(2), rows.end(2)), (3, 6, 2, 6));
/// assert_eq!(rows.ends(0..3).collect::<Vec<_>>(), [2, 2, 6]);
/// ```
pub trait Rows: Sync {
    /// Returns the number of rows.
    fn rows(&self) -> usize;

    /// Returns the number of entries of all rows.
    fn entries(&self) -> usize;

    /// Returns the first entry of `row`.
    fn begin(&self, row: usize) -> usize;

    /// Returns the end of the entries of `row`.
    fn end(&self, row: usize) -> usize;

    /// Iterates over the ends of the entries of the rows in `rows`, one number a row.
    fn ends(&self, rows: Range<usize>) -> impl Iterator<Item = usize>;

    /// Calls `f` with each row in `rows` and its range of entries.
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

/// Rows between neighbours of an array of offsets: row `r` has the entries `offsets[r] - offsets[0]..offsets[r + 1] - offsets[0]`.
///
/// ```
/// use array_kernels::merge_path::{Offsets, Rows};
/// // Rows 1 and 2 of an array of rows. Their entries count from 0.
/// let rows = Offsets::new(&[0_u32, 10, 12, 16][1..]);
/// assert_eq!((rows.rows(), rows.entries()), (2, 6));
/// assert_eq!((rows.begin(1), rows.end(1)), (2, 6));
/// ```
pub struct Offsets<'a, I> {
    begins: &'a [I],
    ends: &'a [I],
    base: usize,
}

impl<'a, I: Index> Offsets<'a, I> {
    /// Returns the rows between neighbours of `offsets`, which must not decrease: one row fewer than offsets.
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

/// Rows that all have the same number of entries.
///
/// ```
/// use array_kernels::merge_path::{Even, Rows};
/// let rows = Even { rows: 3, size: 4 };
/// assert_eq!((rows.entries(), rows.begin(2), rows.end(2)), (12, 8, 12));
/// ```
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

/// A segment of a merge path: the work of one task.
///
/// ```
/// use array_kernels::merge_path::{MergeSegment, Offsets, parts};
/// // Rows of 2, 0 and 4 entries in two segments. The long row is cut.
/// let rows = Offsets::new(&[0_u32, 2, 2, 6]);
/// let segments = parts(&rows, 2);
/// assert_eq!(segments[0], MergeSegment { rows: 0..2, entries: 0..2 });
/// let mut seen = Vec::new();
/// segments[1].each(&rows, |row, entries| seen.push((row, entries)));
/// assert_eq!(seen, [(2, 2..6)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeSegment {
    /// The rows that end in this segment. The first may begin before the segment, and the row after the last may begin in it.
    pub rows: Range<usize>,
    /// The entries in this segment.
    pub entries: Range<usize>,
}

impl MergeSegment {
    /// Calls `f` with each row that ends or has entries in this segment, and with its range of entries in it, perhaps empty.
    #[inline(always)]
    pub fn each(&self, rows: &impl Rows, mut f: impl FnMut(usize, Range<usize>)) {
        let (mut row, mut at, mut ends) = (self.rows.start, self.entries.start, rows.ends(self.rows.clone()));
        // One call site for all rows, even the last, which may continue after the segment: `f` is inlined, and large.
        while let Some(end) = ends.next().or((at < self.entries.end).then_some(self.entries.end)) {
            f(row, at..end);
            (row, at) = (row + 1, end);
        }
    }
}

/// Returns the first number of `0..count` for which `before` is false, or `count`. Precondition: `before` is false for
/// every later number too.
///
/// ```
/// use array_kernels::merge_path::bound;
/// assert_eq!(bound(10, |k| k * k < 50), 8);
/// assert_eq!(bound(10, |_| true), 10);
/// ```
pub fn bound(count: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let at = low.midpoint(high);
        if before(at) { low = at + 1 } else { high = at }
    }
    low
}

/// Returns how many of `rows` rows end in the first `diagonal` steps of the path. `end(row)` is the end of the entries of a row.
///
/// ```
/// use array_kernels::merge_path::crossing;
/// // The path is entry 0, entry 1, end of row 0, end of row 1, entry 2, ..
/// let ends = [2, 2, 6];
/// let rows_after = [0, 2, 3, 4, 5, 9].map(|steps| crossing(3, steps, |row| ends[row]));
/// assert_eq!(rows_after, [0, 0, 1, 2, 2, 3]);
/// ```
pub fn crossing(rows: usize, diagonal: usize, end: impl Fn(usize) -> usize) -> usize {
    bound(rows.min(diagonal), |row| end(row) + row < diagonal)
}

/// Cuts the path into `count` segments of about the same number of steps.
///
/// ```
/// use array_kernels::merge_path::{MergeSegment, Offsets, parts};
/// // Three rows and six entries are nine steps: three segments of three steps.
/// let segments = parts(&Offsets::new(&[0_u32, 2, 2, 6]), 3);
/// let cuts = [(0..1, 0..2), (1..2, 2..4), (2..3, 4..6)];
/// assert_eq!(segments, cuts.map(|(rows, entries)| MergeSegment { rows, entries }));
/// ```
pub fn parts(rows: &impl Rows, count: usize) -> Vec<MergeSegment> {
    let ranges = parallel::ranges(rows.rows() + rows.entries(), count);
    let cross = |steps| crossing(rows.rows(), steps, |row| rows.end(row));
    let mut from = (0, 0);
    let cut = |steps: Range<usize>| {
        let row = cross(steps.end);
        let to = (row, steps.end - row);
        let part = MergeSegment { rows: from.0..to.0, entries: from.1..to.1 };
        from = to;
        part
    };
    ranges.into_iter().map(cut).collect()
}

/// Returns the whole path as one segment.
///
/// ```
/// use array_kernels::merge_path::{MergeSegment, Offsets, all};
/// assert_eq!(all(&Offsets::new(&[0_u32, 2, 2, 6])), MergeSegment { rows: 0..3, entries: 0..6 });
/// ```
pub fn all(rows: &impl Rows) -> MergeSegment {
    MergeSegment { rows: 0..rows.rows(), entries: 0..rows.entries() }
}

/// Returns the number of tasks that the path is worth: 4 for each of its threads, or 1 if it has one thread.
///
/// ```
/// use array_kernels::merge_path::{Even, tasks_of};
/// use array_kernels::parallel::threads;
/// // Few entries are one task.
/// assert_eq!(tasks_of(&Even { rows: 10, size: 10 }), 1);
/// let large = Even { rows: 1000, size: 1000 };
/// assert_eq!(tasks_of(&large), if threads(1_001_000) == 1 { 1 } else { 4 * threads(1_001_000) });
/// ```
pub fn tasks_of(rows: &impl Rows) -> usize {
    match parallel::threads(rows.rows() + rows.entries()) {
        1 => 1,
        threads => 4 * threads,
    }
}

/// Cuts the path into segments of about equal work, one for each task that `tasks_of` counts.
///
/// ```
/// use array_kernels::merge_path::{Even, shares, tasks_of};
/// let rows = Even { rows: 1000, size: 1000 };
/// let segments = shares(&rows);
/// assert_eq!(segments.len(), tasks_of(&rows));
/// assert_eq!(segments.iter().map(|segment| segment.entries.len()).sum::<usize>(), 1_000_000);
/// ```
pub fn shares(rows: &impl Rows) -> Vec<MergeSegment> {
    parts(rows, tasks_of(rows))
}

/// Pairs each segment with its slice of `out`, which has one element for each entry of all segments.
///
/// ```
/// use array_kernels::merge_path::{Offsets, carved, shares};
/// use array_kernels::parallel;
/// // Sets each entry to the number of its row, on several threads.
/// let rows = Offsets::new(&[0_u32, 2, 2, 6]);
/// let mut out = [9; 6];
/// parallel::map(carved(shares(&rows), &mut out), |(segment, out)| {
///     segment.each(&rows, |row, entries| {
///         out[entries.start - segment.entries.start..entries.end - segment.entries.start].fill(row);
///     });
/// });
/// assert_eq!(out, [0, 0, 2, 2, 2, 2]);
/// ```
pub fn carved<T>(parts: Vec<MergeSegment>, mut out: &mut [T]) -> Vec<(MergeSegment, &mut [T])> {
    let carve = |part: MergeSegment| {
        let of_part = parallel::carve(&mut out, part.entries.len());
        (part, of_part)
    };
    parts.into_iter().map(carve).collect()
}

/// Returns the segment of the path with these entries, and the rows that end after `entries.start`, up to `entries.end`.
///
/// ```
/// use array_kernels::merge_path::{MergeSegment, Offsets, part_of};
/// // Entries 1 to 3 of rows of 2, 0 and 4 entries: the ends of rows 0 and 1 are among them.
/// let rows = Offsets::new(&[0_u32, 2, 2, 6]);
/// assert_eq!(part_of(&rows, 1..4), MergeSegment { rows: 0..2, entries: 1..4 });
/// ```
pub fn part_of(rows: &impl Rows, entries: Range<usize>) -> MergeSegment {
    let ended = |entry: usize| bound(rows.rows(), |row| rows.end(row) <= entry);
    MergeSegment { rows: ended(entries.start)..ended(entries.end), entries }
}

/// Cuts the path into `count` segments that end at ends of rows. Work is about equal unless a row exceeds a segment.
///
/// ```
/// use array_kernels::merge_path::{MergeSegment, Offsets, whole_rows};
/// // The second of three segments ends after the empty row, so that no segment cuts the long row.
/// let segments = whole_rows(&Offsets::new(&[0_u32, 2, 2, 6]), 3);
/// let cuts = [(0..1, 0..2), (1..2, 2..2), (2..3, 2..6)];
/// assert_eq!(segments, cuts.map(|(rows, entries)| MergeSegment { rows, entries }));
/// ```
pub fn whole_rows(rows: &impl Rows, count: usize) -> Vec<MergeSegment> {
    let (mut out, mut from) = (parts(rows, count), (0, 0));
    let last = out.len().saturating_sub(1);
    for (k, part) in out.iter_mut().enumerate() {
        let end = if k == last { rows.rows() } else { part.rows.end };
        let to = (end, if end == 0 { 0 } else { rows.end(end - 1) });
        *part = MergeSegment { rows: from.0..to.0, entries: from.1..to.1 };
        from = to;
    }
    out
}

/// The data of the entries of rows: one array, or several arrays of the same length.
///
/// ```
/// use array_kernels::merge_path::Entries;
/// let (columns, values) = ([0, 2, 1], [1.0, 2.0, 3.0]);
/// let entries = (&columns[..], &values[..]);
/// assert_eq!(Entries::from(entries, 1), (&[2, 1][..], &[2.0, 3.0][..]));
/// assert_eq!(Entries::from(&columns[..], 4), &[]);
/// ```
pub trait Entries: Copy + Send + Sync {
    /// Returns the data of the entries from index `at` on, or of none if there are fewer.
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

/// Sets `out[row]` of each row to `finish` of the fold of the entries of that row.
///
/// `fold(entries, count, before)` folds the first `count` of `entries`, which belong to one row; `before` entries of that
/// row come earlier. The path is cut into blocks whose size does not depend on the number of threads. A row that continues
/// in the next block is folded in several pieces. `join(piece, &mut later)` combines a piece with the later ones, from the
/// last to the first. The result is equal for any number of threads.
///
/// ```
/// use array_kernels::merge_path::{Offsets, fold};
/// // The product of a sparse matrix of 3 by 3, in CSR, with a vector.
/// let (offsets, columns, values) = ([0_u32, 2, 2, 3], [0, 2, 1], [1.0, 2.0, 3.0]);
/// let (vector, mut out) = ([10.0, 20.0, 30.0], [9.0; 3]);
/// let sum = |(columns, values): (&[usize], &[f64]), count: usize, _: usize| -> f64 {
///     columns.iter().zip(values).take(count).map(|(column, value)| vector[*column] * value).sum()
/// };
/// fold(&Offsets::new(&offsets), (&columns[..], &values[..]), &mut out, sum, |piece, later| *later += piece, |sum| sum);
/// assert_eq!(out, [1.0 * 10.0 + 2.0 * 30.0, 0.0, 3.0 * 20.0]);
/// ```
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
    // `move` keeps captures of `fold` in registers; references are loaded again after each mispredicted end of a row.
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
                let part = piece(fold, entries.from(from), at - from, before);
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
                carries.push((end, piece(fold, entries.from(at), to - at, at - rows.begin(end))));
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

/// Folds a piece of a row. This call of `fold` is apart, so that the one for whole rows is inlined.
#[inline(never)]
fn piece<E, P>(fold: impl Fn(E, usize, usize) -> P, entries: E, count: usize, before: usize) -> P {
    fold(entries, count, before)
}
