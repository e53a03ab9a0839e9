//! Banks of shared memory: how one access of a warp is served.

mod lanes;
mod serve;

pub use lanes::{Lanes, MAX_LANES};
pub use serve::{Banks, Served};

/// What a thread asks for at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Bits of an element.
    pub element_bits: u32,
    /// Elements of one instruction, consecutive in memory and aligned together.
    pub vector: u32,
}

impl Access {
    /// One element of `bits` bits.
    pub const fn element(bits: u32) -> Access {
        Access { element_bits: bits, vector: 1 }
    }

    /// `vector` elements of `bits` bits.
    pub const fn vector(bits: u32, vector: u32) -> Access {
        Access { element_bits: bits, vector }
    }
}
