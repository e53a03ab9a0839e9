//! Groups kernels into families. Each family is compiled as one function per instruction set.

use super::vector::Set;
use super::{InstructionSet, KernelCall, KernelKind};

macro_rules! each {
    ($all:ident, $call:ident => $run:expr) => {
        for turn in 0..$all.around.count {
            let $call = $all.at(turn);
            $run
        }
    };
}

impl KernelCall<'_> {
    /// Runs the kernel with the vectors of an instruction set above [`InstructionSet::Scalar`].
    ///
    /// # Safety
    ///
    /// The promises of [`KernelCall`].
    #[inline]
    pub(super) unsafe fn vectors(&self, instructions: InstructionSet) {
        // SAFETY: promised by the caller.
        unsafe {
            match &self.form.kind {
                KernelKind::Transpose if self.form.ahead != 0 => self.of::<FarTiles>(instructions),
                KernelKind::Transpose => self.of::<Tiles>(instructions),
                KernelKind::OffsetTables(_) => self.of::<ListedTiles>(instructions),
                _ => self.of::<Others>(instructions),
            }
        }
    }

    #[inline]
    unsafe fn of<F: Family>(&self, instructions: InstructionSet) {
        // SAFETY: promised by the caller.
        unsafe {
            match instructions {
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                InstructionSet::Avx512 => avx512::<F>(self),
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                InstructionSet::Avx2 => avx2::<F>(self),
                #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon", not(miri)))]
                InstructionSet::Neon => F::run::<super::neon::Neon>(self),
                #[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(miri)))]
                InstructionSet::Simd128 => F::run::<super::simd128::Simd128>(self),
                _ => each!(self, call => call.plain()),
            }
        }
    }
}

/// Kernels that are compiled as one function per instruction set. With all kernels in one function, a change of one kernel
/// changes the speed of others by a tenth.
trait Family {
    /// Runs the kernel of a call with the vectors of `S`.
    ///
    /// # Safety
    ///
    /// The promises of [`KernelCall`]; the shape belongs to this family.
    unsafe fn run<S: Set>(call: &KernelCall);
}

macro_rules! family {
    ($($name:ident: $call:ident => $run:expr;)*) => { $(
        struct $name;

        impl Family for $name {
            #[inline(always)]
            unsafe fn run<S: Set>($call: &KernelCall) {
                // SAFETY: promised by the caller.
                unsafe { $run }
            }
        }
    )* };
}

family! {
    Tiles: all => each!(all, call => call.transposed::<S>(call.strides()));
    FarTiles: all => each!(all, call => call.transposed::<S>(call.far()));
    ListedTiles: all => if let KernelKind::OffsetTables(digits) = &all.form.kind {
        each!(all, call => call.transposed::<S>(digits.places()))
    };
    Others: all => match &all.form.kind {
        KernelKind::Rows => all.rows::<S::Wide>(),
        KernelKind::Fill => each!(all, call => call.fill::<S::Wide>()),
        KernelKind::Reverse => each!(all, call => call.reverse::<S::Wide>()),
        KernelKind::Interleave => each!(all, call => call.interleave::<S::Bytes>()),
        KernelKind::Deinterleave => each!(all, call => call.deinterleave::<S::Bytes>()),
        KernelKind::Every => each!(all, call => call.every::<S::Bytes>()),
        KernelKind::Table(runs) => all.table::<S>(runs),
        KernelKind::Nest | KernelKind::Transpose | KernelKind::OffsetTables(_) => each!(all, call => call.plain()),
    };
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
unsafe fn avx2<F: Family>(call: &KernelCall) {
    // SAFETY: promised by the caller.
    unsafe { F::run::<super::x86::Avx2>(call) }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
unsafe fn avx512<F: Family>(call: &KernelCall) {
    // SAFETY: promised by the caller.
    unsafe { F::run::<super::x86::Avx512>(call) }
}
