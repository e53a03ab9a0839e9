//! The vectors that a processor has.
//!
//! A kernel never runs above [`Level::best`], whatever level a caller names. [`Level::best`], `kernels/family.rs` and `kernels` list the same instructions: change them
//! together, and give a new level an arm of its own in `family.rs`, which takes every level that it does not name for AVX2.

/// The instructions that kernels use.
///
/// No result depends on it: transfers move elements, and a [`ReducingTransfer`](crate::ReducingTransfer) folds them in the order of its loops.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// What every processor has.
    Scalar,
    /// Vectors of 256 bits: AVX2.
    Avx2,
    /// Vectors of 512 bits: AVX-512 F, BW, VL and VBMI.
    Avx512,
}

impl Level {
    /// The best that the processor has; without the feature `std`, the best that the build is for.
    pub fn best() -> Level {
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
                return Level::Avx512;
            }
            if has!("avx2") {
                return Level::Avx2;
            }
        }
        Level::Scalar
    }

    /// This level, or the best that there is if that is less.
    pub(crate) fn at_most_best(self) -> Level {
        self.min(Level::best())
    }
}

/// Whether stores to lines of one set of the nearest cache hold up one another: where 16 columns of a transposition are whole pages apart, a Zen 5 takes twice
/// as long as with 8 of them, and a Sapphire Rapids 0.85 times. What has SSE4a is of AMD.
pub(crate) fn do_sets_hold_up() -> bool {
    #[cfg(all(target_arch = "x86_64", feature = "std", not(miri)))]
    return std::is_x86_feature_detected!("sse4a");
    #[cfg(not(all(target_arch = "x86_64", feature = "std", not(miri))))]
    false
}
