//! The model of shared memory: the width of a request here, the bytes of a warp's access in `lanes`, the banks in `serve`.
//! Reports and searches that use the model are in `memory`.

mod lanes;
mod serve;

pub use lanes::{Lanes, MAX_LANES};
pub use serve::{Banks, Served};

/// The width of one request of a thread.
///
/// ```
/// use layout_algebra::memory::{Access, Lanes};
/// let (half, four) = (Access::element(16), Access::vector(32, 4));
/// assert_eq!((half.element_bits, half.vector, four.vector), (16, 1, 4));
/// assert_eq!((Lanes::new(half)?.bytes(), Lanes::new(four)?.bytes()), (2, 16));
/// assert!(Lanes::new(Access::vector(32, 3)).is_err());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The number of bits of an element.
    pub element_bits: u32,
    /// The number of elements of one instruction, consecutive in memory and aligned as a whole.
    pub vector: u32,
}

impl Access {
    /// Returns an access to one element of `bits` bits.
    pub const fn element(bits: u32) -> Access {
        Access { element_bits: bits, vector: 1 }
    }

    /// Returns an access to `vector` elements of `bits` bits.
    pub const fn vector(bits: u32, vector: u32) -> Access {
        Access { element_bits: bits, vector }
    }
}
