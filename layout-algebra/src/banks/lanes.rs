//! One access of a warp: the bytes that each lane requests.

use super::Access;
use crate::error::{Cause, LayoutError, Op, Result};

/// The maximum number of lanes of a warp.
///
/// ```
/// use layout_algebra::memory::{Banks, MAX_LANES};
/// assert!(Banks::new(32, 4, MAX_LANES as u32).is_ok() && Banks::new(32, 4, MAX_LANES as u32 + 1).is_err());
/// ```
pub const MAX_LANES: usize = 128;

/// The first byte that each lane of a warp requests, counted from a base aligned to every vector. A lane may be inactive.
///
/// ```
/// use layout_algebra::memory::{Access, Banks, Lanes};
/// // Lanes load two floats each, with a distance of 64 floats; lane 1 is inactive.
/// let mut lanes = Lanes::new(Access::vector(32, 2))?;
/// for index in [Some(0), None, Some(128)] {
///     lanes.push(index)?;
/// }
/// assert_eq!((lanes.len(), lanes.is_empty(), lanes.bytes()), (3, false, 8));
/// assert_eq!((lanes.byte(1), lanes.byte(2), lanes.byte(3)), (None, Some(512), None));
/// assert_eq!(Banks::NVIDIA.serve(&lanes).conflicts(), 1);
/// // A vector of two begins at an even index, also from the byte 8 on.
/// assert_eq!(lanes.push(Some(3)).unwrap_err().to_string(), "bank_conflicts: a vector of 2 begins at index 3, where it is not aligned");
/// let mut lanes = Lanes::from_base(Access::vector(32, 2), 8)?;
/// lanes.push(Some(2))?;
/// assert_eq!(lanes.byte(0), Some(16));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    pub(super) len: usize,
    pub(super) active: [bool; MAX_LANES],
    pub(super) first: [i64; MAX_LANES],
    /// The number of bytes that one lane requests.
    pub(super) bytes: i64,
    base: i64,
    access: Access,
}

impl Lanes {
    /// Returns an access without lanes. Fails unless a vector has 8, 16, 32, 64 or 128 bits.
    pub const fn new(access: Access) -> Result<Lanes> {
        Self::from_base(access, 0)
    }

    /// Returns an access without lanes, with element 0 at the byte `base`. Fails as [`Lanes::new`] does.
    pub const fn from_base(access: Access, base: i64) -> Result<Lanes> {
        let bits = access.element_bits as i64 * access.vector as i64;
        if !matches!(bits, 8 | 16 | 32 | 64 | 128) {
            return Err(LayoutError::plain(Op::BankConflicts, Cause::AccessWidth, bits, 0));
        }
        Ok(Lanes { len: 0, active: [false; MAX_LANES], first: [0; MAX_LANES], bytes: bits / 8, base, access })
    }

    /// Adds a lane. It requests the vector that begins at the element `index`; with `None` it is inactive.
    ///
    /// Fails after [`MAX_LANES`] lanes, if the vector is not aligned, and if its address is negative or overflows.
    pub const fn push(&mut self, index: Option<i64>) -> Result<()> {
        if self.len == MAX_LANES {
            return Err(LayoutError::plain(Op::BankConflicts, Cause::TooManyCoordinates, MAX_LANES as i64 + 1, MAX_LANES as i64));
        }
        if let Some(index) = index {
            let bit = match (index.checked_mul(self.access.element_bits as i64), self.base.checked_mul(8)) {
                (Some(bit), Some(base)) => bit.checked_add(base),
                _ => None,
            };
            let Some(bit) = bit else {
                return Err(LayoutError::plain(Op::BankConflicts, Cause::Overflow, index, self.access.element_bits as i64));
            };
            if bit < 0 {
                return Err(LayoutError::plain(Op::BankConflicts, Cause::NegativeAddress, index, 0));
            }
            if bit % (self.bytes * 8) != 0 {
                return Err(LayoutError::plain(Op::BankConflicts, Cause::Misaligned, index, self.access.vector as i64));
            }
            self.first[self.len] = bit / 8;
            self.active[self.len] = true;
        } else {
            self.active[self.len] = false;
        }
        self.len += 1;
        Ok(())
    }

    /// Returns the number of bytes that one lane requests.
    pub const fn bytes(&self) -> i64 {
        self.bytes
    }

    /// Returns the number of lanes, active or not.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are no lanes yet.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the first byte of lane `k`, from 0; `None` if the lane is inactive or does not exist.
    pub const fn byte(&self, k: usize) -> Option<i64> {
        if k < self.len && self.active[k] { Some(self.first[k]) } else { None }
    }
}
