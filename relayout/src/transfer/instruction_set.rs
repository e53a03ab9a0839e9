//! The vector instructions that a processor has.
//!
//! A kernel never runs above [`InstructionSet::best`], whatever instruction set a caller names. [`InstructionSet::best`], `kernels/family.rs` and
//! `kernels` list the same instructions, so change them together. An instruction set without an arm in `family.rs` runs without
//! vectors.

/// The vector instructions that kernels may use, in the order of the widths of their vectors.
///
/// Results do not depend on it: transfers move elements, and a [`ReducingTransfer`](crate::ReducingTransfer) folds in
/// the order of its loops.
///
/// ```
/// use relayout::{InstructionSet, Side, Transfer};
/// // The same transfer with and without vectors, as in a comparison of speeds.
/// let transpose = Transfer::<u32>::new(&Side::parse("(8,8):(8,1)")?, &Side::parse("(8,8):(1,8)")?)?;
/// let numbers: Vec<u32> = (0..64).collect();
/// for instructions in [InstructionSet::Scalar, InstructionSet::best()] {
///     let mut out = [0; 64];
///     transpose.clone().with_instruction_set(instructions).run(&numbers, &mut out)?;
///     assert_eq!(out[..3], [0, 8, 16]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InstructionSet {
    /// The instructions of every processor.
    Scalar,
    /// `simd128` of WebAssembly: vectors of 128 bits, in builds with `-C target-feature=+simd128`.
    Simd128,
    /// NEON of aarch64: vectors of 128 bits. Every such processor has it. There are no kernels for SVE, whose intrinsics
    /// are not in stable Rust.
    Neon,
    /// AVX2 of x86-64: vectors of 256 bits.
    Avx2,
    /// AVX-512 F, BW, VL and VBMI of x86-64: vectors of 512 bits.
    Avx512,
}

impl InstructionSet {
    /// Returns the best instruction set of this processor; without the feature `std`, the best that the build targets.
    pub fn best() -> InstructionSet {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            macro_rules! has {
                ($($name:tt)*) => {{
                    #[cfg(feature = "std")]
                    let all = true $(&& std::is_x86_feature_detected!($name))*;
                    #[cfg(not(feature = "std"))]
                    let all = true $(&& cfg!(target_feature = $name))*;
                    all
                }};
            }
            if has!("avx2" "avx512f" "avx512bw" "avx512vl" "avx512vbmi") {
                return InstructionSet::Avx512;
            }
            if has!("avx2") {
                return InstructionSet::Avx2;
            }
        }
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon", not(miri)))]
        return InstructionSet::Neon;
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(miri)))]
        return InstructionSet::Simd128;
        #[allow(unreachable_code)]
        InstructionSet::Scalar
    }

    /// Returns the greatest instruction set that this processor has and that is not above this one.
    pub(crate) fn at_most_best(self) -> InstructionSet {
        match self {
            _ if self >= InstructionSet::best() => InstructionSet::best(),
            // Only AVX-512 is above it, and such a processor has both.
            InstructionSet::Avx2 => self,
            _ => InstructionSet::Scalar,
        }
    }

    /// Tests whether the instructions include stores past the caches.
    pub(crate) fn streams(self) -> bool {
        self >= InstructionSet::Avx2
    }
}

/// Tests whether stores to lines of one set of the nearest cache delay one another, as on AMD processors. With 16
/// columns of a transposition whole pages apart, a Zen 5 takes twice as long as with 8 columns, a Sapphire Rapids 0.85
/// times as long. Only processors of AMD's design have SSE4a.
pub(crate) fn do_sets_hold_up() -> bool {
    #[cfg(all(target_arch = "x86_64", feature = "std", not(miri)))]
    return std::is_x86_feature_detected!("sse4a");
    #[cfg(not(all(target_arch = "x86_64", feature = "std", not(miri))))]
    false
}

#[cfg(test)]
mod tests {
    use super::InstructionSet::{self, *};

    #[test]
    fn sets_of_other_processors_are_not_used() {
        let best = InstructionSet::best();
        if cfg!(miri) {
            assert_eq!(best, Scalar);
        } else if cfg!(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")) {
            assert_eq!(best, Neon);
        } else if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) {
            assert_eq!(best, Simd128);
        }
        for set in [Scalar, Simd128, Neon, Avx2, Avx512] {
            let used = set.at_most_best();
            assert!(used <= set && used <= best, "{set:?}: {used:?}");
            assert!([Scalar, best].contains(&used) || (used, best) == (Avx2, Avx512), "{set:?}: {used:?}");
            assert_eq!(used == best, set >= best, "{set:?}: {used:?}");
        }
    }
}
