//! The order of short lists, such as the loops of a copy.

/// Sorts by insertion and keeps the order of equal elements.
///
/// The sorts of the standard library are thousands of instructions, and each key would compile one again.
pub(crate) fn by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..list.len() {
        let before = list[..end].iter().rposition(|one| key(one) <= key(&list[end]));
        list[before.map_or(0, |before| before + 1)..=end].rotate_right(1);
    }
}
