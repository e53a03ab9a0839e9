//! Kernels that write a number for every entry of rows, for `expand` and similar operations.

use super::merge_path::{MergeSegment, Rows, carved, shares};
use super::parallel;

/// The number of numbers written at the start of each row, even if the row is shorter.
pub const HEAD: usize = 16;

/// Sets `out[entry]` to `number(row, k)` for every entry, where the entry is number `k` of its row, from 0. `head(row)`
/// returns the first [`HEAD`] numbers of a row. Its numbers past the end of a shorter row do not matter.
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
pub fn repeat<I: Copy + Send>(rows: &impl Rows, out: &mut [I], number: impl Fn(usize) -> I + Sync + Send) {
    spread(rows, out, |row| [number(row); HEAD], |row, _| number(row));
}

/// Writes the numbers of [`repeat`] for the entries of the segment `part`, from `out[0]` on.
#[inline(always)]
pub fn repeat_part<I: Copy>(rows: &impl Rows, part: &MergeSegment, out: &mut [I], number: impl Fn(usize) -> I) {
    spread_part(rows, part, out, |row| [number(row); HEAD], |row, _| number(row));
}
