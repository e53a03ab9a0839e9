//! Extracts the bits of words under a mask, compacted to the low end, with `PEXT` if the processor has it.

/// Adds to `out[k]` the bits of `words[k]` under `mask`, moved together at the low end and then shifted left by `shift`.
pub(crate) fn add_bits(words: &[u64], mask: u64, shift: u32, out: &mut [u64]) {
    #[cfg(all(target_arch = "x86_64", feature = "parallel", not(miri)))]
    {
        #[target_feature(enable = "bmi2")]
        fn gather(words: &[u64], mask: u64, shift: u32, out: &mut [u64]) {
            out.iter_mut().zip(words).for_each(|(slot, word)| *slot += core::arch::x86_64::_pext_u64(*word, mask) << shift);
        }
        if std::is_x86_feature_detected!("bmi2") {
            // SAFETY: the machine has the instruction that the function is compiled for.
            return unsafe { gather(words, mask, shift, out) };
        }
    }
    // Other processors move each run of ones in the mask separately.
    let (mut rest, mut to) = (mask, shift);
    while rest != 0 {
        let from = rest.trailing_zeros();
        let width = (rest >> from).trailing_ones();
        let ones = u64::MAX >> (64 - width);
        out.iter_mut().zip(words).for_each(|(slot, word)| *slot += ((word >> from) & ones) << to);
        (rest, to) = (rest & !(ones << from), to + width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_move_together() {
        let mut out = [1; 3];
        add_bits(&[0b1101_0110, u64::MAX, 0], 0b1001_0110, 1, &mut out);
        assert_eq!(out, [1 + 0b11110, 1 + 0b11110, 1]);
        out[2] = 0;
        add_bits(&[u64::MAX], u64::MAX, 0, &mut out[2..]);
        assert_eq!(out[2], u64::MAX);
    }
}
