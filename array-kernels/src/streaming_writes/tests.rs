//! Tests that streamed writes give the same array as plain ones.

use super::*;
use alloc::string::{String, ToString};

/// Fills runs of these lengths in turn with consecutive elements, and compares the array with the expected one.
fn filled<T: Default + Clone + PartialEq + core::fmt::Debug + 'static>(lengths: &[usize], skip: usize, element: impl Fn(usize) -> T) {
    let total: usize = lengths.iter().sum();
    let mut out = alloc::vec![T::default(); skip + total];
    let (mut rest, mut expected, mut begin) = (&mut out[skip..], Vec::new(), 0);
    let mut slices = Vec::new();
    for length in lengths {
        slices.push(rest.split_off_mut(..*length).expect("the sum of the lengths"));
        expected.extend((0..*length).map(|k| element(begin + k)));
        begin += length;
    }
    StreamedRuns::fill(slices, size_of::<T>() * total >= LARGE, |runs| {
        for k in 0..lengths.iter().copied().max().unwrap_or(0) {
            let mut begin = 0;
            for (run, &length) in lengths.iter().enumerate() {
                if k < length {
                    runs.push(&[run as u16], &[element(begin + k)]);
                }
                begin += length;
            }
        }
    });
    assert!(out[..skip].iter().all(|x| *x == T::default()));
    assert_eq!(out[skip..], expected);
}

#[test]
fn runs_are_filled_wherever_they_start() {
    let short = [0, 1, 7, 8, 9, 0, 63, 64, 65, 200, 3];
    for skip in 0..9 {
        filled(&short, skip, |k| k as u8);
        filled(&short, skip, |k| k as f64);
        filled(&short, skip, |k| k.to_string());
        filled(&short, skip, |k| [k as u32; 3]);
        filled(&short, skip, |k| [k as u64; 12]);
        filled(&short, skip, |_| ());
    }
    filled::<String>(&[], 0, |_| String::new());
}

#[test]
fn lines_of_large_arrays() {
    let long = |size: usize| if cfg!(miri) { [90, 1, 70] } else { [LARGE / size, 5, 70] };
    for skip in [0, 1, 6] {
        filled(&long(2), skip, |k| k as u16);
        filled(&long(4), skip, |k| k as u32);
        filled(&long(8), skip, |k| k as f64);
        filled(&long(16), skip, |k| k as u128);
        filled(&long(24), skip, |k| [k as u64; 3]);
    }
}

/// Tests runs of two arrays that begin at different offsets in their lines.
#[test]
fn runs_of_two_arrays() {
    let most = if cfg!(miri) { 300 } else { LARGE };
    for skips in [(0, 0), (4, 2), (1, 7), (15, 3)] {
        for lengths in [[most, 5, 70], [0, 33, 64]] {
            let total: usize = lengths.iter().sum();
            let (mut keys, mut values) = (alloc::vec![0u32; skips.0 + total], alloc::vec![0.0; skips.1 + total]);
            let counts = [lengths.to_vec()];
            let (mut of_keys, mut of_values) = (cut(&mut keys[skips.0..], &counts), cut(&mut values[skips.1..], &counts));
            StreamedRuns::fill_two((of_keys.remove(0), of_values.remove(0)), (total > 300, total > 300), |runs| {
                for k in 0..most {
                    for run in (0..lengths.len()).filter(|run| k < lengths[*run]) {
                        let number = lengths[..run].iter().sum::<usize>() + k;
                        runs.push_two(&[run as u16], (&[number as u32], &[number as f64]));
                    }
                }
            });
            assert!(keys[skips.0..].iter().copied().eq(0..total as u32) && keys[..skips.0].iter().all(|key| *key == 0), "{skips:?}");
            assert!(values[skips.1..].iter().copied().eq((0..total).map(|k| k as f64)) && values[..skips.1].iter().all(|x| *x == 0.0));
        }
    }
}

#[test]
fn what_does_not_fit_is_lost() {
    let mut out = [0u32; 20];
    let (first, second) = out.split_at_mut(3);
    StreamedRuns::fill(alloc::vec![first, second], false, |runs| runs.push(&[0; 40], &[7; 40]));
    assert_eq!(out[3..], [0; 17]);
}
