//! Tests of the contents of arrays, and of lengths that exceed any memory.

use super::*;

#[test]
fn what_arrays_hold() {
    for length in [0, 1, 1000, 3 << 20] {
        assert!(defaults::<u64>(length).iter().all(|x| *x == 0));
        assert_eq!(try_repeated(0u64, length), Some(defaults(length)));
        assert_eq!(filled(length, 7u16), Some(alloc::vec![7; length]));
        let numbers: Vec<u32> = (0..length as u32).collect();
        assert_eq!(owned(Cow::Borrowed(&numbers)), numbers);
    }
    assert_eq!(room::<u64>(usize::MAX / 4), None);
    assert_eq!(try_repeated(0u64, usize::MAX / 16), None);
}
