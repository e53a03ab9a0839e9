//! The two functions of every pair give the same results. There is one test for each pair, under its name.

mod graphs;
mod groups;
mod kernels;
mod levels;
mod neighbours;
mod several;
mod stored;
mod tensors;
mod values;
mod walks;

use layout_core::Dyn;
use std::num::NonZeroUsize;
use std::ptr::NonNull;

/// The number of inputs for each pair.
const ROUNDS: usize = 300;

/// The generator xorshift64*: every run has the same inputs.
struct Inputs(u64);

impl Inputs {
    fn new() -> Self {
        Inputs(0x9E37_79B9_7F4A_7C15)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }

    /// Returns a number for a coordinate, an extent or a stride. It is often 0 or 1, where code that divides goes wrong.
    fn any(&mut self) -> usize {
        let bound = [2, 10, 100, 5000][self.below(4)];
        self.below(bound)
    }

    fn some(&mut self) -> NonZeroUsize {
        NonZeroUsize::MIN.saturating_add(self.any())
    }

    fn times<const DIV: usize>(&mut self) -> Dyn<DIV> {
        let x = self.any() * DIV;
        Dyn::new(x).expect("a multiple")
    }

    fn signed(&mut self) -> isize {
        self.any() as isize - 50
    }
}

/// Returns the pointer to the first element of `data`.
fn place(data: &[f32]) -> NonNull<f32> {
    NonNull::from(data).cast()
}

/// Returns the pointer to the first element of `data`, for writes.
fn place_mut(data: &mut [f32]) -> NonNull<f32> {
    NonNull::from(data).cast()
}

/// An argument of a layout function, converted for its twin.
trait Plain: Copy {
    type Plain;
    fn plain(self) -> Self::Plain;
}

impl<const DIV: usize> Plain for Dyn<DIV> {
    type Plain = usize;
    fn plain(self) -> usize {
        self.get()
    }
}

macro_rules! plain_already {
    ($($type:ty)*) => { $(
        impl Plain for $type {
            type Plain = $type;
            fn plain(self) -> $type {
                self
            }
        }
    )* };
}

plain_already!(usize isize NonZeroUsize);
