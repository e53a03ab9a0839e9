//! The layout of a shape and a stride.

use crate::types::index::typed_layout::{TypedLayout, text_and_equality};
use crate::types::number::StaticInt;
use crate::types::pattern::operand::{AsOperand, Descriptor, IntTuple, MAX_LEAVES, Within};
use crate::types::pattern::pattern::Pattern;
use layout_algebra::error::{Cause, LayoutError, Op, Result};

/// The layout `shape : stride`.
///
/// It stores only the run-time leaves; a static layout is zero-sized.
///
/// ```
/// use layout_core::{Int, Layout, Strided};
/// /// An image of `C` channels, whose rows are `pitch` elements apart.
/// struct Image<const C: usize> {
///     layout: Strided<(usize, usize, Int<C>), (usize, Int<C>, Int<1>)>,
/// }
/// let image = Image::<3> { layout: Strided::new((480, 640, Int), (2048, Int, Int)) };
/// assert_eq!(image.layout.crd2idx((2, 5, 1)), 2 * 2048 + 5 * 3 + 1);
/// assert_eq!((image.layout.shape().1, image.layout.stride().0), (640, 2048));
/// assert_eq!(size_of::<Strided<(Int<8>, Int<8>), (Int<8>, Int<1>)>>(), 0);
/// // Arithmetic on indices wraps around. `try_new` refuses a layout that does not fit `isize`.
/// assert!(Strided::try_new((1 << 40, 1 << 40), (1, 1 << 40)).is_err());
/// ```
#[derive(Clone, Copy, Default)]
pub struct Strided<S, D> {
    shape: S,
    stride: D,
}

impl<S: IntTuple, D: IntTuple> Strided<S, D> {
    /// Makes `shape : stride`. A difference in nesting is a compile error.
    #[inline(always)]
    pub const fn new(shape: S, stride: D) -> Self {
        let () = Self::VALID;
        Strided { shape, stride }
    }

    /// Makes `shape : stride`. Fails if its size or an index does not fit `isize`.
    pub fn try_new(shape: S, stride: D) -> Result<Self> {
        let layout = Strided { shape, stride };
        let checked = layout.to_dyn::<MAX_LEAVES>()?;
        if checked.cosize() > isize::MAX as i64 {
            return Err(LayoutError::plain(Op::MakeLayout, Cause::TooLarge, checked.cosize(), 0));
        }
        Ok(layout)
    }

    /// Returns the shape.
    #[inline(always)]
    pub const fn shape(&self) -> S {
        self.shape
    }

    /// Returns the strides.
    #[inline(always)]
    pub const fn stride(&self) -> D {
        self.stride
    }

    /// Returns the coordinate at colexicographic position `index` of the shape; the last leaf takes the whole quotient.
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

// SAFETY: `gather` writes the leaves of the shape and then of the strides, as the pattern has its inputs.
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

// SAFETY: the inputs of the pattern are these leaves.
#[diagnostic::do_not_recommend]
unsafe impl<S: IntTuple, D: IntTuple> TypedLayout for Strided<S, D> {
    const PATTERN: &'static Pattern = &Pattern::strided(&S::DESCRIPTOR, &D::DESCRIPTOR);
}
