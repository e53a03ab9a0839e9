//! Single elements in bytes, and groups of eight elements, which are whole bytes.

use crate::element::{PackedElement, mask};

/// Returns the number of the byte of element `index`, and the number of its lowest bit there.
#[inline(always)]
fn place<E: PackedElement>(index: usize) -> (usize, u32) {
    // A `u64`, because the number of bits in a slice may exceed a `usize` of 32 bits.
    let bit = (index as u64).wrapping_mul(E::BITS as u64);
    ((bit / 8) as usize, (bit % 8) as u32)
}

/// Returns the pattern of element `index`, or `None` if `bytes` end before it does.
#[inline(always)]
pub fn read<E: PackedElement>(bytes: &[u8], index: usize) -> Option<u16> {
    let (byte, bit) = place::<E>(index);
    let low = u16::from(*bytes.get(byte)?);
    let high = if bit + E::BITS > 8 { u16::from(*bytes.get(byte + 1)?) } else { 0 };
    Some((high << 8 | low) >> bit & const { mask::<E>() })
}

/// Sets the pattern of element `index` to the lowest bits of `pattern`. Returns `None`, and writes nothing, if `bytes` end before
/// the element does.
#[inline(always)]
pub fn write<E: PackedElement>(bytes: &mut [u8], index: usize, pattern: u16) -> Option<()> {
    let (byte, bit) = place::<E>(index);
    let mask = u32::from(const { mask::<E>() }) << bit;
    let pattern = u32::from(pattern) << bit & mask;
    if bit + E::BITS > 8 {
        let [low, high] = bytes.get_mut(byte..)?.first_chunk_mut()?;
        *low = *low & !mask as u8 | pattern as u8;
        *high = *high & (!mask >> 8) as u8 | (pattern >> 8) as u8;
    } else {
        let low = bytes.get_mut(byte)?;
        *low = *low & !mask as u8 | pattern as u8;
    }
    Some(())
}

/// Returns the patterns of eight elements, whose bytes are `bytes`.
#[inline(always)]
pub fn read_eight<E: PackedElement>(bytes: &[u8]) -> [u16; 8] {
    if E::BITS == 16 {
        return core::array::from_fn(|k| u16::from_le_bytes([bytes[2 * k], bytes[2 * k + 1]]));
    }
    let mut word = [0; 8];
    word[..E::BITS as usize].copy_from_slice(bytes);
    let word = u64::from_le_bytes(word);
    core::array::from_fn(|k| (word >> (k as u32 * E::BITS)) as u16 & const { mask::<E>() })
}

/// Sets the patterns of eight elements, whose bytes are `bytes`, to the lowest bits of `patterns`.
#[inline(always)]
pub fn write_eight<E: PackedElement>(bytes: &mut [u8], patterns: [u16; 8]) {
    if E::BITS == 16 {
        bytes.chunks_exact_mut(2).zip(patterns).for_each(|(to, pattern)| to.copy_from_slice(&pattern.to_le_bytes()));
        return;
    }
    let mut word = 0;
    for (k, pattern) in patterns.into_iter().enumerate() {
        word |= u64::from(pattern & const { mask::<E>() }) << (k as u32 * E::BITS);
    }
    bytes.copy_from_slice(&word.to_le_bytes()[..E::BITS as usize]);
}
