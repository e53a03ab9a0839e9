//! Colexicographic positions: coordinates counted from 0, the first integer fastest.

use crate::types::pattern::operand::{MAX_LEAVES, Slots, div_rem};

/// Returns the integer of each of `rank` modes at position `position`, from 0; the last takes the whole quotient.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn digits(position: usize, extents: &Slots, rank: usize) -> Slots {
    let (mut modes, mut rest) = ([0; MAX_LEAVES], position);
    for mode in 0..rank.max(1) {
        (rest, modes[mode]) = if mode + 1 >= rank { (0, rest) } else { div_rem(rest, extents[mode]) };
    }
    modes
}

/// Returns the position of a coordinate, given as one integer for each of `rank` modes.
#[cfg_attr(not(unoptimized), inline(always))]
pub(crate) fn position(modes: &Slots, extents: &Slots, rank: usize) -> usize {
    let (mut position, mut weight) = (0usize, 1usize);
    for mode in 0..rank.max(1) {
        position = position.wrapping_add(modes[mode].wrapping_mul(weight));
        weight = weight.wrapping_mul(extents[mode]);
    }
    position
}
