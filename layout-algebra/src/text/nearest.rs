//! Suggestions for mistyped names in errors.

use crate::heap::*;

/// Returns the candidate that `name` is likely meant to be, or `None`.
///
/// An edit inserts, deletes or replaces a byte. The candidate with the fewest edits is likely if one insertion makes it
/// from `name`, or if the edits number at most a third of the bytes of `name`. Ties go to the candidate that sorts first.
///
/// ```
/// use layout_algebra::text::nearest;
/// assert_eq!(nearest("ro", ["row", "col"].into_iter()), Some("row"));
/// assert_eq!(nearest("bloc", ["row", "col"].into_iter()), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, best) = candidates.map(|candidate| (edits(name, candidate), candidate)).min()?;
    let is_one_short = distance == 1 && best.len() == name.len() + 1;
    (is_one_short || distance <= name.len() / 3).then_some(best)
}

/// Returns the least number of bytes to insert, delete or replace that turns `a` into `b`.
fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
