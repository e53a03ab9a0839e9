//! XOR strides: layouts that are linear over F2, in whole or in part.
//!
//! A stride `^d` multiplies its coordinate without carries, and the values of such modes are summed without carries: `^3` takes
//! 0, 1, 2, 3 to 0, 3, 6, 5. The index is `xor(c_k * ^d_k) + sum(c_j d_j)`, the inner product in the module of each stride.
//! Multiplication by a power of two is a shift in both. So modes coalesce by the same rule: `s : ^d` and `t : ^(s d)` become
//! `s t : ^d` for a power of two `s`. A swizzled layout is a layout with XOR strides: `S<3,0,3> o 0 o (8,8):(8,1)` is
//! `(8,8):(^9,^1)`. Source: Cecka, CuTe Layout Representation and Algebra, arXiv 2603.02298 (strides in an integer semimodule).
//!
//! Composition, inverses and complement use linear algebra over F2 here, for extents that are powers of two. A mode of another
//! extent is accepted if it walks only the last mode of the other operand.

mod compose;
mod convert;
mod index;
mod inverse;
mod matrix;

pub(crate) use convert::{mixed, to_affine, to_xor};
#[cfg(feature = "alloc")]
pub(crate) use convert::{mode_bits, of_linear};
pub(crate) use index::carryless;
pub use index::{Partial, bits_reached, exchanged};
#[cfg(feature = "alloc")]
pub(crate) use matrix::{Linear, Slots};

use crate::error::{Cause, LayoutError, Result};
use crate::value::{Basis, ExprGraph, LayoutValue, SymInt};

impl<const N: usize> LayoutValue<N> {
    /// Returns true if some stride is an XOR stride.
    pub const fn has_xor(&self) -> bool {
        each!(k, 0..self.tree.len, {
            if self.basis[k] == Basis::XOR.0 {
                return true;
            }
        });
        false
    }

    /// Fails unless every stride is an integer.
    pub(crate) const fn require_integers<const E: usize>(&self, cx: &ExprGraph<E>) -> Result<()> {
        if self.is_integer() {
            return Ok(());
        }
        each!(k, 0..self.len(), {
            if self.basis(k).is_xor() {
                let numbers = [self.scale(k), SymInt(0), SymInt(0)];
                return Err(LayoutError::new(cx.op(), cx.path().then(k), Cause::XorStride, numbers));
            }
        });
        Err(cx.fail(Cause::BasisStride, SymInt(0), SymInt(0)))
    }
}
