//! Transfers between random layouts, compared with a loop over single bits.

use crate::for_each_width;
use crate::random::{Random, layout, pattern, set_pattern, strided};
use layout_core::layouts::StaticSwizzle;
use layout_core::{Int, Layout, TensorError, make_layout};
use packed_elements::{I4, PackedElement, PackedError, PackedTensor, U4, transfer_packed};

/// Returns bytes for a layout with index 0 at `origin`, with some more behind its elements.
fn bytes_of<E: PackedElement>((layout, origin): (impl Layout, usize), random: &mut Random) -> Vec<u8> {
    let end = origin as isize + layout.index_range().expect("small numbers").end;
    let more = random.below(3);
    random.bytes((end as usize * E::BITS as usize).div_ceil(8) + more)
}

/// Moves random elements between two layouts, each with its origin, and compares all bytes.
fn moved<E: PackedElement>(source: (impl Layout, usize), target: (impl Layout, usize), random: &mut Random) {
    let from = bytes_of::<E>(source, random);
    let mut to = bytes_of::<E>(target, random);
    let mut naive = to.clone();
    for k in 0..source.0.size() {
        let [at, place] = [source.0.offset(k) + source.1 as isize, target.0.offset(k) + target.1 as isize];
        set_pattern::<E>(&mut naive, place as usize, pattern::<E>(&from, at as usize));
    }
    let read = PackedTensor::<_, _, E>::with_origin(&from, source.1, source.0).expect("enough bytes");
    let mut with = to.clone();
    let mut written = PackedTensor::<_, _, E>::with_origin(&mut to, target.1, target.0).expect("enough bytes");
    written.assign(&read).expect("the same extents");
    assert_eq!(to, naive, "{} bits", E::BITS);

    let mut written = PackedTensor::<_, _, E>::with_origin(&mut with, target.1, target.0).expect("enough bytes");
    let mut calls = 0;
    let count = |element| {
        calls += 1;
        element
    };
    written.assign_with(&read, count).expect("the same extents");
    assert_eq!((calls, with), (source.0.size(), naive));
}

/// Returns the least origin for a layout, plus a random number.
fn origin(layout: impl Layout, random: &mut Random) -> usize {
    layout.index_range().expect("small numbers").start.min(0).unsigned_abs() + random.below(20)
}

fn random_sides<E: PackedElement>() {
    let mut random = Random::new(E::BITS.into());
    for _ in 0..400 {
        let size = [30, 300, 900][random.below(3)];
        let extents = random.extents(size);
        let target = strided(&extents, &random.injective(&extents));
        let strides = match random.below(4) {
            0 => extents.iter().map(|_| random.below(7) as isize - 2).collect(),
            _ => random.injective(&extents),
        };
        let source = strided(&extents, &strides);
        let origins = [origin(source, &mut random), origin(target, &mut random)];
        println!("{source} at {} to {target} at {}", origins[0], origins[1]);
        moved::<E>((source, origins[0]), (target, origins[1]), &mut random);
    }
}

#[test]
fn elements_move_between_random_layouts() {
    for_each_width!(random_sides());
}

fn runs<E: PackedElement>() {
    let mut random = Random::new(50 + u64::from(E::BITS));
    // All offsets of runs in bytes on both sides.
    for (at, to) in (0..9).flat_map(|at| (0..9).map(move |to| (at, to))) {
        for count in [1, 2, 7, 8, 9, 65, 130 + random.below(70)] {
            let run = strided(&[count], &[1]);
            moved::<E>((run, at), (run, to), &mut random);
        }
    }
}

#[test]
fn runs_move_from_any_bit_to_any_bit() {
    for_each_width!(runs());
}

/// Layouts of equal modes whose leaves differ, swizzles, strides without carries, and layouts without coordinates.
fn listed<E: PackedElement>() {
    let mut random = Random::new(60 + u64::from(E::BITS));
    for (source, target) in [
        ("((2,3),4):((3,1),6)", "((3,2),4):((8,4),1)"),
        ("6:1", "(2,3):(3,1)"),
        ("(8,8):(^9,^1)", "(8,8):(1,8)"),
        ("(8,8):(1,8)", "(8,8):(^9,^1)"),
        ("((2,4),5):((4,1),8)", "((2,4),5):((1,2),8)"),
        ("((4,2),5):((2,1),8)", "(8,5):(1,8)"),
        ("(0,3):(1,1)", "(0,3):(5,-9)"),
        ("(1,1):(7,9)", "(1,1):(3,4)"),
        ("(2,2,2,2,2,2):(32,16,8,4,2,1)", "(2,2,2,2,2,2):(1,2,4,8,16,32)"),
        ("(67,3):(1,70)", "(67,3):(3,1)"),
    ] {
        let (source, target) = (layout(source), layout(target));
        if (0..source.rank().max(target.rank())).all(|mode| source.extents()[mode] == target.extents()[mode]) {
            moved::<E>((source, 0), (target, 0), &mut random);
            moved::<E>((source, 3), (target, 5), &mut random);
        } else {
            let (from, mut to) = (bytes_of::<E>((source, 0), &mut random), bytes_of::<E>((target, 0), &mut random));
            let error = transfer_packed::<E, _, _>(source, &from, target, &mut to).err();
            assert_eq!(error, Some(PackedError::Extents { mode: 0, source: 6, target: 2 }));
        }
    }
}

#[test]
fn elements_move_between_layouts_of_every_kind() {
    for_each_width!(listed());
}

fn swizzled<E: PackedElement>() {
    let mut random = Random::new(70 + u64::from(E::BITS));
    let rows = make_layout((Int::<8>, Int::<16>), (Int::<16>, Int::<1>));
    let (narrow, wide) = (StaticSwizzle::<3, 0, 3>.composition(rows), StaticSwizzle::<2, 2, 3>.composition(rows));
    moved::<E>((rows, 0), (narrow, 0), &mut random);
    moved::<E>((narrow, 3), (make_layout((8, 16), (1, 8)), 1), &mut random);
    moved::<E>((wide, 0), (narrow, 5), &mut random);
}

#[test]
fn elements_move_between_swizzled_layouts() {
    for_each_width!(swizzled());
}

#[test]
fn refused_transfers_write_nothing() {
    let mut to = [0x5A; 8];
    let mut refused = |source: &str, from: &[u8], target: &str| {
        let error = transfer_packed::<U4, _, _>(layout(source), from, layout(target), &mut to).expect_err("a refusal");
        assert_eq!(to, [0x5A; 8]);
        error
    };
    assert_eq!(refused("(2,3):(3,1)", &[0; 3], "(3,2):(2,1)"), PackedError::Extents { mode: 0, source: 2, target: 3 });
    assert_eq!(refused("(2,3):(3,1)", &[0; 3], "(2,3,2):(3,1,6)"), PackedError::Extents { mode: 2, source: 1, target: 2 });
    assert_eq!(refused("(2,3):(3,1)", &[0; 3], "(2,3):(1,1)"), TensorError::Shared.into());
    let (first, origin) = (0, 0);
    assert_eq!(refused("7:1", &[0; 3], "7:1"), TensorError::Storage { first, last: 6, elements: 6, origin }.into());
    assert_eq!(refused("17:1", &[0; 9], "17:1"), TensorError::Storage { first, last: 16, elements: 16, origin }.into());
}

#[test]
fn weights_unpack_and_pack_in_any_layout() {
    // A column-major matrix of nibbles becomes row-major bytes, and returns.
    let (rows, columns) = (make_layout((6, 10), (10, 1)), make_layout((6, 10), (1, 6)));
    let packed = Random::new(9).bytes(30);
    let nibbles = PackedTensor::<_, _, I4>::new(&packed, columns).expect("enough bytes");
    let mut bytes = PackedTensor::<_, _, i8>::new(vec![0; 60], rows).expect("enough bytes");
    bytes.assign_with(&nibbles, I4::get).expect("the same extents");
    for (i, j) in (0..6).flat_map(|i| (0..10).map(move |j| (i, j))) {
        let nibble = pattern::<I4>(&packed, i + 6 * j) as i8;
        assert_eq!(bytes.get((i, j)), Some(if nibble < 8 { nibble } else { nibble - 16 }));
    }
    let mut back = PackedTensor::<_, _, I4>::new(vec![0; 30], columns).expect("enough bytes");
    back.assign_with(&bytes, |byte| I4::new(byte).expect("it was a nibble")).expect("the same extents");
    assert_eq!(back.into_storage(), packed);
}
