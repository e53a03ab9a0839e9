//! Tensor maps: the arguments of `cuTensorMapEncodeTiled` for a layout of global memory, and the layout of the box in shared memory.
//!
//! The rules follow the reference of the CUDA driver API 13.1 ("Tensor Map Object Management"), for maps that are not interleaved. The
//! patterns of swizzles, and the row length in shared memory, follow the CUDA programming guide 13 ("The Swizzle Modes").

// `request` has the box and its swizzle, `rules` checks them against a layout and finds the modes of the map.
mod request;
mod rules;
#[cfg(test)]
mod tests;

pub use request::{TensorBox, TensorMapSwizzle};

use crate::algebra::operands::{ComposedValue, Inner, Operand};
use crate::error::{Op, Result, ok, refuse};
use crate::swizzle::Swizzle;
use crate::text::Parser;
use crate::value::{ExprGraph, LayoutValue, SymInt, TupleValue};

/// The maximum number of modes of a tensor map.
pub(super) const MOST: usize = 5;

/// The arguments of `cuTensorMapEncodeTiled` for a layout of global memory, mode 0 contiguous, and the layout of the box in shared
/// memory.
///
/// A mode of the layout becomes a mode of the map, or several if it is nested and its strides do not continue one another. The
/// contiguous mode comes first, the others keep their order.
///
/// ```
/// use layout_algebra::memory::{TensorBox, TensorMap, TensorMapSwizzle};
/// // Rows of 1024 halves; a box of 64 rows and 64 columns.
/// let halves = TensorBox::new(16, &[64, 64]).swizzled(TensorMapSwizzle::B128);
/// let map = TensorMap::parse("(4096,1024):(1024,1)", halves)?;
/// assert_eq!((map.rank(), map.global_dim(), map.global_strides()), (2, &[1024, 4096][..], &[2048][..]));
/// assert_eq!((map.box_dim(), map.element_strides()), (&[64, 64][..], &[1, 1][..]));
/// assert_eq!((map.interleave(), map.swizzle().number()), (0, 3));
/// // Columns are mode 1 of the layout and mode 0 of the map. The box at row 128 and column 64:
/// assert_eq!((map.modes(), map.coordinates(&[128, 64])), (&[1, 0][..], Some([64, 128, 0, 0, 0])));
/// // The box in shared memory, by row and column, in elements.
/// assert_eq!(map.shared().to_string(), "S<3,3,3> o 0 o (64,64):(64,1)");
/// assert_eq!((map.shared_bytes(), map.shared_alignment()), (8192, 1024));
/// // A layout value, of a static or a run-time layout, gives the same map.
/// let layout = layout_algebra::DynLayout::<16>::parse("(4096,1024):(1024,1)")?;
/// assert_eq!(TensorMap::new(layout.value(), halves)?.global_dim(), map.global_dim());
/// let error = TensorMap::parse("(4096,1000):(1004,1)", halves).unwrap_err();
/// assert_eq!(error.to_string(), "tensor_map: the stride of 2008 bytes of mode 0 is not a multiple of 16 from 0 to below 2^40");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct TensorMap {
    rank: usize,
    element_bytes: i64,
    swizzle: TensorMapSwizzle,
    global_dim: [u64; MOST],
    /// The stride of each mode in bytes, the contiguous mode included.
    global_strides: [u64; MOST],
    box_dim: [u32; MOST],
    element_strides: [u32; MOST],
    /// The mode of the layout from which each mode comes.
    modes: [usize; MOST],
    /// The divisor of the coordinate of the layout's mode, and true for the last mode that comes from it.
    divisor: [i64; MOST],
    last: [bool; MOST],
    /// The modes of the layout in shared memory, in elements, before the swizzle.
    tile: LayoutValue<MOST>,
    shared_bytes: i64,
}

/// Returns the tensor map of a layout, given as text, for a box. A refusal panics, which is a compile error in a constant;
/// [`TensorMap::parse`] returns it.
///
/// ```
/// use layout_algebra::memory::{TensorBox, TensorMap, TensorMapSwizzle, tensor_map};
/// const TILE: TensorMap = tensor_map("(512,512):(512,1)", TensorBox::new(32, &[8, 32]).swizzled(TensorMapSwizzle::B128));
/// assert_eq!((TILE.global_dim(), TILE.shared_bytes()), (&[512, 512][..], 1024));
/// ```
#[track_caller]
pub const fn tensor_map(layout: &str, tile: TensorBox<'_>) -> TensorMap {
    match TensorMap::parse(layout, tile) {
        Ok(map) => map,
        Err(error) => refuse(error),
    }
}

impl TensorMap {
    /// Makes the tensor map of `layout`, in elements of global memory, for a box.
    ///
    /// Fails if a leaf is known only at run time or a stride is no integer, if the box does not have one extent for each mode, and if
    /// a number breaks a rule of `cuTensorMapEncodeTiled`. The error has that number.
    pub const fn new<const N: usize>(layout: &LayoutValue<N>, tile: TensorBox<'_>) -> Result<TensorMap> {
        rules::encode(layout, tile)
    }

    /// Makes the tensor map of a layout in the notation. Fails as [`TensorMap::new`], and if the text is no layout.
    pub const fn parse(layout: &str, tile: TensorBox<'_>) -> Result<TensorMap> {
        let layout: LayoutValue<32> = ok!(Parser::new(layout).layout(&mut ExprGraph::<0>::new(Op::EncodeTiled)));
        rules::encode(&layout, tile)
    }

    /// Returns `tensorRank`: the number of modes of the map, 1 to 5.
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// Returns `globalDim`: the extent of each mode, in elements.
    pub const fn global_dim(&self) -> &[u64] {
        self.global_dim.split_at(self.rank).0
    }

    /// Returns `globalStrides`: the stride of each mode but the first, in bytes.
    pub const fn global_strides(&self) -> &[u64] {
        self.global_strides.split_at(self.rank).0.split_at(1).1
    }

    /// Returns `boxDim`: the extent of the box in each mode, in elements of global memory.
    pub const fn box_dim(&self) -> &[u32] {
        self.box_dim.split_at(self.rank).0
    }

    /// Returns `elementStrides`: the step between copied elements in each mode.
    pub const fn element_strides(&self) -> &[u32] {
        self.element_strides.split_at(self.rank).0
    }

    /// Returns the number of `CU_TENSOR_MAP_INTERLEAVE_NONE`, which all maps have.
    pub const fn interleave(&self) -> u32 {
        0
    }

    /// Returns the swizzle.
    pub const fn swizzle(&self) -> TensorMapSwizzle {
        self.swizzle
    }

    /// Returns the mode of the layout from which each mode of the map comes.
    pub const fn modes(&self) -> &[usize] {
        self.modes.split_at(self.rank).0
    }

    /// Returns the coordinates of a box for the copy instruction, 0 beyond the rank, from the first coordinate of the box in each mode
    /// of the layout. Returns `None` unless each mode has one coordinate.
    ///
    /// Boxes of a nested mode begin at multiples of the box extent. Others would cross an inner extent, where the copy ends.
    ///
    /// ```
    /// use layout_algebra::memory::{TensorBox, TensorMap};
    /// // Groups of 8 columns are 4096 elements apart.
    /// let map = TensorMap::parse("(512,(8,64)):(8,(1,4096))", TensorBox::new(16, &[64, 16]))?;
    /// assert_eq!((map.modes(), map.global_dim()), (&[1, 0, 1][..], &[8, 512, 64][..]));
    /// assert_eq!(map.coordinates(&[128, 32]), Some([0, 128, 4, 0, 0]));
    /// assert_eq!(map.coordinates(&[128]), None);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn coordinates(&self, first: &[i64]) -> Option<[i64; MOST]> {
        let mut out = [0; MOST];
        let mut modes = 0;
        each!(k, 0..self.rank, {
            if self.modes[k] >= modes {
                modes = self.modes[k] + 1;
            }
            if self.modes[k] >= first.len() {
                return None;
            }
            let quotient = first[self.modes[k]].div_euclid(self.divisor[k]);
            out[k] = if self.last[k] { quotient } else { quotient.rem_euclid(self.global_dim[k] as i64) };
        });
        if modes == first.len() { Some(out) } else { None }
    }

    /// Returns the layout of the box in shared memory: from the coordinates in the box, by the modes of the layout in global memory, to
    /// the element. It is a layout, or a swizzle composed with one, and holds from an address aligned to
    /// [`TensorMap::shared_alignment`].
    ///
    /// Rows that are shorter than a swizzle begin at multiples of the swizzle's bytes.
    ///
    /// ```
    /// use layout_algebra::memory::{TensorBox, TensorMap, TensorMapSwizzle};
    /// let rows = |tile| TensorMap::parse("(64,512):(512,1)", tile).map(|map| (map.shared().to_string(), map.shared_bytes()));
    /// // Rows of 32 bytes, plain, in their own swizzle, and in one of 128 bytes. Every second row of 16.
    /// assert_eq!(rows(TensorBox::new(32, &[16, 8]))?, ("(16,8):(8,1)".into(), 512));
    /// assert_eq!(rows(TensorBox::new(32, &[16, 8]).swizzled(TensorMapSwizzle::B32))?, ("S<1,2,3> o 0 o (16,8):(8,1)".into(), 512));
    /// assert_eq!(rows(TensorBox::new(32, &[16, 8]).swizzled(TensorMapSwizzle::B128))?, ("S<3,2,3> o 0 o (16,8):(32,1)".into(), 2048));
    /// assert_eq!(rows(TensorBox::new(32, &[16, 8]).stepping(&[2, 1]))?, ("(8,8):(8,1)".into(), 256));
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn shared(&self) -> Operand<MOST> {
        match self.shared_swizzle() {
            None => Operand::Layout(self.tile),
            Some(swizzle) => Operand::Composed(ComposedValue {
                inner: Inner::Swizzle(swizzle),
                offset: TupleValue::scalar(SymInt::ZERO),
                outer: self.tile,
            }),
        }
    }

    /// Returns the swizzle of elements in shared memory; `None` without one.
    pub const fn shared_swizzle(&self) -> Option<Swizzle> {
        match self.swizzle.of_bytes() {
            None => None,
            Some(swizzle) => swizzle.of_groups(self.element_bytes.trailing_zeros()),
        }
    }

    /// Returns the number of bytes of shared memory from the first to after the last row, unused ends of rows included.
    pub const fn shared_bytes(&self) -> i64 {
        self.shared_bytes
    }

    /// Returns the alignment of the address in shared memory, in bytes, that [`TensorMap::shared`] relies on: the length after which
    /// the swizzle repeats, and at least 128.
    pub const fn shared_alignment(&self) -> i64 {
        match self.swizzle.of_bytes() {
            None => 128,
            Some(swizzle) => 1 << swizzle.width(),
        }
    }
}

/// Displays the arguments by their names in C.
impl core::fmt::Debug for TensorMap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TensorMap")
            .field("globalDim", &self.global_dim())
            .field("globalStrides", &self.global_strides())
            .field("boxDim", &self.box_dim())
            .field("elementStrides", &self.element_strides())
            .field("swizzle", &self.swizzle)
            .field("modes", &self.modes())
            .finish_non_exhaustive()
    }
}
