//! What types can say to the algebra: integers, nested tuples of them, layouts.

use super::int::{Dyn, Int, Keep, Neg, Signed, StaticInt};
use super::pattern::Pattern;
pub(crate) use crate::fast_div::div_rem;
use crate::value::Facts;
use core::num::NonZeroUsize;

pub use crate::value::MAX_LEAVES;

/// Values of the run-time leaves, or of the nodes over them, in order: at most [`MAX_LEAVES`].
pub type Slots = [usize];

/// A type as the algebra reads it.
#[derive(Clone, Copy)]
pub enum Descriptor {
    /// A static integer.
    Known(i64),
    /// A run-time integer with facts.
    Input(Facts),
    /// `_`.
    Keep,
    /// A tuple.
    Tuple(&'static [Descriptor]),
    /// A layout.
    Layout(&'static Pattern),
}

impl Descriptor {
    /// Number of run-time integers of a tuple.
    pub(super) const fn inputs(&self) -> usize {
        match self {
            Descriptor::Input(_) => 1,
            Descriptor::Tuple(modes) => {
                let (mut inputs, mut k) = (0, 0);
                while k < modes.len() {
                    inputs += modes[k].inputs();
                    k += 1;
                }
                inputs
            }
            _ => 0,
        }
    }
}

/// An operand of the algebra as a type: its form is constant, its run-time leaves are in the value.
///
/// Implemented for static integers, `usize`, `NonZeroUsize`, [`Dyn`], [`Signed`], [`Keep`], layouts, and tuples of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an operand of the layout algebra",
    label = "operands are layouts, and integers or nested tuples of them: `usize` at run time, `Int::<N>` if static",
    note = "a literal that should be static is `int!(8)` or `Int::<8>`; tuples have at most 16 modes"
)]
pub trait AsOperand: Copy {
    /// What the algebra sees.
    const DESCRIPTOR: Descriptor;

    /// Writes the run-time leaves to `out` from `at` on; returns the next place.
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize;
}

/// A nested tuple of integers: a shape, a stride, a coordinate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an extent, a stride or a coordinate",
    label = "run-time integers are `usize`, strides that may be negative `Signed(isize)`, static ones `Int::<N>`",
    note = "a literal that should be static is `int!(8)` or `Int::<8>`; tuples have at most 16 modes"
)]
pub trait IntTuple: AsOperand {
    /// The same nesting with run-time integers.
    type Coord: IntTuple;

    /// Takes the colexicographic digits of this shape from `index`, leaving the quotient; with `last`, the last leaf takes all of it.
    fn unravel(&self, index: &mut usize, last: bool) -> Self::Coord;
}

macro_rules! static_term {
    ($([$($generics:tt)*] $type:ty $(where [$($bound:tt)*])?;)*) => { $(
        impl<$($generics)*> AsOperand for $type $(where $($bound)*)? {
            const DESCRIPTOR: Descriptor = Descriptor::Known(<$type as StaticInt>::VALUE);
            #[inline(always)]
            fn gather<const ROOM: usize>(&self, _: &mut [usize; ROOM], at: usize) -> usize {
                at
            }
        }
        impl<$($generics)*> IntTuple for $type $(where $($bound)*)? {
            type Coord = usize;
            #[inline(always)]
            fn unravel(&self, index: &mut usize, last: bool) -> usize {
                digit(index, <$type as StaticInt>::VALUE as usize, last)
            }
        }
    )* };
}

static_term! {
    [const N: usize] Int<N>;
    [T: StaticInt] Neg<T>;
    [A: StaticInt, B: StaticInt] super::int::Quot<A, B>;
    [A: StaticInt, B: StaticInt] super::int::Prod<A, B>;
    [A: StaticInt, B: StaticInt] super::int::Sum<A, B>;
    [A: StaticInt, B: StaticInt] super::int::CeilDiv<A, B>;
    [A: StaticInt, B: StaticInt] super::int::Min<A, B>;
    [] typenum::UTerm;
    [U: typenum::Unsigned, B: typenum::Bit] typenum::UInt<U, B> where [Self: StaticInt];
}

/// One mixed-radix digit.
#[inline(always)]
fn digit(index: &mut usize, extent: usize, last: bool) -> usize {
    if last {
        return core::mem::take(index);
    }
    let (quotient, digit) = div_rem(*index, extent);
    *index = quotient;
    digit
}

macro_rules! run_time_term {
    ($([$($generics:tt)*] $type:ty, $facts:expr, |$x:ident| $value:expr;)*) => { $(
        impl<$($generics)*> AsOperand for $type {
            const DESCRIPTOR: Descriptor = Descriptor::Input($facts);
            #[inline(always)]
            fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
                let $x = self;
                out[at] = $value;
                at + 1
            }
        }
        impl<$($generics)*> IntTuple for $type {
            type Coord = usize;
            #[inline(always)]
            fn unravel(&self, index: &mut usize, last: bool) -> usize {
                let $x = self;
                digit(index, $value, last)
            }
        }
    )* };
}

// Written out, as it is the impl that the compiler shows where the integer has another type.
impl AsOperand for usize {
    const DESCRIPTOR: Descriptor = Descriptor::Input(Facts::NATURAL);
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        out[at] = *self;
        at + 1
    }
}

impl IntTuple for usize {
    type Coord = usize;
    #[inline(always)]
    fn unravel(&self, index: &mut usize, last: bool) -> usize {
        digit(index, *self, last)
    }
}

run_time_term! {
    [] NonZeroUsize, Facts::POSITIVE, |x| x.get();
    [] Signed, Facts::ANY, |x| x.0 as usize;
    [const DIV: usize, const MAX: usize, const MIN: usize] Dyn<DIV, MAX, MIN>,
        Facts { lo: MIN as i64, hi: MAX as i64, div: DIV as i64 }, |x| x.get();
}

impl AsOperand for Keep {
    const DESCRIPTOR: Descriptor = Descriptor::Keep;
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, _: &mut [usize; ROOM], at: usize) -> usize {
        at
    }
}

impl IntTuple for Keep {
    type Coord = usize;
    #[inline(always)]
    fn unravel(&self, index: &mut usize, _: bool) -> usize {
        core::mem::take(index)
    }
}

macro_rules! tuple_term {
    ($($name:ident $at:tt),+; $last:ident $end:tt) => {
        impl<$($name: AsOperand,)* $last: AsOperand> AsOperand for ($($name,)* $last,) {
            const DESCRIPTOR: Descriptor = Descriptor::Tuple(&[$($name::DESCRIPTOR,)* $last::DESCRIPTOR]);
            #[inline(always)]
            fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
                $(let at = self.$at.gather(out, at);)*
                self.$end.gather(out, at)
            }
        }
        impl<$($name: IntTuple,)* $last: IntTuple> IntTuple for ($($name,)* $last,) {
            type Coord = ($($name::Coord,)* $last::Coord,);
            #[inline(always)]
            fn unravel(&self, index: &mut usize, last: bool) -> Self::Coord {
                ($(self.$at.unravel(index, false),)* self.$end.unravel(index, last),)
            }
        }
    };
}

impl AsOperand for () {
    const DESCRIPTOR: Descriptor = Descriptor::Tuple(&[]);
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, _: &mut [usize; ROOM], at: usize) -> usize {
        at
    }
}

impl IntTuple for () {
    type Coord = ();
    #[inline(always)]
    fn unravel(&self, _: &mut usize, _: bool) {}
}

impl<A: AsOperand> AsOperand for (A,) {
    const DESCRIPTOR: Descriptor = Descriptor::Tuple(&[A::DESCRIPTOR]);
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        self.0.gather(out, at)
    }
}

impl<A: IntTuple> IntTuple for (A,) {
    type Coord = (A::Coord,);
    #[inline(always)]
    fn unravel(&self, index: &mut usize, last: bool) -> Self::Coord {
        (self.0.unravel(index, last),)
    }
}

tuple_term!(A 0; B 1);
tuple_term!(A 0, B 1; C 2);
tuple_term!(A 0, B 1, C 2; D 3);
tuple_term!(A 0, B 1, C 2, D 3; E 4);
tuple_term!(A 0, B 1, C 2, D 3, E 4; F 5);
tuple_term!(A 0, B 1, C 2, D 3, E 4, F 5; G 6);
tuple_term!(A 0, B 1, C 2, D 3, E 4, F 5, G 6; H 7);
tuple_term!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7; I 8);
tuple_term!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8; J 9);
tuple_term!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9; K 10);
tuple_term!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10; L 11);
tuple_term!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11; M 12);
tuple_term!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12; N 13);
tuple_term!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13; O 14);
tuple_term!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14; P 15);
