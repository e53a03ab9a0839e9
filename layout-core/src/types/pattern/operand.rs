//! Types as operands of the algebra: integers, nested tuples of integers, and layouts.

pub use super::descriptor::Descriptor;
pub use super::pattern::Slots;
use crate::types::number::{Dyn, Int, Keep, Neg, Signed, StaticInt, Xor, place};
use crate::types::unroll::unroll;
use core::num::NonZeroUsize;
pub(crate) use layout_algebra::fast_div::div_rem;
use layout_algebra::value::Facts;

pub use layout_algebra::value::MAX_LEAVES;

place! {
    /// The position `At` of a leaf of the tuple `X` within mode `MODE`; 0 if it is before the mode, where the compiler evaluates it, too.
    pub Within<At: StaticInt, X: AsOperand, const MODE: usize>, (At::VALUE as usize).saturating_sub(X::DESCRIPTOR.inputs_before(MODE));
}

/// A type that is an operand of the algebra: the type has its form, and the value has its run-time leaves.
///
/// Implemented for static integers, `usize`, `NonZeroUsize`, [`Dyn`], [`Signed`], [`Keep`], layouts, and tuples of these.
///
/// ```
/// use layout_core::{Int, LayoutAlgebra, LayoutError, TypedLayout, make_layout};
/// use layout_core::layouts::{AsOperand, Descriptor};
/// /// Returns the number of tiles, for any tiler: a shape, a layout, or a tuple of these.
/// fn count<L: TypedLayout, T: AsOperand>(layout: L, tile: T) -> Result<i64, LayoutError> {
///     Ok(layout.try_zipped_divide(tile)?.to_dyn::<16>()?.mode(1)?.size())
/// }
/// let a = make_layout((32, 6), (Int::<1>, 32));
/// assert_eq!((count(a, (Int::<8>, Int::<3>))?, count(a, (make_layout(Int::<4>, Int::<2>),))?), (8, 8 * 6));
///
/// // The type has the static integers, and `gather` writes the others.
/// let mut leaves = [0; 4];
/// assert_eq!((a.gather(&mut leaves, 0), leaves), (3, [32, 6, 32, 0]));
/// assert!(matches!(<(Int<8>, usize)>::DESCRIPTOR, Descriptor::Tuple([Descriptor::Known(8), Descriptor::Input(_)])));
/// # Ok::<(), LayoutError>(())
/// ```
///
/// # Safety
///
/// Tensors rely on operands when they index memory. `Clone` copies. Every call of `gather` on a value or its copies writes the same
/// numbers, one for each input of `DESCRIPTOR`, and returns the position behind them; `input` reads one of them. These numbers keep the
/// facts of `DESCRIPTOR`, as the types [`Dyn`] and `NonZeroUsize` ensure. The sign alone is not promised: the algebra reads a `usize` above
/// `isize::MAX` as a negative number. [`Layout::index_range`](crate::Layout::index_range), which every tensor calls, refuses such numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an operand of the layout algebra",
    label = "operands are layouts, and integers or nested tuples of them: `usize` at run time, `Int::<N>` if static",
    note = "a literal that should be static is `int!(8)` or `Int::<8>`; tuples have at most 16 modes; a whole mode is `Keep`, and a range of coordinates a `window`"
)]
pub unsafe trait AsOperand: Copy {
    /// The type in the form that the algebra reads.
    const DESCRIPTOR: Descriptor;

    /// Writes the run-time leaves to `out` from position `at` on, and returns the position behind them.
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize;

    /// Returns the run-time leaf at position `At`. If nothing folds, one leaf costs less than all of them in an array.
    #[doc(hidden)]
    #[inline(always)]
    fn input<At: StaticInt>(&self) -> usize {
        let mut inputs = [0; MAX_LEAVES];
        self.gather(&mut inputs, 0);
        inputs[At::VALUE as usize]
    }
}

/// A nested tuple of integers: a shape, a stride, a coordinate.
///
/// ```
/// use layout_core::{Int, Layout};
/// use layout_core::layouts::IntTuple;
/// use layout_core::ops::row_major;
/// /// Returns the index, in row-major order, of the element that is number `k` in column-major order.
/// fn transposed<S: IntTuple>(shape: S, mut k: usize) -> usize {
///     row_major(shape).crd2idx(shape.unravel(&mut k, true))
/// }
/// assert_eq!((transposed((Int::<4>, 3), 5), transposed([4, 3], 6)), (3 + 1, 6 + 1));
///
/// // The first integer is the fastest digit. Without `last`, the remaining quotient stays in `index`.
/// let (shape, mut index) = ((Int::<4>, (Int::<2>, 3)), 4 * 6 + 13);
/// assert_eq!((shape.unravel(&mut index, false), index), ((1, (1, 1)), 1));
/// assert_eq!(shape.unravel(&mut (4 * 6 + 13), true), (1, (1, 4)));
/// ```
///
/// # Safety
///
/// Tensors rely on it when they index memory: [`IntTuple::Coord`] has the same nesting, with one run-time integer for each integer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an extent, a stride or a coordinate",
    label = "run-time integers are `usize`, strides that may be negative `Signed(isize)`, static ones `Int::<N>`",
    note = "a literal that should be static is `int!(8)` or `Int::<8>`; tuples have at most 16 modes; a whole mode is `Keep`, and a range of coordinates a `window`"
)]
pub unsafe trait IntTuple: AsOperand {
    /// A coordinate of run-time integers with the same nesting.
    type Coord: Coordinate<Coord = Self::Coord>;

    /// Takes the colexicographic digits of this shape from `index`, and leaves the quotient there. With `last`, the last leaf takes it
    /// whole.
    fn unravel(&self, index: &mut usize, last: bool) -> Self::Coord;

    /// Makes the tuple from the leaves from position `at` on. The caller knows that the type accepts them.
    #[doc(hidden)]
    fn from_leaves(leaves: &[i64], at: &mut usize) -> Self;
}

/// Returns the leaf at position `at`, and advances `at`.
fn next_leaf(leaves: &[i64], at: &mut usize) -> i64 {
    *at += 1;
    leaves[*at - 1]
}

/// Writes integer `k` of a flat tuple to `values`. `next` counts the run-time integers read so far.
#[inline(always)]
fn integer_of(forms: &[Descriptor], inputs: &Slots, values: &mut Slots, next: &mut usize, k: usize) {
    if k < forms.len() {
        values[k] = match forms[k] {
            Descriptor::Known(value) => value as usize,
            _ => {
                *next += 1;
                inputs[*next - 1]
            }
        };
    }
}

/// Returns the descriptor of each mode of a tuple; anything else counts as its only mode.
pub(in crate::types) const fn forms<T: AsOperand>() -> &'static [Descriptor] {
    match T::DESCRIPTOR {
        Descriptor::Tuple(modes) => modes,
        _ => const { &[T::DESCRIPTOR] },
    }
}

/// Returns the number of integers of a flat tuple, and the integers. A single integer counts as one mode.
#[inline(always)]
pub(crate) fn integers<T: IntTuple>(tuple: &T) -> (usize, Slots) {
    let (mut inputs, mut values, mut next) = ([0; MAX_LEAVES], [0; MAX_LEAVES], 0);
    tuple.gather(&mut inputs, 0);
    let modes = const { forms::<T>() };
    unroll!(forms::<T>().len(), integer_of(modes, &inputs, &mut values, &mut next));
    (modes.len(), values)
}

/// A coordinate of run-time integers: `usize`, an array, or nested tuples of these.
///
/// ```
/// use layout_core::{Int, Layout, make_layout};
/// use layout_core::layouts::Coordinate;
/// /// Returns the indices along a diagonal: `count` steps from `first` on.
/// fn diagonal<L: Layout, C: Coordinate>(layout: L, first: C, step: C, count: usize) -> Vec<usize> {
///     (0..count).map(|k| layout.crd2idx(first.plus(step, k))).collect()
/// }
/// let a = make_layout((4, Int::<8>), (Int::<8>, Int::<1>));
/// assert_eq!(diagonal(a, (0, 2), (1, 1), 4), [2, 11, 20, 29]);
/// assert_eq!(diagonal(a, [3, 0], [usize::MAX, 1], 3), [24, 17, 10]); // -1 is a step backwards
/// ```
///
/// # Safety
///
/// Tensors rely on it when they index memory: `from_values` takes exactly the integers that `gather` of its result writes, and
/// moves `at` behind them. `plus` adds integer by integer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a coordinate of run-time integers",
    label = "`usize`, an array of them, or a tuple of these"
)]
pub unsafe trait Coordinate: IntTuple {
    /// Makes the coordinate from the integers from position `at` on, and moves `at` past them.
    #[doc(hidden)]
    fn from_values<const ROOM: usize>(values: &[usize; ROOM], at: &mut usize) -> Self;

    /// Returns `self + count step`, integer by integer, modulo `2^usize::BITS`.
    fn plus(self, step: Self, count: usize) -> Self;
}

// SAFETY: takes and writes one integer.
unsafe impl Coordinate for usize {
    #[inline(always)]
    fn from_values<const ROOM: usize>(values: &[usize; ROOM], at: &mut usize) -> usize {
        *at += 1;
        values[(*at - 1) % ROOM]
    }

    #[inline(always)]
    fn plus(self, step: usize, count: usize) -> usize {
        self.wrapping_add(step.wrapping_mul(count))
    }
}

// SAFETY: takes and writes no integer.
unsafe impl Coordinate for () {
    #[inline(always)]
    fn from_values<const ROOM: usize>(_: &[usize; ROOM], _: &mut usize) {}

    #[inline(always)]
    fn plus(self, _: (), _: usize) {}
}

macro_rules! static_term {
    ($([$($generics:tt)*] $type:ty $(where [$($bound:tt)*])?;)*) => { $(
        // SAFETY: a constant has no run-time leaf.
        unsafe impl<$($generics)*> AsOperand for $type $(where $($bound)*)? {
            const DESCRIPTOR: Descriptor = Descriptor::Known(<$type as StaticInt>::VALUE);
            #[inline(always)]
            fn gather<const ROOM: usize>(&self, _: &mut [usize; ROOM], at: usize) -> usize {
                at
            }
        }
        // SAFETY: one coordinate for one integer.
        unsafe impl<$($generics)*> IntTuple for $type $(where $($bound)*)? {
            type Coord = usize;
            #[inline(always)]
            fn unravel(&self, index: &mut usize, last: bool) -> usize {
                digit(index, <$type as StaticInt>::VALUE as usize, last)
            }
            fn from_leaves(_: &[i64], at: &mut usize) -> Self {
                *at += 1;
                Self::default()
            }
        }
    )* };
}

static_term! {
    [const N: usize] Int<N>;
    [T: StaticInt] Neg<T>;
    [A: StaticInt, B: StaticInt] crate::types::number::Quot<A, B>;
    [A: StaticInt, B: StaticInt] crate::types::number::Prod<A, B>;
    [A: StaticInt, B: StaticInt] crate::types::number::Sum<A, B>;
    [A: StaticInt, B: StaticInt] crate::types::number::CeilDiv<A, B>;
    [A: StaticInt, B: StaticInt] crate::types::number::Min<A, B>;
    [] typenum::UTerm;
    [U: StaticInt, B: typenum::Bit] typenum::UInt<U, B> where [Self: StaticInt];
}

/// Takes one mixed-radix digit from `index` and leaves the quotient; if `last` is true, takes all of it.
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
    ($([$($generics:tt)*] $type:ty, $facts:expr, |$x:ident| $value:expr, |$leaf:ident| $made:expr;)*) => { $(
        // SAFETY: writes one number, whose facts the constructor of its type has checked.
        unsafe impl<$($generics)*> AsOperand for $type {
            const DESCRIPTOR: Descriptor = Descriptor::Input($facts);
            #[inline(always)]
            fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
                let $x = self;
                out[at] = $value;
                at + 1
            }
            #[inline(always)]
            fn input<At: StaticInt>(&self) -> usize {
                let $x = self;
                $value
            }
        }
        // SAFETY: one coordinate for one integer.
        unsafe impl<$($generics)*> IntTuple for $type {
            type Coord = usize;
            #[inline(always)]
            fn unravel(&self, index: &mut usize, last: bool) -> usize {
                let $x = self;
                digit(index, $value, last)
            }
            fn from_leaves(leaves: &[i64], at: &mut usize) -> Self {
                let $leaf = next_leaf(leaves, at);
                $made
            }
        }
    )* };
}

// This impl is written out because the compiler shows it in messages about integers of another type.
// SAFETY: writes one number.
unsafe impl AsOperand for usize {
    const DESCRIPTOR: Descriptor = Descriptor::Input(Facts::NATURAL);
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        out[at] = *self;
        at + 1
    }
    #[inline(always)]
    fn input<At: StaticInt>(&self) -> usize {
        *self
    }
}

// SAFETY: one coordinate for one integer.
unsafe impl IntTuple for usize {
    type Coord = usize;
    #[inline(always)]
    fn unravel(&self, index: &mut usize, last: bool) -> usize {
        digit(index, *self, last)
    }
    fn from_leaves(leaves: &[i64], at: &mut usize) -> usize {
        next_leaf(leaves, at) as usize
    }
}

run_time_term! {
    [] NonZeroUsize, Facts::POSITIVE, |x| x.get(), |leaf| NonZeroUsize::new(leaf as usize).unwrap_or(NonZeroUsize::MIN);
    [] Signed, Facts::ANY, |x| x.0 as usize, |leaf| Signed(leaf as isize);
    [const DIV: usize, const MAX: usize, const MIN: usize] Dyn<DIV, MAX, MIN>,
        Facts { lo: MIN as i64, hi: MAX as i64, div: DIV as i64 }, |x| x.get(), |leaf| Dyn::accepted(leaf as usize);
}

// SAFETY: a constant has no run-time leaf.
unsafe impl<const D: usize> AsOperand for Xor<D> {
    const DESCRIPTOR: Descriptor = Descriptor::Xor(<Int<D> as StaticInt>::VALUE);
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, _: &mut [usize; ROOM], at: usize) -> usize {
        at
    }
}

// SAFETY: one coordinate for one integer.
unsafe impl<const D: usize> IntTuple for Xor<D> {
    type Coord = usize;
    #[inline(always)]
    fn unravel(&self, index: &mut usize, last: bool) -> usize {
        digit(index, D, last)
    }
    fn from_leaves(_: &[i64], at: &mut usize) -> Self {
        *at += 1;
        Xor
    }
}

// SAFETY: it is no integer, and has no run-time leaf.
unsafe impl AsOperand for Keep {
    const DESCRIPTOR: Descriptor = Descriptor::Keep;
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, _: &mut [usize; ROOM], at: usize) -> usize {
        at
    }
}

// SAFETY: one coordinate for one mode.
unsafe impl IntTuple for Keep {
    type Coord = usize;
    #[inline(always)]
    fn unravel(&self, index: &mut usize, _: bool) -> usize {
        core::mem::take(index)
    }
    fn from_leaves(_: &[i64], at: &mut usize) -> Self {
        *at += 1;
        Keep
    }
}

macro_rules! tuple_term {
    ($($name:ident $at:tt),+; $last:ident $end:tt) => {
        // SAFETY: writes the leaves of the modes in order, as the descriptor has them.
        unsafe impl<$($name: AsOperand,)* $last: AsOperand> AsOperand for ($($name,)* $last,) {
            const DESCRIPTOR: Descriptor = Descriptor::Tuple(&[$($name::DESCRIPTOR,)* $last::DESCRIPTOR]);
            #[inline(always)]
            fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
                $(let at = self.$at.gather(out, at);)*
                self.$end.gather(out, at)
            }
            #[inline(always)]
            fn input<At: StaticInt>(&self) -> usize {
                $(if const { Self::DESCRIPTOR.inputs_before($at + 1) > At::VALUE as usize } {
                    return self.$at.input::<Within<At, Self, $at>>();
                })*
                self.$end.input::<Within<At, Self, $end>>()
            }
        }
        // SAFETY: one coordinate for each mode.
        unsafe impl<$($name: IntTuple,)* $last: IntTuple> IntTuple for ($($name,)* $last,) {
            type Coord = ($($name::Coord,)* $last::Coord,);
            #[inline(always)]
            fn unravel(&self, index: &mut usize, last: bool) -> Self::Coord {
                ($(self.$at.unravel(index, false),)* self.$end.unravel(index, last),)
            }
            fn from_leaves(leaves: &[i64], at: &mut usize) -> Self {
                ($($name::from_leaves(leaves, at),)* $last::from_leaves(leaves, at),)
            }
        }
        // SAFETY: takes and writes the integers of the modes in order.
        unsafe impl<$($name: Coordinate,)* $last: Coordinate> Coordinate for ($($name,)* $last,) {
            #[inline(always)]
            fn from_values<const ROOM: usize>(values: &[usize; ROOM], at: &mut usize) -> Self {
                ($($name::from_values(values, at),)* $last::from_values(values, at),)
            }

            #[inline(always)]
            fn plus(self, step: Self, count: usize) -> Self {
                ($(self.$at.plus(step.$at, count),)* self.$end.plus(step.$end, count),)
            }
        }
    };
}

// SAFETY: there are no leaves.
unsafe impl AsOperand for () {
    const DESCRIPTOR: Descriptor = Descriptor::Tuple(&[]);
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, _: &mut [usize; ROOM], at: usize) -> usize {
        at
    }
}

// SAFETY: there are no modes.
unsafe impl IntTuple for () {
    type Coord = ();
    #[inline(always)]
    fn unravel(&self, _: &mut usize, _: bool) {}
    fn from_leaves(_: &[i64], at: &mut usize) {
        // A leaf stands for `()` inside a tuple.
        *at += 1;
    }
}

// SAFETY: writes the leaves of the only mode.
unsafe impl<A: AsOperand> AsOperand for (A,) {
    const DESCRIPTOR: Descriptor = Descriptor::Tuple(&[A::DESCRIPTOR]);
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        self.0.gather(out, at)
    }
    #[inline(always)]
    fn input<At: StaticInt>(&self) -> usize {
        self.0.input::<At>()
    }
}

// SAFETY: one coordinate for the only mode.
unsafe impl<A: IntTuple> IntTuple for (A,) {
    type Coord = (A::Coord,);
    #[inline(always)]
    fn unravel(&self, index: &mut usize, last: bool) -> Self::Coord {
        (self.0.unravel(index, last),)
    }
    fn from_leaves(leaves: &[i64], at: &mut usize) -> Self {
        (A::from_leaves(leaves, at),)
    }
}

// SAFETY: takes and writes the integers of the only mode.
unsafe impl<A: Coordinate> Coordinate for (A,) {
    #[inline(always)]
    fn from_values<const ROOM: usize>(values: &[usize; ROOM], at: &mut usize) -> Self {
        (A::from_values(values, at),)
    }

    #[inline(always)]
    fn plus(self, step: Self, count: usize) -> Self {
        (self.0.plus(step.0, count),)
    }
}

macro_rules! array_term {
    ($(#[$doc:meta] $term:ty, |$x:ident| $number:expr;)*) => { $(
        #[$doc]
        // SAFETY: writes `RANK` numbers, as the descriptor says.
        unsafe impl<const RANK: usize> AsOperand for [$term; RANK] {
            const DESCRIPTOR: Descriptor = Descriptor::Tuple(&[<$term>::DESCRIPTOR; RANK]);
            #[inline(always)]
            fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
                out[at..at + RANK].copy_from_slice(&self.map(|$x| $number));
                at + RANK
            }
            #[inline(always)]
            fn input<At: StaticInt>(&self) -> usize {
                let $x = self[At::VALUE as usize];
                $number
            }
        }

        // SAFETY: one coordinate for each integer.
        unsafe impl<const RANK: usize> IntTuple for [$term; RANK] {
            type Coord = [usize; RANK];
            #[inline(always)]
            fn unravel(&self, index: &mut usize, last: bool) -> [usize; RANK] {
                core::array::from_fn(|k| {
                    let $x = self[k];
                    digit(index, $number, last && k + 1 == RANK)
                })
            }
            fn from_leaves(leaves: &[i64], at: &mut usize) -> Self {
                if RANK == 0 {
                    // An empty array is `()`.
                    next_leaf(leaves, at);
                }
                core::array::from_fn(|_| <$term>::from_leaves(leaves, at))
            }
        }
    )* };
}

array_term! {
    /// `RANK` run-time integers: a coordinate, extents, or strides.
    usize, |x| x;
    /// `RANK` strides that may be negative.
    Signed, |x| x.0 as usize;
}

// SAFETY: takes and writes `RANK` integers.
unsafe impl<const RANK: usize> Coordinate for [usize; RANK] {
    #[inline(always)]
    fn from_values<const ROOM: usize>(values: &[usize; ROOM], at: &mut usize) -> Self {
        let mut out = [0; RANK];
        unroll!(RANK, copied(values, *at, &mut out));
        *at += RANK;
        out
    }

    #[inline(always)]
    fn plus(mut self, step: Self, count: usize) -> Self {
        unroll!(RANK, added(&step, count, &mut self));
        self
    }
}

/// Copies integer `k` of an array from `values`, whose integers begin at position `at`.
#[inline(always)]
fn copied<const ROOM: usize, const RANK: usize>(values: &[usize; ROOM], at: usize, out: &mut [usize; RANK], k: usize) {
    const { assert!(RANK <= MAX_LEAVES) };
    if k < RANK {
        out[k] = values[(at + k) % ROOM];
    }
}

/// Adds `count` steps to integer `k` of an array.
#[inline(always)]
fn added<const RANK: usize>(step: &[usize; RANK], count: usize, out: &mut [usize; RANK], k: usize) {
    const { assert!(RANK <= MAX_LEAVES) };
    if k < RANK {
        out[k] = out[k].plus(step[k], count);
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

/// A check that a coordinate type fits a layout type.
pub trait Fits {
    /// Fails the build if the types do not fit. The methods that users call mention this constant first, so that its message comes first.
    const FITS: () = ();
}

/// `()` refuses nothing before the program runs.
impl Fits for () {}
