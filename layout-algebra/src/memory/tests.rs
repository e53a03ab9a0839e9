//! The groups of lanes as their sources list them, and random accesses against these lists.

use super::*;
use crate::error::Result;
use crate::heap::Vec;

/// Groups of lanes.
type Groups = Vec<Vec<usize>>;

/// The groups of `ds_read_b128` on CDNA 3, as the documentation of Composable Kernel lists them: first and last lanes of two runs.
const CDNA: [[(usize, usize); 2]; 8] = [
    [(0, 3), (20, 23)],
    [(4, 7), (16, 19)],
    [(8, 11), (28, 31)],
    [(12, 15), (24, 27)],
    [(32, 35), (52, 55)],
    [(36, 39), (48, 51)],
    [(40, 43), (60, 63)],
    [(44, 47), (56, 59)],
];

/// The groups of `ds_read_b128` on CDNA 4, as the documentation of rocRoller lists them.
const CDNA4: [[(usize, usize); 4]; 4] = [
    [(0, 3), (12, 15), (20, 23), (24, 27)],
    [(32, 35), (44, 47), (52, 55), (56, 59)],
    [(4, 7), (8, 11), (16, 19), (28, 31)],
    [(36, 39), (40, 43), (48, 51), (60, 63)],
];

fn runs(groups: &[&[(usize, usize)]]) -> Groups {
    let mut all: Vec<Vec<usize>> = groups.iter().map(|of| of.iter().flat_map(|(first, last)| *first..=*last).collect()).collect();
    all.iter_mut().for_each(|group| group.sort_unstable());
    all.sort_unstable();
    all
}

/// Returns groups of `size` neighbours.
fn neighbours(warp: usize, size: usize) -> Groups {
    (0..warp).step_by(size).map(|from| (from..from + size).collect()).collect()
}

/// Returns the groups of a whole warp whose lanes request `bytes`, sorted.
fn groups(banks: Banks, bytes: u32) -> Groups {
    let lanes: Vec<usize> = (0..banks.warp() as usize).map(|place| banks.lane(bytes, place)).collect();
    let mut all: Vec<Vec<usize>> = lanes.chunks(banks.group(bytes) as usize).map(<[usize]>::to_vec).collect();
    all.iter_mut().for_each(|group| group.sort_unstable());
    all.sort_unstable();
    all
}

/// All named models, with their banks, and their groups for 4, 8 and 16 bytes.
fn models() -> Vec<(Banks, u32, [Groups; 3])> {
    let cdna = runs(&CDNA.each_ref().map(|of| &of[..]));
    let cdna4 = runs(&CDNA4.each_ref().map(|of| &of[..]));
    let plain = |warp, sizes: [usize; 3]| sizes.map(|size| neighbours(warp, size));
    let stores = plain(64, [32, 16, 8]);
    let [four, eight, _] = stores.clone();
    let [all, half, _] = plain(64, [64, 32, 16]);
    [
        (Banks::NVIDIA, 32, plain(32, [32, 16, 8])),
        (Banks::AMD, 32, stores.clone()),
        (Banks::CDNA_STORES, 32, stores.clone()),
        (Banks::CDNA_LOADS, 32, [four, eight, cdna]),
        (Banks::CDNA4_STORES, 32, stores),
        (Banks::CDNA4_LOADS, 64, [all, half, cdna4]),
        (Banks::RDNA, 32, plain(32, [32, 16, 8])),
        (Banks::XE, 16, plain(16, [16, 8, 4])),
    ]
    .into()
}

#[test]
fn groups_are_those_of_the_sources() {
    for (banks, count, of) in models() {
        assert_eq!((banks.count(), banks.bytes()), (count, 4));
        for (bytes, of) in [4, 8, 16].into_iter().zip(of) {
            assert_eq!(groups(banks, bytes), of, "{banks:?} {bytes}");
        }
    }
}

/// Returns the wavefronts of an access, and those without conflicts, from a list of groups.
fn listed(groups: &[Vec<usize>], lanes: &Lanes, banks: u32) -> (u32, u32) {
    let (mut wavefronts, mut ideal) = (0, 0);
    for group in groups {
        let mut words: Vec<i64> = Vec::new();
        for byte in group.iter().filter_map(|lane| lanes.byte(*lane)) {
            words.extend(byte / 4..=(byte + lanes.bytes() - 1) / 4);
        }
        words.sort_unstable();
        words.dedup();
        let most = (0..banks).map(|bank| words.iter().filter(|word| **word % i64::from(banks) == i64::from(bank)).count()).max();
        wavefronts += most.unwrap_or(0) as u32;
        ideal += u32::from(!words.is_empty());
    }
    (wavefronts, ideal)
}

#[test]
fn accesses_are_served_group_by_group() -> Result<()> {
    let mut state = 3u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let mut differ = 0;
    for case in 0..if cfg!(miri) { 20 } else { 800 } {
        for (banks, count, of) in models() {
            for (width, of) in of.iter().enumerate() {
                let vector = 1 << width;
                let mut lanes = Lanes::new(Access::vector(32, vector))?;
                // A random stride and field of bits, some lanes inactive, and warps that are not full.
                let (stride, mask, reach) = (below(40), below(64), 1 + below(200));
                let full = if below(3) == 0 { 1 + below(u64::from(banks.warp())) } else { u64::from(banks.warp()) };
                let random = below(3) == 0;
                for lane in 0..full {
                    let place = if random { below(reach) } else { (lane * stride) ^ (lane & mask) };
                    lanes.push((below(10) > 0).then_some((place * u64::from(vector)) as i64))?;
                }
                let served = banks.serve(&lanes);
                assert_eq!((served.wavefronts, served.ideal), listed(of, &lanes, count), "case {case}: {banks:?} {lanes:?}");
                // Collisions list the words of every bank with several.
                let collisions = banks.collisions(&lanes);
                assert_eq!(collisions.is_empty(), served.conflicts() == 0, "case {case}: {banks:?} {lanes:?}");
                differ += u32::from(banks == Banks::CDNA_LOADS && Banks::CDNA_STORES.serve(&lanes) != served);
            }
        }
    }
    assert!(cfg!(miri) || differ > 80, "{differ}");
    Ok(())
}

#[test]
fn loads_and_stores_of_cdna_differ() -> Result<()> {
    let count = |tile, threads, banks| try_bank_conflicts(tile, threads, Access::vector(16, 8), banks);
    // Rows of 32 halves: four vectors each. Lane t loads the vector t div 16 of row t mod 16, as a matrix instruction takes it.
    let (plain, rows) = ("(16,32):(32,1)", "((16,4),8):((1,128),16)");
    // Rows fill 16 banks. Of 8 rows in one column, 4 share their banks, and of the 4 rows of lanes 0 to 3, 2. CDNA 4 has 4 rows in its
    // 64 banks, and 8 rows of one column in a group.
    assert_eq!((count(plain, rows, Banks::CDNA_STORES)?, count(plain, rows, Banks::CDNA_LOADS)?), (3 * 8, 8));
    assert_eq!(count(plain, rows, Banks::CDNA4_LOADS)?, 4);
    // Rows of 64 halves fill 32 banks, so 4 rows of a column share their banks. A swizzle has no conflicts, nor have stores of rows.
    let (plain, swizzled) = ("(64,64):(64,1)", "S<3,3,3> o 0 o (64,64):(64,1)");
    let (stored, loaded) = ("((8,8),8):((512,1),64)", "((16,4),8):((1,512),64)");
    assert_eq!((count(plain, loaded, Banks::CDNA_LOADS)?, count(plain, loaded, Banks::CDNA4_LOADS)?), (3 * 8, 3 * 4));
    assert_eq!((count(swizzled, stored, Banks::CDNA_STORES)?, count(swizzled, loaded, Banks::CDNA_LOADS)?), (0, 0));
    // A search for either takes its groups.
    let threads: Vec<_> = (0..64).map(|t| Some((0..8).map(|k| t % 16 + 16 * (t / 16 * 8 + k)).collect())).collect();
    for banks in [Banks::CDNA_LOADS, Banks::CDNA4_LOADS, Banks::CDNA_STORES] {
        let search = SwizzleSearch { shape: [16, 32].into(), banks, accesses: [(threads.clone(), Access::vector(16, 8))].into() };
        let answer = search.run().expect("vectors can stay whole");
        assert_eq!(answer.conflicts, 0, "{banks:?} {answer:?}");
    }
    Ok(())
}
