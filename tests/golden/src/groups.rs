//! Groups of axes of static extents: coordinates of axes and of groups, both ways.
//!
//! Coordinates are used where they are computed, as an index or inside one: at opt-level 1, an array that is returned is copied once.

use layout_core::layouts::FixedAxisMap;

const CUBE: FixedAxisMap<5, 2> = FixedAxisMap::grouped([5; 5], [0, 1, 2, 3, 4], [2, 5]).unwrap();
const MIXED: FixedAxisMap<4, 2> = FixedAxisMap::grouped([2, 3, 4, 5], [3, 0, 2, 1], [2, 4]).unwrap();
const TILES: FixedAxisMap<4, 3> = FixedAxisMap::grouped([8, 16, 4, 32], [0, 2, 1, 3], [2, 3, 4]).unwrap();

#[unsafe(no_mangle)]
pub fn gcs_reduce_hand(a: u64, b: u64, c: u64, d: u64, e: u64) -> u64 {
    (a * 5 + b) ^ (c * 25 + d * 5 + e) << 8
}

#[unsafe(no_mangle)]
pub fn gcs_reduce_layout(a: u64, b: u64, c: u64, d: u64, e: u64) -> u64 {
    let [x, y] = CUBE.forward([a, b, c, d, e]);
    x ^ y << 8
}

#[unsafe(no_mangle)]
pub fn gcs_promote_hand(r: u64, s: u64) -> u64 {
    (r / 5) ^ (r % 5) << 8 ^ (s / 25) << 16 ^ (s / 5 % 5) << 24 ^ (s % 5) << 32
}

#[unsafe(no_mangle)]
pub fn gcs_promote_layout(r: u64, s: u64) -> u64 {
    let [i, j, k, l, m] = CUBE.backward([r, s]);
    i ^ j << 8 ^ k << 16 ^ l << 24 ^ m << 32
}

#[unsafe(no_mangle)]
pub fn gcs_mixed_reduce_hand(a: u64, b: u64, c: u64, d: u64) -> u64 {
    (d * 2 + a) ^ (c * 3 + b) << 8
}

#[unsafe(no_mangle)]
pub fn gcs_mixed_reduce_layout(a: u64, b: u64, c: u64, d: u64) -> u64 {
    let [x, y] = MIXED.forward([a, b, c, d]);
    x ^ y << 8
}

#[unsafe(no_mangle)]
pub fn gcs_mixed_promote_hand(r: u64, s: u64) -> u64 {
    (r % 2) ^ (s % 3) << 8 ^ (s / 3) << 16 ^ (r / 2) << 24
}

#[unsafe(no_mangle)]
pub fn gcs_mixed_promote_layout(r: u64, s: u64) -> u64 {
    let [i, j, k, l] = MIXED.backward([r, s]);
    i ^ j << 8 ^ k << 16 ^ l << 24
}

// Powers of two need only shifts and masks.
#[unsafe(no_mangle)]
pub fn gcs_tiles_promote_hand(r: u64, s: u64, t: u64) -> u64 {
    (r / 4) ^ s << 8 ^ (r % 4) << 16 ^ t << 24
}

#[unsafe(no_mangle)]
pub fn gcs_tiles_promote_layout(r: u64, s: u64, t: u64) -> u64 {
    let [i, j, k, l] = TILES.backward([r, s, t]);
    i ^ j << 8 ^ k << 16 ^ l << 24
}

#[unsafe(no_mangle)]
pub fn gcs_checked_promote_hand(r: u64, s: u64) -> Option<[u64; 4]> {
    if r < 10 && s < 12 { Some([r % 2, s % 3, s / 3, r / 2]) } else { None }
}

#[unsafe(no_mangle)]
pub fn gcs_checked_promote_layout(r: u64, s: u64) -> Option<[u64; 4]> {
    MIXED.promote([r, s])
}

#[unsafe(no_mangle)]
pub fn gcs_checked_reduce_hand(a: u64, b: u64, c: u64, d: u64) -> Option<[u64; 2]> {
    if a < 2 && b < 3 && c < 4 && d < 5 { Some([d * 2 + a, c * 3 + b]) } else { None }
}

#[unsafe(no_mangle)]
pub fn gcs_checked_reduce_layout(a: u64, b: u64, c: u64, d: u64) -> Option<[u64; 2]> {
    MIXED.reduce([a, b, c, d])
}

// Constant coordinates leave a constant.
#[unsafe(no_mangle)]
pub fn const_gcs_hand() -> u64 {
    21 * 125 + 16
}

#[unsafe(no_mangle)]
pub fn const_gcs_layout() -> u64 {
    let [row, column] = CUBE.forward([4, 1, 0, 3, 1]);
    row * CUBE.extents()[1] + column
}
