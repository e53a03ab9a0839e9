//! Measures packing and transfers, each beside a loop by hand: `cargo bench -p packed-elements`. Both results are compared first.

use layout_core::layouts::RawLayout;
use layout_core::{Int, Layout, make_layout};
use packed_elements::{F4E2M1, I4, PackedSlice, PackedSliceMut, PackedTensor, U4, U6, transfer_packed};
use std::hint::black_box;
use std::time::Instant;

/// The number of elements of each case: 1024 rows and columns.
const SIDE: usize = 1024;
const COUNT: usize = SIDE * SIDE;

/// Returns the least time of 20 runs, in nanoseconds for each element.
fn least(mut run: impl FnMut()) -> f64 {
    let time = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e9 / COUNT as f64
    };
    (0..20).map(|_| time(&mut run)).fold(f64::INFINITY, f64::min)
}

/// Prints the times of two functions that fill a slice in the same way.
fn compare<T: Copy + Default + PartialEq>(name: &str, len: usize, mut ours: impl FnMut(&mut [T]), mut by_hand: impl FnMut(&mut [T])) {
    let (mut a, mut b) = (vec![T::default(); len], vec![T::default(); len]);
    ours(&mut a);
    by_hand(&mut b);
    assert!(a == b, "{name}: the results differ");
    let (ours, by_hand) = (least(|| ours(black_box(&mut a))), least(|| by_hand(black_box(&mut b))));
    println!("{ours:8.3} ns {by_hand:8.3} ns {:6.2}  {name}", ours / by_hand);
}

/// Compares a transfer of nibbles with a loop by hand.
fn nibbles<L: Layout, M: Layout>(name: &str, from: &[u8], source: L, target: M, by_hand: impl Fn(&mut [u8])) {
    let ours = |to: &mut [u8]| transfer_packed::<U4, _, _>(source, from, target, to).expect("the same extents");
    compare(name, COUNT / 2, ours, by_hand);
}

/// Returns the nibble `k`.
#[inline(always)]
fn nibble(bytes: &[u8], k: usize) -> u8 {
    bytes[k / 2] >> (4 * (k % 2)) & 15
}

/// Returns the six bits `k`.
#[inline(always)]
fn six(bytes: &[u8], k: usize) -> u32 {
    let (byte, bit) = (6 * k / 8, 6 * k % 8);
    let high = bytes.get(byte + 1).copied().unwrap_or(0);
    (u32::from(bytes[byte]) | u32::from(high) << 8) >> bit & 63
}

fn main() {
    let bytes: Vec<u8> = (0..COUNT as u32).map(|k| (k.wrapping_mul(0x9E37_79B9) >> 24) as u8).collect();
    let from = &bytes[..COUNT / 2];
    println!("    each element: by this package, by hand, ratio");

    let row = make_layout(COUNT, Int::<1>);
    nibbles("nibbles, copied", from, row, row, |to| to.copy_from_slice(from));
    compare(
        "nibbles, moved by one",
        COUNT / 2,
        |to: &mut [u8]| {
            let row = make_layout(COUNT - 1, Int::<1>);
            let source = PackedTensor::<_, _, U4>::new(from, row).expect("enough bytes");
            PackedTensor::<_, _, U4>::with_origin(to, 1, row).and_then(|mut to| to.assign(&source)).expect("the same extents");
        },
        |to| {
            let mut before = to[0] & 15;
            for (to, from) in to.iter_mut().zip(from) {
                *to = before | from << 4;
                before = from >> 4;
            }
        },
    );

    let (plain, awq) = (make_layout(((2, 4), COUNT / 8), ((1, 2), 8)), make_layout(((2, 4), COUNT / 8), ((4, 1), 8)));
    nibbles("nibbles, to the order of AWQ", from, plain, awq, |to| {
        for (to, from) in to.chunks_exact_mut(4).zip(from.chunks_exact(4)) {
            let from = u32::from_le_bytes([from[0], from[1], from[2], from[3]]);
            let order = [0, 2, 4, 6, 1, 3, 5, 7];
            let word = (0..8).fold(0, |word, k| word | (from >> (4 * order[k]) & 15) << (4 * k));
            to.copy_from_slice(&word.to_le_bytes());
        }
    });

    let (rows, columns) = (make_layout((SIDE, SIDE), (SIDE, 1)), make_layout((SIDE, SIDE), (1, SIDE)));
    assert_eq!(rows.period(), Some(1));
    nibbles("nibbles, rows to columns", from, rows, columns, |to| {
        for j in 0..SIDE {
            for i in (0..SIDE).step_by(2) {
                to[(j * SIDE + i) / 2] = nibble(from, i * SIDE + j) | nibble(from, (i + 1) * SIDE + j) << 4;
            }
        }
    });
    let padded = make_layout((SIDE, SIDE / 2), (SIDE, 2));
    nibbles("nibbles, every second one", from, make_layout((SIDE, SIDE / 2), (1, SIDE)), padded, |to| {
        for i in 0..SIDE {
            for j in 0..SIDE / 2 {
                let byte = &mut to[(i * SIDE + 2 * j) / 2];
                *byte = *byte & 0xF0 | nibble(from, j * SIDE + i);
            }
        }
    });

    let from_six = &bytes[..COUNT / 4 * 3];
    let ours = |to: &mut [u8]| transfer_packed::<U6, _, _>(rows, from_six, columns, to).expect("the same extents");
    compare("six bits, rows to columns", COUNT / 4 * 3, ours, |to| {
        for (group, to) in to.chunks_exact_mut(3).enumerate() {
            let element = |k: usize| six(from_six, (4 * group + k) % SIDE * SIDE + (4 * group + k) / SIDE);
            let word = (0..4).fold(0, |word, k| word | element(k) << (6 * k));
            to.copy_from_slice(&word.to_le_bytes()[..3]);
        }
    });

    let ours = |to: &mut [i8]| PackedSlice::<I4>::new(from, COUNT).and_then(|packed| packed.unpack_into(to)).expect("enough bytes");
    compare("int4, unpacked to i8", COUNT, ours, |to| {
        for (to, byte) in to.chunks_exact_mut(2).zip(from) {
            (to[0], to[1]) = ((byte << 4) as i8 >> 4, *byte as i8 >> 4);
        }
    });
    let numbers: Vec<u8> = bytes.iter().map(|byte| byte & 15).collect();
    let ours =
        |to: &mut [u8]| PackedSliceMut::<U4>::new(to, COUNT).and_then(|mut packed| packed.pack_from(&numbers)).expect("numbers of 4 bits");
    compare("uint4, checked and packed from u8", COUNT / 2, ours, |to| {
        for (to, pair) in to.iter_mut().zip(numbers.chunks_exact(2)) {
            assert!(pair[0] < 16 && pair[1] < 16);
            *to = pair[0] | pair[1] << 4;
        }
    });
    let ours = |to: &mut [f32]| PackedSlice::<F4E2M1>::new(from, COUNT).and_then(|packed| packed.unpack_into(to)).expect("enough bytes");
    compare("fp4, unpacked to f32", COUNT, ours, |to| {
        const NUMBERS: [f32; 16] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0];
        for (to, byte) in to.chunks_exact_mut(2).zip(from) {
            (to[0], to[1]) = (NUMBERS[usize::from(byte & 15)], NUMBERS[usize::from(byte >> 4)]);
        }
    });
}
