//! Layouts as a first index, extents and strides: the numbers that functions of other libraries take beside a pointer.

use super::layout::Layout;
use crate::types::pattern::operand::{MAX_LEAVES, Slots};

/// An affine layout as numbers: the index of the integers `c_k` is `first` plus the sum of `c_k * strides[k]`.
///
/// `first` need not be 0: a window begins at its corner, a composed layout at its offset.
///
/// ```
/// use layout_core::{Int, make_layout};
/// use layout_core::layouts::{Affine, StaticSwizzle};
/// use layout_core::tensor::Window;
/// let rows = make_layout((8, 8), (8, Int::<1>));
/// let affine = Affine::of(&Window::new(rows, (2, 3), (4, 5))?).unwrap();
/// assert_eq!((affine.first(), affine.extents(), affine.strides()), (19, &[4, 5][..], &[8, 1][..]));
/// // A swizzled layout has no single stride, unless it has a single element.
/// let swizzled = StaticSwizzle::<3, 0, 3>.composition(rows);
/// assert_eq!(Affine::of(&swizzled).err(), Some(0));
/// assert_eq!(Affine::of(&Window::new(swizzled, (2, 3), (1, 1))?).unwrap().first(), 16 + (3 ^ 2));
/// # Ok::<(), layout_core::TensorError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Affine {
    rank: usize,
    extents: Slots,
    first: isize,
    strides: [isize; MAX_LEAVES],
}

impl Affine {
    /// Returns the first index, the extents and the strides of a layout.
    ///
    /// Fails with the number (from 0) of the first mode that has no single stride, see [`Layout::mode_stride`]. A mode of one
    /// coordinate needs none, and neither does any mode of a layout without coordinates.
    pub fn of<L: Layout>(layout: &L) -> Result<Self, usize> {
        let (rank, extents) = (layout.rank(), layout.extents());
        let empty = extents[..rank].contains(&0);
        // The first coordinate of an empty layout does not exist, and its index may be any number.
        let first = if empty { 0 } else { layout.index_of(&[0; MAX_LEAVES]) as isize };
        let mut strides = [0; MAX_LEAVES];
        for (mode, stride) in strides.iter_mut().enumerate().take(rank) {
            match layout.mode_stride(mode) {
                Some(single) => *stride = single,
                None if empty || extents[mode] == 1 => {}
                None => return Err(mode),
            }
        }
        Ok(Affine { rank, extents, first, strides })
    }

    /// Returns the index of the first coordinate; 0 if there is none.
    #[inline]
    pub fn first(&self) -> isize {
        self.first
    }

    /// Returns the extent of each mode.
    #[inline]
    pub fn extents(&self) -> &[usize] {
        &self.extents[..self.rank]
    }

    /// Returns the stride of each mode, in elements.
    #[inline]
    pub fn strides(&self) -> &[isize] {
        &self.strides[..self.rank]
    }

    /// Returns true if the indices, in colexicographic order, are consecutive from the first on.
    ///
    /// ```
    /// use layout_core::make_layout;
    /// use layout_core::layouts::Affine;
    /// let of = |strides| Affine::of(&make_layout((4, 6), strides)).unwrap().is_contiguous();
    /// assert!(of((1, 4)));
    /// // Row-major indices are consecutive in another order, and padded columns have gaps.
    /// assert!(!of((6, 1)) && !of((1, 5)));
    /// ```
    pub fn is_contiguous(&self) -> bool {
        let mut next = 1isize;
        let follows = |(extent, stride): (&usize, &isize)| {
            let follows = *extent == 1 || *stride == next;
            next = next.wrapping_mul(*extent as isize);
            follows
        };
        self.extents().contains(&0) || self.extents().iter().zip(self.strides()).all(follows)
    }
}
