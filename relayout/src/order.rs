//! Sorts short lists, such as the loops of a copy, with little code.

/// Sorts the list by `key`, by insertion. Equal elements keep their order.
///
/// A sort of the standard library compiles to thousands of instructions, once more for each type of key.
pub(crate) fn by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..list.len() {
        let before = list[..end].iter().rposition(|one| key(one) <= key(&list[end]));
        list[before.map_or(0, |before| before + 1)..=end].rotate_right(1);
    }
}
