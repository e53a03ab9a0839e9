//! Swizzles: an exclusive-or of two bit fields of the index, which avoids bank conflicts.

use crate::error::{Cause, LayoutError, Op, Result};

/// A swizzle `S<B, M, S>`: `x -> x ^ ((x & Y) >> S)`, where `Y` are the `B` bits from bit `M + max(S, 0)` on. A negative `S`
/// shifts left. On non-negative integers it is its own inverse.
///
/// The `M` low bits stay as they are, so vectors of `2^M` elements stay contiguous.
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

/// The bits of a swizzle, and its values.
///
/// ```
/// use layout_algebra::Swizzle;
/// let s = Swizzle::new(3, 4, 3)?;
/// assert_eq!((s.parameters(), s.to_string().as_str()), ((3, 4, 3), "S<3,4,3>"));
/// // Bits 7 to 9 change bits 4 to 6, so the swizzle permutes the indices below 2^10.
/// assert_eq!((s.source(), s.target(), s.width()), (0b111_000_0000, 0b000_111_0000, 10));
/// assert_eq!(s.apply_index(0b101_000_0000), 0b101_101_0000);
/// // Groups of 4 neighbours stay whole, groups of 32 do not.
/// assert_eq!((s.of_groups(2), s.of_groups(5)), (Some(Swizzle::new(3, 2, 3)?), None));
/// // The same bytes, with two halves of each element as elements, and with pairs as elements.
/// assert_eq!((s.upcast(-1)?, s.upcast(1)?), (Swizzle::new(3, 5, 3)?, Swizzle::new(3, 3, 3)?));
/// assert_eq!(s.upcast(5).unwrap_err().to_string(), "swizzle: swizzle <3,-1,3> is outside its range");
/// assert!(Swizzle::new(0, 4, 3)?.is_identity() && Swizzle::new(3, 4, 2).is_err());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
impl Swizzle {
    /// Makes `S<bits, base, shift>`. Fails if the two fields overlap (`|shift| < bits`) or reach above bit 61.
    pub const fn new(bits: i64, base: i64, shift: i64) -> Result<Self> {
        let size = shift.unsigned_abs();
        let fits = bits >= 0 && base >= 0 && bits <= 62 && base <= 62 && size <= 62 && bits + base + size as i64 <= 62;
        if !fits || (bits > 0 && size < bits as u64) {
            let cause = Cause::SwizzleRange;
            return Err(LayoutError::triple(Op::Swizzle, cause, bits, base, shift));
        }
        Ok(Swizzle { bits: bits as u8, base: base as u8, shift: shift as i8 })
    }

    /// Returns the parameters `(B, M, S)`.
    pub const fn parameters(self) -> (u32, u32, i32) {
        (self.bits as u32, self.base as u32, self.shift as i32)
    }

    /// Returns `S'` of groups of `2^bits` neighbours, `S(2^bits y + r) = 2^bits S'(y) + r`; `None` if groups do not stay whole.
    pub const fn of_groups(self, bits: u32) -> Option<Self> {
        if bits > self.base as u32 { None } else { Some(Swizzle { base: self.base - bits as u8, ..self }) }
    }

    /// Returns the mask `Y` of the bits that are read.
    pub const fn source(self) -> i64 {
        let up = if self.shift > 0 { self.shift as u32 } else { 0 };
        ((1i64 << self.bits) - 1) << (self.base as u32 + up)
    }

    /// Returns the mask of the bits that may change.
    pub const fn target(self) -> i64 {
        let up = if self.shift < 0 { self.shift.unsigned_abs() as u32 } else { 0 };
        ((1i64 << self.bits) - 1) << (self.base as u32 + up)
    }

    /// Returns the number of low bits that contain all bits read or changed. The bits above stay as they are.
    pub const fn width(self) -> u32 {
        u64::BITS - ((self.source() | self.target()) as u64).leading_zeros()
    }

    /// Returns `S(x)` for a number `x` that is not negative.
    #[inline(always)]
    pub const fn apply(self, x: i64) -> i64 {
        let field = x & self.source();
        x ^ (if self.shift >= 0 { field >> self.shift } else { field << -self.shift })
    }

    /// Returns `S(x)` for a run-time index.
    #[inline(always)]
    pub const fn apply_index(self, x: usize) -> usize {
        let field = x & self.source() as usize;
        x ^ (if self.shift >= 0 { field >> self.shift } else { field << -self.shift })
    }

    /// Returns true if the swizzle changes no index.
    pub const fn is_identity(self) -> bool {
        self.bits == 0
    }

    /// Returns `S<B, M - log2, S>`, for groups of `2^log2` elements or, if negative, `2^-log2` parts of each. Fails if out of range.
    pub const fn upcast(self, log2: i64) -> Result<Self> {
        Swizzle::new(self.bits as i64, (self.base as i64).saturating_sub(log2), self.shift as i64)
    }
}

impl core::fmt::Display for Swizzle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "S<{},{},{}>", self.bits, self.base, self.shift)
    }
}
