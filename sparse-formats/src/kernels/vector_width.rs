//! One source, compiled for the vectors of each processor.
//!
//! Results do not depend on the width: no multiplication is fused with an addition, and every number has the same operations in the same order.

/// Work that is compiled for vectors of every width.
pub(crate) trait Task {
    /// Does the work. It is inlined, with all that it calls, into a function that enables the instructions.
    fn run(self);
}

/// Runs a task with the widest vectors of the processor. Without the standard library, which asks the processor, they are those of the build.
#[inline]
pub(crate) fn run_widest(task: impl Task) {
    #[cfg(all(target_arch = "x86_64", feature = "parallel", not(miri)))]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
        fn wider(task: impl Task) {
            task.run();
        }
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn wide(task: impl Task) {
            task.run();
        }
        macro_rules! has {
            ($($feature:tt)*) => { true $(&& std::is_x86_feature_detected!($feature))* };
        }
        if has!("avx2" "bmi1" "bmi2") {
            if has!("avx512f" "avx512bw" "avx512dq" "avx512vl") {
                // SAFETY: the machine has the instructions that the function is compiled for.
                return unsafe { wider(task) };
            }
            // SAFETY: as above.
            return unsafe { wide(task) };
        }
    }
    task.run();
}
