//! Swizzles: layouts' answer to bank conflicts, an exclusive-or of two bit fields of the index.

use crate::error::{Cause, LayoutError, Op, Result};

/// `S<B, M, S>`: `x ^ ((x & Y) >> S)` with `B` bits `Y` at `M + max(S, 0)`; a negative `S` shifts left. An involution on the non-negative integers.
///
/// `M` low bits stay as they are, so vectors of `2^M` elements stay whole.
///
/// ```
/// use layout_algebra::Swizzle;
/// let s = Swizzle::new(3, 4, 3)?;
/// assert_eq!(s.apply(0b101_000_0000), 0b101_101_0000);
/// assert_eq!(s.apply(s.apply(1234)), 1234);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Swizzle {
    bits: u8,
    base: u8,
    shift: i8,
}

impl Swizzle {
    /// `S<bits, base, shift>`: the two fields must not overlap (`|shift| >= bits`) and must lie below bit 62.
    pub const fn new(bits: i64, base: i64, shift: i64) -> Result<Self> {
        let size = shift.unsigned_abs();
        let fits = bits >= 0 && base >= 0 && bits <= 62 && base <= 62 && size <= 62 && bits + base + size as i64 <= 62;
        if !fits || (bits > 0 && size < bits as u64) {
            let cause = Cause::SwizzleRange;
            return Err(LayoutError::triple(Op::Swizzle, cause, bits, base, shift));
        }
        Ok(Swizzle { bits: bits as u8, base: base as u8, shift: shift as i8 })
    }

    /// `(B, M, S)`.
    pub const fn parameters(self) -> (u32, u32, i32) {
        (self.bits as u32, self.base as u32, self.shift as i32)
    }

    /// The swizzle of groups of `2^bits` neighbours, if it keeps these whole: `S(2^bits y + r) = 2^bits S'(y) + r`.
    pub const fn of_groups(self, bits: u32) -> Option<Self> {
        if bits > self.base as u32 { None } else { Some(Swizzle { base: self.base - bits as u8, ..self }) }
    }

    /// The mask of the bits that are read: `Y`.
    pub const fn source(self) -> i64 {
        let up = if self.shift > 0 { self.shift as u32 } else { 0 };
        ((1i64 << self.bits) - 1) << (self.base as u32 + up)
    }

    /// The mask of the bits that change: `Z`.
    pub const fn target(self) -> i64 {
        let up = if self.shift < 0 { self.shift.unsigned_abs() as u32 } else { 0 };
        ((1i64 << self.bits) - 1) << (self.base as u32 + up)
    }

    /// The bits below which it reads and changes all that it does: an index keeps those above.
    pub const fn width(self) -> u32 {
        u64::BITS - ((self.source() | self.target()) as u64).leading_zeros()
    }

    /// `S(x)`.
    #[inline(always)]
    pub const fn apply(self, x: i64) -> i64 {
        let field = x & self.source();
        x ^ (if self.shift >= 0 { field >> self.shift } else { field << -self.shift })
    }

    /// `S(x)` for a run-time index.
    #[inline(always)]
    pub const fn apply_index(self, x: usize) -> usize {
        let field = x & self.source() as usize;
        x ^ (if self.shift >= 0 { field >> self.shift } else { field << -self.shift })
    }

    /// Returns true where it changes nothing.
    pub const fn is_identity(self) -> bool {
        self.bits == 0
    }

    /// The swizzle of groups of `2^log2` elements (or, negative, of parts of an element): `M` moves down by it.
    /// Fails where the base is below it.
    pub const fn upcast(self, log2: i64) -> Result<Self> {
        Swizzle::new(self.bits as i64, (self.base as i64).saturating_sub(log2), self.shift as i64)
    }
}

impl core::fmt::Display for Swizzle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "S<{},{},{}>", self.bits, self.base, self.shift)
    }
}
