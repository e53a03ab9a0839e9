//! Linear maps of bits as types, and layouts with XOR strides: `c -> M(L(c))`.
//!
//! A bit map after an affine layout of powers of two is a layout with XOR strides, computed in a constant. Its index is shifts and
//! exclusive-ors of the coordinates, without the index of `L`. Index bits above the map stay as they are, so run-time leaves whose
//! strides are known multiples are summed. Otherwise the map is applied to the index of `L`, diagonal by diagonal.

use super::composed::{Composed, IndexMap, StaticSwizzle};
use super::layout::Layout;
use crate::types::index::evaluate::{self, Tabled, by_class};
#[cfg(not(unoptimized))]
use crate::types::index::index_table::class;
use crate::types::index::index_table::{IndexTable, Purpose};
use crate::types::number::Int;
use crate::types::pattern::operand::{Fits, IntTuple, MAX_LEAVES};
use crate::types::pattern::pattern::Pattern;
use crate::types::unroll::unroll;
use core::marker::PhantomData;
use core::ops::Range;
use layout_algebra::bits::{BitMatrix, MAX_BITS};
use layout_algebra::error::{Op, Result};

/// A linear map of bits as a type.
///
/// ```
/// use layout_core::{Int, Layout};
/// use layout_core::algebra::{bits::BitMatrix, memory::{Access, swizzle_for}};
/// use layout_core::layouts::{BitMap, Bits};
/// use layout_core::ops::col_major;
/// // A map of a tile whose rows and columns have no bank conflicts, found at compile time.
/// #[derive(Clone, Copy)]
/// struct Tile;
/// impl BitMap for Tile {
///     const MATRIX: BitMatrix = swizzle_for("(32,32)", &[("32:32", Access::element(32)), ("32:1", Access::element(32))]).matrix;
/// }
/// let tile = Bits::<Tile>::NEW.composition(col_major((Int::<32>, Int::<32>)));
/// let bank = |row: usize, column: usize| tile.crd2idx((row, column)) % 32;
/// assert!((1..32).all(|k| bank(k, 0) != bank(0, 0) && bank(0, k) != bank(0, 0)));
/// ```
pub trait BitMap: Copy {
    /// The matrix of the map.
    const MATRIX: BitMatrix;
}

impl<const B: u8, const M: u8, const S: i8> BitMap for StaticSwizzle<B, M, S> {
    const MATRIX: BitMatrix = {
        match BitMatrix::swizzle(Self::SWIZZLE, Self::SWIZZLE.width()) {
            Some(matrix) => matrix,
            None => panic!("a swizzle has at most 62 bits"),
        }
    };
}

/// The function of indices that maps the low bits by `M` and leaves the bits above unchanged.
///
/// ```
/// use layout_core::{Int, Layout, make_layout};
/// use layout_core::algebra::bits::BitMatrix;
/// use layout_core::layouts::{BitMap, Bits, IndexMap};
/// /// The order of bit reversal of three bits, as an FFT of 8 points reads its input.
/// #[derive(Clone, Copy)]
/// struct Reversal;
/// impl BitMap for Reversal {
///     const MATRIX: BitMatrix = BitMatrix::from_columns(&[4, 2, 1], 3).unwrap();
/// }
/// let points = Bits::<Reversal>::NEW.composition(make_layout((Int::<8>, 10), (Int::<1>, Int::<8>)));
/// assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|k| points.crd2idx((k, 0))), [0, 4, 2, 6, 1, 5, 3, 7]);
/// assert_eq!((points.crd2idx((3, 9)), points.inner().map(8 * 9 + 6)), (72 + 6, 72 + 3));
/// ```
#[derive(Clone, Copy)]
pub struct Bits<M>(PhantomData<M>);

/// `M o 0 o L`: a layout with XOR strides.
///
/// ```
/// use layout_core::{Int, Layout, Strided};
/// use layout_core::layouts::{StaticSwizzle, Xored};
/// // The type of a field. A swizzle is a map of bits, too.
/// struct Tile {
///     rows: Xored<StaticSwizzle<2, 0, 2>, Strided<(Int<4>, Int<4>), (Int<4>, Int<1>)>>,
/// }
/// let tile = Tile { rows: Default::default() };
/// assert_eq!([0, 1, 2, 3].map(|i| tile.rows.crd2idx((i, 1))), [1, 4, 11, 14]);
/// ```
pub type Xored<M, L> = Composed<Bits<M>, Int<0>, L>;

impl<M> Default for Bits<M> {
    fn default() -> Self {
        Bits(PhantomData)
    }
}

/// A map of bits as masked shifts: one for each diagonal of its matrix.
struct Diagonals {
    len: usize,
    mask: [usize; 2 * MAX_BITS],
    /// The number of bits to shift left; negative shifts right.
    shift: [i8; 2 * MAX_BITS],
    /// The mask of the bits that do not move.
    still: usize,
}

impl Diagonals {
    const fn of(matrix: &BitMatrix) -> Diagonals {
        let bits = width(matrix);
        let mut out = Diagonals { len: 0, mask: [0; 2 * MAX_BITS], shift: [0; 2 * MAX_BITS], still: !0 << bits };
        let mut shift = -(bits as i32);
        while shift <= bits as i32 {
            let mut mask = 0;
            each!(k, 0..matrix.inputs() as usize, {
                let to = k as i32 + shift;
                if to >= 0 && to < bits as i32 && matrix.column(k) >> to & 1 == 1 {
                    mask |= 1 << k;
                }
            });
            if shift == 0 {
                out.still |= mask;
            } else if mask != 0 {
                out.mask[out.len] = mask;
                out.shift[out.len] = shift as i8;
                out.len += 1;
            }
            shift += 1;
        }
        out
    }
}

/// Returns the number of low bits that a map reads or writes.
const fn width(matrix: &BitMatrix) -> u32 {
    assert!(matrix.width() < usize::BITS - 1, "a map of bits has fewer bits than an index");
    matrix.width()
}

impl<M: BitMap> Bits<M> {
    /// The only value of the type.
    pub const NEW: Self = Bits(PhantomData);

    const DIAGONALS: &'static Diagonals = &Diagonals::of(&M::MATRIX);

    /// Returns `self o 0 o outer`.
    #[inline(always)]
    pub const fn composition<L: Layout>(self, outer: L) -> Xored<M, L> {
        Composed::new(self, Int, outer)
    }
}

#[inline(always)]
fn diagonal(map: &Diagonals, x: usize, mixed: &mut usize, k: usize) {
    if k < map.len {
        let field = x & map.mask[k];
        *mixed ^= if map.shift[k] >= 0 { field << map.shift[k] } else { field >> -map.shift[k] };
    }
}

/// Applies every diagonal, in `CLASS` unrolled steps.
#[inline(always)]
fn diagonals<const CLASS: usize>(map: &Diagonals, x: usize, mixed: &mut usize) {
    unroll!(CLASS, diagonal(map, x, mixed));
}

// SAFETY: the bits of a `BitMatrix` are below its outputs, as its constructors check, so indices stay in blocks of `width` bits. An
// invertible matrix keeps indices distinct. `index` is the composition of the algebra, whose laws are tested by enumeration.
unsafe impl<M: BitMap> IndexMap for Bits<M> {
    const BLOCK: Option<usize> = Some(1 << width(&M::MATRIX));
    const INJECTIVE: bool = M::MATRIX.is_invertible();

    #[inline(always)]
    fn map(&self, index: usize) -> usize {
        let map = Self::DIAGONALS;
        let mut mixed = index & const { Self::DIAGONALS.still };
        let out = &mut mixed;
        if const { Self::DIAGONALS.len > MAX_LEAVES } || cfg!(unoptimized) {
            for k in 0..map.len {
                diagonal(map, index, out, k);
            }
        } else if const { Self::DIAGONALS.len > 0 } {
            by_class!(Self::DIAGONALS.len, CLASS => diagonals::<CLASS>(map, index, out));
        }
        mixed
    }

    #[inline(always)]
    fn image(&self, indices: Range<isize>) -> Result<Range<isize>> {
        super::composed::blocks(indices, const { 1 << width(&M::MATRIX) })
    }

    #[inline(always)]
    fn index<L: Layout, C: IntTuple>(&self, offset: Option<usize>, outer: &L, c: &C) -> Option<usize> {
        // The bits of a run-time offset are unknown and may overlap those of the layout.
        if offset != Some(0) || !const { Strides::<M, L, C>::FEW } {
            return None;
        }
        let (mut slots, mut coordinates) = ([0; MAX_LEAVES], [0; MAX_LEAVES]);
        if const { Strides::<M, L, C>::OPEN } {
            outer.nodes(&mut slots);
        }
        c.gather(&mut coordinates, 0);
        Some(evaluate::steps::<Strides<M, L, C>, false>(&coordinates, &slots, true).0)
    }
}

impl<M: BitMap> core::fmt::Display for Bits<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match M::MATRIX.to_layout::<MAX_LEAVES>() {
            Ok(layout) => layout.fmt(f),
            Err(error) => error.fmt(f),
        }
    }
}

/// The XOR strides of a map after a layout, for a coordinate type.
struct Strides<M, L, C>(PhantomData<(M, L, C)>);

impl<M: BitMap, L: Layout, C: IntTuple> Strides<M, L, C> {
    /// The layout with XOR strides, if the facts suffice for one.
    const PATTERN: Option<Pattern> = match L::TYPED {
        Some(pattern) => composed(&M::MATRIX, pattern),
        None => None,
    };

    /// Whether the layout has run-time leaves.
    const OPEN: bool = matches!(Self::PATTERN, Some(pattern) if pattern.scope.len > 0);

    /// Whether the layout exists and lists its shifted digits. With too many of them, the diagonals are fewer.
    const FEW: bool = Self::PATTERN.is_some() && !Self::TABLE.looped;
}

impl<M: BitMap, L: Layout, C: IntTuple> Fits for Strides<M, L, C> {}

impl<M: BitMap, L: Layout, C: IntTuple> Tabled for Strides<M, L, C> {
    const TABLE: &'static IndexTable = &match &Self::PATTERN {
        Some(pattern) => IndexTable::new(Op::Crd2Idx, pattern, &C::DESCRIPTOR, Purpose::Index),
        None => IndexTable::EMPTY,
    };
}

/// Returns the layout of `matrix` after `pattern`, or `None` if it needs a promise or a node that `pattern` does not have.
const fn composed(matrix: &BitMatrix, pattern: &Pattern) -> Option<Pattern> {
    let mut scope = pattern.scope;
    match matrix.to_layout::<MAX_LEAVES>() {
        Ok(map) => match map.composition(&pattern.lay, &mut scope) {
            Ok(lay) if scope.len == pattern.scope.len && scope.promises == pattern.scope.promises => {
                Some(Pattern { lay, scope: pattern.scope })
            }
            _ => None,
        },
        Err(_) => None,
    }
}
