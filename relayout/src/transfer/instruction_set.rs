//! The vector instructions that a processor has.
//!
//! A kernel never runs above [`InstructionSet::best`], whatever instruction set a caller names. [`InstructionSet::best`], `kernels/family.rs` and
//! `kernels` list the same instructions, so change them together. Give a new instruction set its own arm in `family.rs`: that
//! file treats every instruction set that it does not name as AVX2.

/// The vector instructions that kernels may use.
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
    /// AVX2: vectors of 256 bits.
    Avx2,
    /// AVX-512 F, BW, VL and VBMI: vectors of 512 bits.
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
        InstructionSet::Scalar
    }

    /// Returns the lower of this instruction set and `InstructionSet::best`.
    pub(crate) fn at_most_best(self) -> InstructionSet {
        self.min(InstructionSet::best())
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
