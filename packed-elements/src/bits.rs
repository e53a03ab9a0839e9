//! Runs of bits in bytes. Bit `k` is bit `k % 8` of byte `k / 8`, the lowest first.

/// Returns the number of the byte of bit `at`, and the number of the bit there.
#[inline(always)]
fn place(at: u64) -> (usize, u32) {
    ((at / 8) as usize, (at % 8) as u32)
}

/// Returns the `count` bits from bit `at` on, the first as the lowest. There are 1 to 64, and all lie in the bytes.
#[inline(always)]
pub fn read_word(bytes: &[u8], at: u64, count: u32) -> u64 {
    let (byte, bit) = place(at);
    let bytes = &bytes[byte..];
    let mut low = [0; 8];
    match bytes.first_chunk() {
        Some(eight) => low = *eight,
        None => low[..bytes.len()].copy_from_slice(bytes),
    }
    let mut word = u64::from_le_bytes(low) >> bit;
    if bit + count > 64 {
        word |= u64::from(bytes[8]) << (64 - bit);
    }
    word & u64::MAX >> (64 - count)
}

/// Sets the `count` bits from bit `at` on to the lowest bits of `word`. There are 1 to 64, and all lie in the bytes.
#[inline(always)]
pub fn write_word(bytes: &mut [u8], at: u64, count: u32, word: u64) {
    let (byte, bit) = place(at);
    if bit == 0 && count.is_multiple_of(8) {
        let bytes = &mut bytes[byte..][..count as usize / 8];
        return match bytes.first_chunk_mut() {
            Some(eight) => *eight = word.to_le_bytes(),
            None => bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]),
        };
    }
    let mask = u128::from(u64::MAX >> (64 - count)) << bit;
    let word = u128::from(word) << bit & mask;
    for (k, target) in bytes[byte..][..(bit + count).div_ceil(8) as usize].iter_mut().enumerate() {
        *target = *target & (!mask >> (8 * k)) as u8 | (word >> (8 * k)) as u8;
    }
}

/// Copies `count` bits from bit `at` of `source` on to bit `to` of `target` on. There are at least 8, and all lie in the slices.
pub fn copy_bits(source: &[u8], mut at: u64, target: &mut [u8], mut to: u64, mut count: u64) {
    // The first bits, up to a whole byte of the target.
    let first = to.wrapping_neg() % 8;
    if first > 0 {
        write_word(target, to, first as u32, read_word(source, at, first as u32));
        (at, to, count) = (at + first, to + first, count - first);
    }
    if at.is_multiple_of(8) {
        let bytes = (count / 8) as usize;
        target[place(to).0..][..bytes].copy_from_slice(&source[place(at).0..][..bytes]);
        let bits = 8 * bytes as u64;
        (at, to, count) = (at + bits, to + bits, count - bits);
    } else {
        let words = (count / 64) as usize;
        for word in target[place(to).0..][..8 * words].chunks_exact_mut(8) {
            word.copy_from_slice(&read_word(source, at, 64).to_le_bytes());
            at += 64;
        }
        (to, count) = (to + 64 * words as u64, count % 64);
    }
    if count > 0 {
        write_word(target, to, count as u32, read_word(source, at, count as u32));
    }
}
