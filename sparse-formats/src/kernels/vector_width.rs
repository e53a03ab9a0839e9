//! Compiles one source for several vector widths, and runs the widest that the processor has.
//!
//! Results do not depend on the width. No multiplication is fused with an addition, and each number takes the same
//! operations in the same order.

/// A computation that is compiled for every vector width.
pub(crate) trait Task {
    /// Does the computation. Mark it `#[inline(always)]`, and all functions that it calls, so that they are compiled with
    /// the instructions of each vector width.
    fn run(self);
}

/// Runs a task with the vectors of its caller. With debug assertions it is one function for all widths: tests of such
/// builds check results, and three copies of each kernel make their binaries a seventh larger.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn run(task: impl Task) {
    task.run();
}

/// Runs a task with the widest vectors of the processor, which the standard library detects on x86-64 with the
/// feature `parallel`. Otherwise it uses the vectors of the build: on aarch64 these are the 16 bytes of NEON, which every
/// processor has, and in WebAssembly those of `simd128` if the build enables it.
#[inline]
pub(crate) fn run_widest(task: impl Task) {
    #[cfg(all(target_arch = "x86_64", feature = "parallel", not(miri)))]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
        fn wider(task: impl Task) {
            run(task);
        }
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn wide(task: impl Task) {
            run(task);
        }
        macro_rules! has {
            ($($feature:tt)*) => { true $(&& std::is_x86_feature_detected!($feature))* };
        }
        if has!("avx2" "bmi1" "bmi2") {
            if has!("avx512f" "avx512bw" "avx512dq" "avx512vl") {
                // SAFETY: the machine has the instructions that `wider` is compiled for.
                return unsafe { wider(task) };
            }
            // SAFETY: the machine has the instructions that `wide` is compiled for.
            return unsafe { wide(task) };
        }
    }
    run(task);
}
