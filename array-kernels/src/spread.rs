//! Kernels that write a number for every entry of rows, for `expand` and similar operations.

use super::merge_path::{MergeSegment, Rows, carved, shares};
use super::parallel;

/// The number of numbers written at the start of each row, even if the row is shorter.
///
/// ```
/// use array_kernels::spread::HEAD;
/// let from_seven: [u32; HEAD] = std::array::from_fn(|k| 7 + k as u32);
/// assert_eq!((from_seven[0], from_seven[HEAD - 1]), (7, 22));
/// ```
pub const HEAD: usize = 16;

/// Sets `out[entry]` to `number(row, k)` for every entry, where the entry is number `k` of its row, from 0. `head(row)`
/// returns the first [`HEAD`] numbers of a row. Its numbers past the end of a shorter row do not matter.
///
/// ```
/// use array_kernels::merge_path::Offsets;
/// use array_kernels::spread::spread;
/// // The number of each entry in its row, for rows of 2, 0 and 3 entries.
/// let mut out = [9_u32; 5];
/// spread(&Offsets::new(&[0_u32, 2, 2, 5]), &mut out, |_| std::array::from_fn(|k| k as u32), |_, k| k as u32);
/// assert_eq!(out, [0, 1, 0, 1, 2]);
/// ```
pub fn spread<I: Copy + Send>(
    rows: &impl Rows,
    out: &mut [I],
    head: impl Fn(usize) -> [I; HEAD] + Sync + Send,
    number: impl Fn(usize, usize) -> I + Sync + Send,
) {
    parallel::map(carved(shares(rows), out), |(part, out)| spread_part(rows, &part, out, &head, &number));
}

/// Writes the numbers of [`spread`] for the entries of the segment `part`, from `out[0]` on.
///
/// Short rows need no loop and no branch: the next row overwrites the numbers written beyond the end of a row.
#[inline(always)]
fn spread_part<I: Copy>(
    rows: &impl Rows,
    part: &MergeSegment,
    out: &mut [I],
    head: impl Fn(usize) -> [I; HEAD],
    number: impl Fn(usize, usize) -> I,
) {
    let (first_row, first) = (part.rows.start, part.entries.start);
    part.each(rows, |row, entries| {
        let begin = if row == first_row { rows.begin(row) } else { entries.start };
        let rest = out.get_mut(entries.start - first..).unwrap_or(&mut []);
        let mut at = 0;
        if begin == entries.start
            && let Some(chunk) = rest.first_chunk_mut()
        {
            *chunk = head(row);
            at = HEAD;
        }
        if let Some(tail) = rest.get_mut(at..entries.len()) {
            let place = entries.start - begin + at;
            for (k, slot) in tail.iter_mut().enumerate() {
                *slot = number(row, place + k);
            }
        }
    });
}

/// Sets `out[entry]` to `number(row)` for every entry of each row.
///
/// ```
/// use array_kernels::merge_path::Offsets;
/// use array_kernels::spread::repeat;
/// // CSR to COO: the row of each entry.
/// let mut rows = [9_u32; 5];
/// repeat(&Offsets::new(&[0_u32, 2, 2, 5]), &mut rows, |row| row as u32);
/// assert_eq!(rows, [0, 0, 2, 2, 2]);
/// ```
pub fn repeat<I: Copy + Send>(rows: &impl Rows, out: &mut [I], number: impl Fn(usize) -> I + Sync + Send) {
    spread(rows, out, |row| [number(row); HEAD], |row, _| number(row));
}

/// Writes the numbers of [`repeat`] for the entries of the segment `part`, from `out[0]` on.
///
/// ```
/// use array_kernels::merge_path::{Offsets, part_of};
/// use array_kernels::spread::repeat_part;
/// // The rows of entries 1 to 3 alone.
/// let rows = Offsets::new(&[0_u32, 2, 2, 5]);
/// let mut out = [9_u32; 3];
/// repeat_part(&rows, &part_of(&rows, 1..4), &mut out, |row| row as u32);
/// assert_eq!(out, [0, 2, 2]);
/// ```
#[inline(always)]
pub fn repeat_part<I: Copy>(rows: &impl Rows, part: &MergeSegment, out: &mut [I], number: impl Fn(usize) -> I) {
    spread_part(rows, part, out, |row| [number(row); HEAD], |row, _| number(row));
}
