//! The basis of a stride: the integers, one coordinate of a coordinate space, or the integers without carries.

/// The basis element of a stride: `1@0` moves along coordinate 0, `1@0@1` along sub-coordinate 0 of coordinate 1.
///
/// A basis is a path of at most four steps, each a mode below 255. [`Basis::INTEGER`] is the basis of plain strides. Strides
/// along [`Basis::XOR`] are multiplied and summed without carries.
///
/// ```
/// use layout_algebra::{error::Op, text::Parser};
/// use layout_algebra::value::{Basis, ExprGraph, LayoutValue};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let lay: LayoutValue<4> = Parser::new("(4,8):(1@0,1@2@1)").layout(&mut scope)?;
/// let (outer, nested) = (lay.basis(0), lay.basis(1));
/// // The text names the innermost mode first, the path the outermost: mode 2 of mode 1.
/// assert_eq!((nested.len(), nested.step(0), nested.step(1)), (2, 1, 2));
/// assert_eq!(Basis::INTEGER.then(1).and_then(|path| path.then(2)), Some(nested));
/// assert_eq!(Basis::INTEGER.inside(2).and_then(|path| path.inside(1)), Some(nested));
/// assert_eq!(Some(nested.inner()), Basis::INTEGER.then(2));
/// assert!(!nested.begins_with(outer) && nested.begins_with(Basis::INTEGER));
/// // A path has at most four steps.
/// assert_eq!((0..Basis::MAX_STEPS).try_fold(Basis::INTEGER, Basis::then).map(Basis::len), Some(4));
/// assert_eq!((0..5).try_fold(Basis::INTEGER, Basis::then), None);
/// // Integers and XOR strides have no path.
/// assert!(Basis::INTEGER.is_integer() && Basis::XOR.is_xor());
/// assert!(Basis::INTEGER.is_empty() && Basis::XOR.is_empty());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Basis(pub u32);

impl Basis {
    /// The basis of a plain integer stride: the empty path.
    pub const INTEGER: Basis = Basis(0);
    /// The basis of a stride over F2, `^d` in the notation. It is no path: a path has no second step without a first.
    pub const XOR: Basis = Basis(1 << 8);
    /// The maximum number of steps of a path.
    pub const MAX_STEPS: usize = 4;

    /// Returns true for a plain integer stride.
    #[inline(always)]
    pub const fn is_integer(self) -> bool {
        self.0 == 0
    }

    /// Returns true for a stride that is summed without carries.
    #[inline(always)]
    pub const fn is_xor(self) -> bool {
        self.0 == Self::XOR.0
    }

    /// Returns the number of steps of the path; 0 for an XOR stride.
    pub const fn len(self) -> usize {
        if self.is_xor() {
            return 0;
        }
        let mut n = 0;
        while n < 4 && (self.0 >> (8 * n)) != 0 {
            n += 1;
        }
        n
    }

    /// Returns true if the path has no step, as for integer and XOR strides.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns step `k` of the path, counted from the outermost mode. `k` must be below the length.
    pub const fn step(self, k: usize) -> usize {
        ((self.0 >> (8 * k)) & 255) as usize - 1
    }

    /// Appends a step at the inner end of the path; `None` if it does not fit.
    pub const fn then(self, mode: usize) -> Option<Basis> {
        let n = self.len();
        if n == Self::MAX_STEPS || mode >= 255 { None } else { Some(Basis(self.0 | ((mode as u32 + 1) << (8 * n)))) }
    }

    /// Adds a step at the outer end of the path; `None` if it does not fit.
    pub const fn inside(self, mode: usize) -> Option<Basis> {
        if self.len() == Self::MAX_STEPS || mode >= 255 { None } else { Some(Basis((self.0 << 8) | (mode as u32 + 1))) }
    }

    /// Tests whether the path begins with the steps of `prefix`.
    pub const fn begins_with(self, prefix: Basis) -> bool {
        let n = prefix.len();
        n == 0 || (n <= self.len() && (self.0 ^ prefix.0) & (u32::MAX >> (32 - 8 * n)) == 0)
    }

    /// Returns the path without its outermost step.
    pub const fn inner(self) -> Basis {
        Basis(self.0 >> 8)
    }
}
