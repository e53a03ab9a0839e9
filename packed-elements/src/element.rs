//! The trait of elements, and its implementations for types of other crates.

/// A type whose values are patterns of 1, 2, 4, 6, 8 or 16 bits.
///
/// An element of your own takes two functions. This one is a table of four levels, with the codes of Gray as patterns:
///
/// ```
/// use packed_elements::{PackedElement, PackedSliceMut};
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// struct Level(f32);
/// const LEVELS: [f32; 4] = [-1.0, -0.25, 1.0, 0.25];
/// impl PackedElement for Level {
///     const BITS: u32 = 2;
///     fn from_bits(bits: u16) -> Self {
///         Level(LEVELS[usize::from(bits & 3)])
///     }
///     fn to_bits(self) -> u16 {
///         LEVELS.iter().position(|level| *level == self.0).unwrap_or(0) as u16
///     }
/// }
/// let mut bytes = [0];
/// PackedSliceMut::<Level>::new(&mut bytes, 4)?.set(2, Level(1.0));
/// assert_eq!(bytes, [0b10_00_00]);
/// # Ok::<(), packed_elements::PackedError>(())
/// ```
///
/// Any other number of bits is an error of the compiler, at the first use of the type.
pub trait PackedElement: Copy {
    /// The number of bits: 1, 2, 4, 6, 8 or 16.
    const BITS: u32;

    /// Returns the element with the pattern in the lowest [`BITS`](PackedElement::BITS) bits. Higher bits are ignored.
    fn from_bits(bits: u16) -> Self;

    /// Returns the pattern of the element. Views and transfers ignore bits above the lowest [`BITS`](PackedElement::BITS).
    fn to_bits(self) -> u16;
}

/// Returns the pattern of ones of an element. Fails the build if the number of bits is not supported.
pub(crate) const fn mask<E: PackedElement>() -> u16 {
    const { assert!(matches!(E::BITS, 1 | 2 | 4 | 6 | 8 | 16), "packed elements have 1, 2, 4, 6, 8 or 16 bits") };
    u16::MAX >> (16 - E::BITS)
}

/// Returns the number of bytes of `elements` packed elements, `ceil(elements * BITS / 8)`, or `None` if it exceeds `usize`.
///
/// ```
/// use packed_elements::{U4, U6, packed_bytes};
/// assert_eq!((packed_bytes::<U4>(5), packed_bytes::<U6>(4), packed_bytes::<U6>(5)), (Some(3), Some(3), Some(4)));
/// assert_eq!(packed_bytes::<u16>(usize::MAX), None);
/// ```
pub const fn packed_bytes<E: PackedElement>(elements: usize) -> Option<usize> {
    let _ = mask::<E>();
    let bits = E::BITS as usize;
    match (elements / 8).checked_mul(bits) {
        Some(whole) => whole.checked_add((elements % 8 * bits).div_ceil(8)),
        None => None,
    }
}

/// Returns the number of whole elements in `bytes` bytes, at most `usize::MAX`.
pub(crate) const fn capacity<E: PackedElement>(bytes: usize) -> usize {
    let bits = E::BITS as usize;
    (bytes / bits).saturating_mul(8).saturating_add(bytes % bits * 8 / bits)
}

macro_rules! integers {
    ($($type:ty, $unsigned:ty;)*) => { $(
        impl PackedElement for $type {
            const BITS: u32 = <$type>::BITS;
            #[inline(always)]
            fn from_bits(bits: u16) -> Self {
                bits as $type
            }
            #[inline(always)]
            fn to_bits(self) -> u16 {
                self as $unsigned as u16
            }
        }
    )* };
}

integers! {
    u8, u8;
    i8, u8;
    u16, u16;
    i16, u16;
}

#[cfg(any(feature = "half", feature = "float8"))]
macro_rules! floats {
    ($($type:ty, $bits:ty, |$self:ident| $to_bits:expr;)*) => { $(
        impl PackedElement for $type {
            const BITS: u32 = <$bits>::BITS;
            #[inline(always)]
            fn from_bits(bits: u16) -> Self {
                <$type>::from_bits(bits as $bits)
            }
            #[inline(always)]
            fn to_bits($self) -> u16 {
                $to_bits.into()
            }
        }
    )* };
}

#[cfg(feature = "half")]
floats! {
    half::f16, u16, |self| half::f16::to_bits(self);
    half::bf16, u16, |self| half::bf16::to_bits(self);
}
#[cfg(feature = "float8")]
floats! {
    float8::F8E4M3, u8, |self| float8::F8E4M3::to_bits(&self);
    float8::F8E5M2, u8, |self| float8::F8E5M2::to_bits(&self);
}
