//! The layout of a shape and a stride.

use super::index_table::{IndexTable, Purpose};
use super::int::StaticInt;
use super::operand::{AsOperand, Descriptor, IntTuple, MAX_LEAVES, Slots, Within};
use super::pattern::Pattern;
use super::typed_layout::{TypedLayout, text_and_equality};
use super::unrolled::looped;
use super::xor::XorTable;
use layout_algebra::error::{Cause, LayoutError, Op, Result, refuse};
use layout_algebra::value::Facts;

/// The index of the static coordinate `C` in the static layout `L`, as a type.
///
/// ```
/// use layout_core::{Int, Layout, Strided};
/// use layout_core::layouts::Const;
/// type L = Strided<(Int<3>, Int<4>, Int<5>), (Int<20>, Int<5>, Int<1>)>;
/// type I = Const<L, (Int<1>, Int<2>, Int<3>)>;
/// assert_eq!(I::VALUE, 33);
/// ```
pub struct Const<L, C>(pub(super) core::marker::PhantomData<(L, C)>);

impl<L: TypedLayout, C: IntTuple> Const<L, C> {
    /// The index.
    pub const VALUE: usize = {
        let () = L::VALID;
        // A variable: a temporary would become a constant of its own, which the compiler checks.
        let table = IndexTable::new(Op::Crd2Idx, L::PATTERN, &C::DESCRIPTOR, Purpose::Leaves);
        known_index(&table, L::PATTERN, &C::DESCRIPTOR)
    };
}

/// The index of the modes `coordinate` in the static layout `L`, or at the integer `[i]`, for constants: a table is filled by a loop.
///
/// A coordinate of another number of modes is a compile error, as is a layout with run-time leaves.
///
/// ```
/// use layout_core::{Int, Strided};
/// use layout_core::layouts::const_index;
/// type Taps = Strided<(Int<3>, Int<3>), (Int<4>, Int<1>)>;
/// const BOX: [u8; 12] = {
///     let (mut table, mut k) = ([0; 12], 0);
///     while k < 9 {
///         table[const_index::<Taps, 2>([k / 3, k % 3])] = 1;
///         k += 1;
///     }
///     table
/// };
/// assert_eq!(BOX, [1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0]);
/// ```
#[track_caller]
pub const fn const_index<L: TypedLayout, const N: usize>(coordinate: [usize; N]) -> usize {
    let () = L::VALID;
    let (mut slots, mut k) = ([0; MAX_LEAVES], 0);
    while k < N {
        slots[k] = coordinate[k];
        k += 1;
    }
    exact(const { &Modewise::<L, N>::TABLE }, L::PATTERN, &const { Modewise::<L, N>::FORM }, &slots)
}

/// The coordinate at colexicographic position `k` of a static layout, with an integer for each mode, for constants.
///
/// ```
/// use layout_core::{Int, Strided};
/// use layout_core::layouts::const_coordinate;
/// type Nested = Strided<((Int<2>, Int<4>), Int<3>), ((Int<1>, Int<2>), Int<8>)>;
/// const LAST: [usize; 2] = const_coordinate::<Nested, 2>(23);
/// assert_eq!(LAST, [7, 2]);
/// ```
#[track_caller]
pub const fn const_coordinate<L: TypedLayout, const N: usize>(k: usize) -> [usize; N] {
    let () = L::VALID;
    let l = &L::PATTERN.lay;
    let (mut coordinate, mut rest, mut mode) = ([0; N], k, 0);
    while mode < N {
        let Some(leaves) = l.tree.mode(l.root(), mode) else {
            refuse(LayoutError::plain(Op::Idx2Crd, Cause::RankMismatch, N as i64, l.tree.rank(l.root()) as i64))
        };
        let (mut extent, mut leaf) = (1, leaves.lo);
        while leaf < leaves.hi {
            match l.extent(leaf).value() {
                Some(value) => extent *= value as usize,
                None => refuse(LayoutError::plain(Op::Idx2Crd, Cause::Undecided, 0, 0)),
            }
            leaf += 1;
        }
        (coordinate[mode], rest) = if mode + 1 == N || extent == 0 { (rest, 0) } else { (rest % extent, rest / extent) };
        mode += 1;
    }
    coordinate
}

/// The index where coordinate and layout are static, or a compile error.
#[track_caller]
const fn known_index(table: &IndexTable, pattern: &Pattern, form: &Descriptor) -> usize {
    table.require();
    if table.inputs != 0 {
        refuse(LayoutError::plain(Op::Crd2Idx, Cause::Undecided, 0, 0));
    }
    exact(table, pattern, form, &[0; MAX_LEAVES])
}

/// The index of the coordinates in a static layout, or a compile error where it overflows.
#[track_caller]
const fn exact(table: &IndexTable, pattern: &Pattern, form: &Descriptor, coordinates: &Slots) -> usize {
    if !table.settled {
        refuse(LayoutError::plain(Op::Crd2Idx, Cause::Undecided, 0, 0));
    }
    if table.xor {
        return XorTable::new(Op::Crd2Idx, pattern, form).looped(coordinates, &[0; MAX_LEAVES]);
    }
    let walk = looped(table, coordinates, &[0; MAX_LEAVES]);
    if !walk.exact {
        refuse(LayoutError::plain(Op::Crd2Idx, Cause::Overflow, walk.sum as i64, 0));
    }
    walk.sum
}

/// The table of [`const_index`].
struct Modewise<L, const N: usize>(core::marker::PhantomData<L>);

impl<L: TypedLayout, const N: usize> Modewise<L, N> {
    const FORM: Descriptor = if N == 1 { Descriptor::Input(Facts::NATURAL) } else { <[usize; N]>::DESCRIPTOR };

    const TABLE: IndexTable = {
        let table = IndexTable::new(Op::Crd2Idx, L::PATTERN, &Self::FORM, Purpose::Leaves);
        table.require();
        table
    };
}

impl<L, C> Clone for Const<L, C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L, C> Copy for Const<L, C> {}

/// The layout `shape : stride`.
///
/// Stores the run-time leaves only; a static one is zero-sized.
#[derive(Clone, Copy, Default)]
pub struct Strided<S, D> {
    shape: S,
    stride: D,
}

impl<S: IntTuple, D: IntTuple> Strided<S, D> {
    /// `shape : stride`; a difference in nesting is a compile error.
    #[inline(always)]
    pub const fn new(shape: S, stride: D) -> Self {
        let () = Self::VALID;
        Strided { shape, stride }
    }

    /// `shape : stride` if its size and every index fit `isize`.
    pub fn try_new(shape: S, stride: D) -> Result<Self> {
        let layout = Strided { shape, stride };
        let checked = layout.to_dyn::<MAX_LEAVES>()?;
        if checked.cosize() > isize::MAX as i64 {
            return Err(LayoutError::plain(Op::MakeLayout, Cause::TooLarge, checked.cosize(), 0));
        }
        Ok(layout)
    }

    /// The shape.
    #[inline(always)]
    pub const fn shape(&self) -> S {
        self.shape
    }

    /// The strides.
    #[inline(always)]
    pub const fn stride(&self) -> D {
        self.stride
    }

    /// The coordinate at colexicographic position `index` of the shape; the last leaf takes the whole quotient.
    ///
    /// ```
    /// use layout_core::{Int, make_layout};
    /// let l = make_layout((Int::<2>, (Int::<3>, Int::<4>)), (Int::<1>, (Int::<2>, Int::<6>)));
    /// assert_eq!(l.idx2crd(17), (1, (2, 2)));
    /// ```
    #[inline(always)]
    pub fn idx2crd(&self, index: usize) -> S::Coord {
        let mut index = index;
        self.shape.unravel(&mut index, true)
    }
}

text_and_equality!([S: IntTuple, D: IntTuple] Strided<S, D>);

// SAFETY: `gather` writes the leaves of the shape, then of the strides, as the inputs of the pattern.
unsafe impl<S: IntTuple, D: IntTuple> AsOperand for Strided<S, D> {
    const DESCRIPTOR: Descriptor = Descriptor::Layout(Self::PATTERN);

    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        let at = self.shape.gather(out, at);
        self.stride.gather(out, at)
    }

    #[inline(always)]
    fn input<At: StaticInt>(&self) -> usize {
        if const { (At::VALUE as usize) < S::DESCRIPTOR.inputs() } {
            self.shape.input::<At>()
        } else {
            self.stride.input::<Within<At, (S, D), 1>>()
        }
    }
}

// SAFETY: a pattern over these leaves.
#[diagnostic::do_not_recommend]
unsafe impl<S: IntTuple, D: IntTuple> TypedLayout for Strided<S, D> {
    const PATTERN: &'static Pattern = &Pattern::strided(&S::DESCRIPTOR, &D::DESCRIPTOR);
}
