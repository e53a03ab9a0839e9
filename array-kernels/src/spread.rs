//! A number for every entry of rows: what `expand` and its like write.

use super::merge_path::{Part, Rows, carved, shares};
use super::parallel;

/// This many numbers are written at the beginning of each row, whether it has them or not.
pub const HEAD: usize = 16;

/// Writes a number for every entry: `head` gives the first ones of a row, `number` any of them by row and place.
pub fn spread<I: Copy + Send>(
    rows: &impl Rows,
    out: &mut [I],
    head: impl Fn(usize) -> [I; HEAD] + Sync + Send,
    number: impl Fn(usize, usize) -> I + Sync + Send,
) {
    parallel::map(carved(shares(rows), out), |(part, out)| spread_part(rows, &part, out, &head, &number));
}

/// [`spread`] for the entries of one part.
///
/// Short rows need no loop and no branch: what is written beyond their end is written again with the next row.
#[inline(always)]
fn spread_part<I: Copy>(
    rows: &impl Rows,
    part: &Part,
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

/// Writes one number for all entries of a row.
pub fn repeat<I: Copy + Send>(rows: &impl Rows, out: &mut [I], number: impl Fn(usize) -> I + Sync + Send) {
    spread(rows, out, |row| [number(row); HEAD], |row, _| number(row));
}

/// [`repeat`] for the entries of one part.
#[inline(always)]
pub fn repeat_part<I: Copy>(rows: &impl Rows, part: &Part, out: &mut [I], number: impl Fn(usize) -> I) {
    spread_part(rows, part, out, |row| [number(row); HEAD], |row, _| number(row));
}
