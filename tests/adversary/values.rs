//! Values of the algebra whose public fields were set by hand.

use crd2idx::prelude::*;
use crd2idx::value::LayoutValue;

const N: usize = 4;

/// A layout whose fields are any numbers, most of them small. `below(n)` is a number below `n`.
fn any(mut below: impl FnMut(usize) -> usize) -> LayoutValue<N> {
    let mut lay = LayoutValue::<N>::empty();
    for k in 0..N {
        let mut depth = || [0, 1, 1, 2, 2, 3, 0x80, 0x81, 0x82, 0x83, 60, 255][below(12)];
        (lay.tree.depth[k], lay.tree.join[k]) = (depth(), depth());
        let mut number = || [0, 1, 1, 2, 3, -1, i64::MIN, i64::MIN + 1, i64::MAX, 1 << 40][below(10)];
        (lay.shape[k], lay.stride[k]) = (number(), number());
    }
    lay.tree.len = [0, 1, 2, 3, 4, 5, usize::MAX][below(7)];
    lay
}

/// What is accepted is a layout that its notation gives again, and a tensor visits as many elements as it has.
#[test]
fn values_set_by_hand() {
    let (mut state, mut accepted) = (1u64, 0);
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    for _ in 0..if cfg!(miri) { 2000 } else { 200_000 } {
        let lay = any(&mut below);
        let Ok(layout) = DynLayout::from_value(lay) else { continue };
        let text = layout.to_string();
        let same = DynLayout::<N>::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(same.to_string(), text);
        assert_eq!(layout.size(), same.size(), "{text}");
        assert_eq!(layout.coalesce().unwrap().to_string(), same.coalesce().unwrap().to_string(), "{text}");
        accepted += 1;
        if layout.size() <= 64 && layout.cosize() <= 64 {
            let data = [1u8; 256];
            let Ok(tensor) = Tensor::with_origin(&data, 128, layout) else { continue };
            let mut sum = 0;
            tensor.for_each(|x| sum += usize::from(*x));
            assert_eq!(sum as i64, layout.size(), "{text}");
            assert_eq!(tensor.iter().count() as i64, layout.size(), "{text}");
        }
    }
    assert!(accepted > if cfg!(miri) { 2 } else { 200 }, "{accepted}");
}
