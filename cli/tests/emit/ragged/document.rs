//! `D[k] = |i - j|` of arrays of two and of three levels, in every language.

use super::cases::{Case, Numbers};
use super::{c, harness, opencl, rust};
use crd2idx::program::{Language, OffsetWord};

/// Returns `[[6, 5, 5], [2], [9, 9]]`, the same with empty rows, and an array of `[[3, 2], [4, 1, 2, 3]]` lists.
fn cases() -> Vec<Case> {
    let offsets = |numbers: &[usize]| Numbers::Offsets(OffsetWord::U32, numbers.to_vec());
    let two = Case::new(3, vec![offsets(&[0, 3, 4, 6])], 2, 4);
    let empty = Case::new(6, vec![offsets(&[0, 0, 3, 3, 4, 6, 6])], 2, 4);
    let three = Case::new(2, vec![offsets(&[0, 2, 6]), offsets(&[0, 3, 5, 9, 10, 12, 15])], 3, 2);
    vec![two, empty, Case { distance: (0, 1), ..three }]
}

#[test]
#[ignore = "builds kernels with every compiler of the machine, for minutes"]
fn the_kernel_of_two_and_three_levels() {
    let cases = cases();
    let data = |case: &Case| case.leaves.iter().map(|(_, crd)| case.value_of(crd)).collect::<Vec<_>>();
    assert_eq!(data(&cases[0]), [0, 1, 2, 1, 2, 1]);
    assert_eq!(data(&cases[1]), [1, 0, 1, 3, 4, 3]);
    assert_eq!(data(&cases[2]), [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 2, 2, 2]);
    c::agrees(c::c("document-c", &cases), &cases);
    c::agrees(c::cuda("document-cuda", Language::Cuda, &cases), &cases);
    c::agrees(c::opencl("document-opencl", &cases), &cases);
    opencl::on_device("document-device", &cases);
    for is_wgsl in [false, true] {
        let compared = rust::compared(&format!("document-{is_wgsl}"), &rust::program(&cases, is_wgsl), &["-Awarnings"]);
        assert!(compared.is_none_or(|compared| compared == harness::results(&cases)), "{compared:?}");
    }
}
