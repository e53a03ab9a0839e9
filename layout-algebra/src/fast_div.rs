//! Division by a number that stays the same for many dividends: one wide multiplication, one addition, two shifts.

use core::num::NonZero;

// With N bits, s = floor(log2 d), P = 2^(N+s) and r = P mod d, the quotient of every n < 2^N is floor((n * magic + bias) / P):
// * d - r <= 2^s: magic = (P + d - r) / d, bias = 0 exceeds n / d by n * (d - r) / (d * P) < 1 / d;
// * r <= 2^s, r > 0: magic = bias = (P - r) / d gives (n + 1) / d less (n + 1) * r / (d * P), which is in (0, 1 / d];
// * r = 0, so d = 2^s: magic = bias = 2^N - 1 gives (n + 1) / d less (n + 1) / P, which is in (0, 1 / d].
// The sum of r and d - r is d < 2^(s+1), so one of the first two cases holds. magic < 2^N since d < 2^N.

macro_rules! fast_div {
    ($name:ident, $word:ident, $wide:ident, $doc:expr) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub struct $name {
            divisor: $word,
            magic: $word,
            bias: $word,
            shift: u32,
        }

        /// The division, and its numbers, with which code on a device divides by the same formula.
        ///
        #[doc = concat!("```
use layout_algebra::", stringify!($name), ";
let by = ", stringify!($name), "::total(10);
assert_eq!((by.divisor(), by.quotient(47), by.remainder(47)), (10, 4, 7));
let sum = 47 * by.magic() as u128 + by.bias() as u128;
assert_eq!((sum >> ", stringify!($word), "::BITS) as ", stringify!($word), " >> by.shift(), 4);
```")]
        impl $name {
            /// Prepares the division by `divisor`.
            pub const fn new(divisor: NonZero<$word>) -> Self {
                Self::total(divisor.get())
            }

            /// Prepares the division by `divisor`. Division by 0 has the quotient 0 and the remainder `n`.
            pub const fn total(divisor: $word) -> Self {
                if divisor == 0 {
                    return Self { divisor, magic: 0, bias: 0, shift: 0 };
                }
                let shift = divisor.ilog2();
                let power = (1 as $wide) << ($word::BITS + shift);
                let (down, rest) = ((power / divisor as $wide) as $word, (power % divisor as $wide) as $word);
                let (magic, bias) = if rest == 0 {
                    ($word::MAX, $word::MAX)
                } else if divisor - rest <= 1 << shift {
                    (down + 1, 0)
                } else {
                    (down, down)
                };
                Self { divisor, magic, bias, shift }
            }

            /// Returns `n / divisor`, rounded down, or 0 if the divisor is 0.
            #[inline]
            pub const fn quotient(self, n: $word) -> $word {
                ((n as $wide * self.magic as $wide + self.bias as $wide) >> $word::BITS) as $word >> self.shift
            }

            /// Returns `n` modulo `divisor`, or `n` if the divisor is 0.
            #[inline]
            pub const fn remainder(self, n: $word) -> $word {
                n - self.quotient(n) * self.divisor
            }

            /// Returns the quotient and the remainder of `n`, as `quotient` and `remainder` do.
            #[inline]
            pub const fn div_rem(self, n: $word) -> ($word, $word) {
                let quotient = self.quotient(n);
                (quotient, n - quotient * self.divisor)
            }

            /// Returns the divisor.
            #[inline]
            pub const fn divisor(self) -> $word {
                self.divisor
            }

            /// Returns the factor by which a dividend is multiplied.
            pub const fn magic(self) -> $word {
                self.magic
            }

            /// Returns the number added to the product: 0 or [`magic`](Self::magic).
            pub const fn bias(self) -> $word {
                self.bias
            }

            /// Returns the right shift, in bits, of the high half of the sum.
            pub const fn shift(self) -> u32 {
                self.shift
            }
        }
    };
}

fast_div!(
    FastDiv32,
    u32,
    u64,
    "Division of any `u32` by a fixed one: `(n * magic + bias) >> 32 >> shift`, without a branch.

```
use layout_algebra::FastDiv32;
let by = FastDiv32::new(7.try_into()?);
assert_eq!(by.div_rem(u32::MAX), (u32::MAX / 7, u32::MAX % 7));
assert_eq!(FastDiv32::total(0).div_rem(5), (0, 5));
# Ok::<(), core::num::TryFromIntError>(())
```"
);

fast_div!(
    FastDiv64,
    u64,
    u128,
    "Division of any `u64` by a fixed one: `(n * magic + bias) >> 64 >> shift`, without a branch.

```
use layout_algebra::FastDiv64;
let by = FastDiv64::new(7.try_into()?);
assert_eq!(by.div_rem(u64::MAX), (u64::MAX / 7, u64::MAX % 7));
# Ok::<(), core::num::TryFromIntError>(())
```"
);

#[cfg(not(target_pointer_width = "64"))]
use u64 as Wide;
#[cfg(target_pointer_width = "64")]
use u128 as Wide;

fast_div!(
    FastDiv,
    usize,
    Wide,
    "Division of any `usize` by a fixed one, without a branch.

```
use layout_algebra::FastDiv;
let by = FastDiv::new(7.try_into()?);
assert_eq!(by.div_rem(usize::MAX), (usize::MAX / 7, usize::MAX % 7));
# Ok::<(), core::num::TryFromIntError>(())
```"
);

/// Returns `(x / d, x % d)`, and `(0, x)` if `d` is 0. If `d` is known not to be 0, no branch remains.
///
/// ```
/// use layout_algebra::fast_div::div_rem;
/// assert_eq!((div_rem(17, 5), div_rem(17, 0)), ((3, 2), (0, 17)));
/// ```
#[inline(always)]
#[allow(clippy::manual_checked_ops, reason = "options fold later than branches")]
pub const fn div_rem(x: usize, d: usize) -> (usize, usize) {
    if d == 0 { (0, x) } else { (x / d, x % d) }
}

#[cfg(test)]
mod tests;
