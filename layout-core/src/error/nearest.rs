//! Hints for names that are misspelt.

/// The longest name that is compared.
const LONGEST: usize = 63;

/// The candidate with the fewest edits from `name`, if at most a third of its letters differ.
///
/// ```
/// use layout_core::error::nearest;
/// assert_eq!(nearest("logical_devide", ["filter", "logical_divide"]), Some("logical_divide"));
/// assert_eq!(nearest("frobnicate", ["filter", "logical_divide"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, best) = candidates.into_iter().map(|candidate| (edits(name, candidate), candidate)).min()?;
    (distance <= name.len() / 3).then_some(best)
}

/// How many characters must be inserted, deleted or replaced.
fn edits(a: &str, b: &str) -> usize {
    if b.len() > LONGEST {
        return usize::MAX;
    }
    let mut row: [usize; LONGEST + 1] = core::array::from_fn(|k| k);
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + (x != y) as usize;
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
