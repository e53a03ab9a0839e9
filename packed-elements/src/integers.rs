//! Integers of 1, 2, 4 and 6 bits.

use crate::element::PackedElement;
use crate::error::{PackedError, Result};
use core::fmt;

macro_rules! integers {
    ($($(#[$doc:meta])* $name:ident: $bits:literal bits of $repr:ident, $least:literal to $greatest:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name($repr);

        impl $name {
            /// The least integer of the type.
            pub const MIN: $name = $name($least);
            /// The greatest integer of the type.
            pub const MAX: $name = $name($greatest);

            /// Returns the integer `value` as this type. Fails with [`PackedError::Value`] if it is out of range; nothing wraps.
            #[inline]
            pub const fn new(value: $repr) -> Result<$name> {
                let (number, least, greatest) = (value as i32, $least, $greatest);
                if number < least || number > greatest {
                    return Err(PackedError::Value { value: number, least, greatest });
                }
                Ok($name(value))
            }

            /// Returns the integer.
            #[inline]
            pub const fn get(self) -> $repr {
                self.0
            }
        }

        impl PackedElement for $name {
            const BITS: u32 = $bits;
            #[inline(always)]
            fn from_bits(bits: u16) -> Self {
                // The shifts drop the higher bits, and repeat the sign of a signed integer.
                $name((bits as $repr) << (8 - $bits) >> (8 - $bits))
            }
            #[inline(always)]
            fn to_bits(self) -> u16 {
                self.0 as u8 as u16 & const { (1 << $bits) - 1 }
            }
        }

        impl From<$name> for $repr {
            #[inline(always)]
            fn from(element: $name) -> $repr {
                element.0
            }
        }

        impl TryFrom<$repr> for $name {
            type Error = PackedError;
            #[inline]
            fn try_from(value: $repr) -> Result<$name> {
                $name::new(value)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    )* };
}

integers! {
    /// An integer of 1 bit, 0 or 1.
    ///
    /// ```
    /// use packed_elements::U1;
    /// assert_eq!((U1::MAX.get(), U1::new(2).is_err()), (1, true));
    /// ```
    U1: 1 bits of u8, 0 to 1;
    /// An integer of 2 bits, from 0 to 3.
    ///
    /// ```
    /// use packed_elements::U2;
    /// assert_eq!((U2::MAX.get(), U2::new(4).is_err()), (3, true));
    /// ```
    U2: 2 bits of u8, 0 to 3;
    /// An integer of 4 bits, from 0 to 15: `uint4`.
    ///
    /// ```
    /// use packed_elements::{PackedError, U4};
    /// assert_eq!(U4::new(11)?.get(), 11);
    /// let error = U4::new(16).unwrap_err();
    /// assert_eq!(error.to_string(), "16 is not from 0 to 15");
    /// # Ok::<(), PackedError>(())
    /// ```
    U4: 4 bits of u8, 0 to 15;
    /// An integer of 6 bits, from 0 to 63.
    ///
    /// ```
    /// use packed_elements::U6;
    /// assert_eq!((U6::MAX.get(), U6::new(64).is_err()), (63, true));
    /// ```
    U6: 6 bits of u8, 0 to 63;
    /// An integer of 2 bits in two's complement, from -2 to 1.
    ///
    /// ```
    /// use packed_elements::{I2, PackedElement};
    /// assert_eq!((I2::MIN.get(), I2::MAX.get(), I2::from_bits(3).get()), (-2, 1, -1));
    /// ```
    I2: 2 bits of i8, -2 to 1;
    /// An integer of 4 bits in two's complement, from -8 to 7: `int4`.
    ///
    /// ```
    /// use packed_elements::{I4, PackedElement, PackedError};
    /// assert_eq!((I4::new(-3)?.to_bits(), I4::from_bits(13).get()), (13, -3));
    /// assert_eq!(I4::new(8).unwrap_err().to_string(), "8 is not from -8 to 7");
    /// # Ok::<(), PackedError>(())
    /// ```
    I4: 4 bits of i8, -8 to 7;
    /// An integer of 6 bits in two's complement, from -32 to 31.
    ///
    /// ```
    /// use packed_elements::{I6, PackedElement};
    /// assert_eq!((I6::MIN.get(), I6::MAX.get(), I6::from_bits(63).get()), (-32, 31, -1));
    /// ```
    I6: 6 bits of i8, -32 to 31;
}
