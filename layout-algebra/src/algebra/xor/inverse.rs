//! Complement, inverses, null space and preimages of layouts with XOR strides.

use super::matrix::{Slots, bits_below};
use crate::algebra::coalesce::Omit;
use crate::algebra::coordinate_layouts::Part;
use crate::bits::{BitMatrix, MAX_BITS};
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt, TupleValue};

/// Returns the coalesced layout of the matrix with these columns. Fails if there are too many.
const fn flat<const N: usize, const E: usize>(columns: &[u64], cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    let matrix = match BitMatrix::from_columns(columns, MAX_BITS as u32) {
        Some(matrix) => matrix,
        None => return Err(cx.fail(Cause::Capacity, SymInt::small(MAX_BITS), SymInt(0))),
    };
    let mut slots = Slots { len: 1, bits: [0; N] };
    slots.bits[0] = columns.len();
    let out = ok!(LayoutValue::of_matrix(&matrix, &slots, cx));
    out.merged(out.root(), Omit::Single, cx)
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the complement or the inverse that `part` names. Fails if the layout has no matrix or, for a left inverse or
    /// complement, is not injective.
    pub(crate) const fn xor_part<const E: usize>(&self, part: Part, cx: &mut ExprGraph<E>) -> Result<Self> {
        match part {
            Part::Complement => {
                let (mut out, covered) = ok!(self.xor_gaps(cx));
                ok!(out.push_leaf(1, 1, SymInt(1), Stride::integer(covered), cx));
                out.unwrap_single();
                Ok(out)
            }
            Part::RightInverse => self.xor_right(cx),
            Part::LeftInverse => {
                let matrix = ok!(self.matrix(cx));
                match matrix.left_inverse() {
                    Some(inverse) => flat(inverse.columns(), cx),
                    None => Err(cx.fail(Cause::Singular, SymInt(matrix.inputs() as i64), SymInt(matrix.rank() as i64))),
                }
            }
        }
    }

    /// Returns the largest `R` with `L(R(i)) = i`: its columns are preimages of 1, 2, 4, ..., up to the first number without one.
    /// After the last XOR stride, modes of any extent chain from the block below if their strides are multiples of it.
    pub(crate) const fn xor_right<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut trial = *cx;
        let whole = self.matrix(&mut trial);
        let (mut low, mut above) = (ok!(self.merged(self.root(), Omit::Single, cx)), LayoutValue::empty());
        let matrix = match whole {
            Ok(matrix) => matrix,
            Err(error) => {
                let flat = low;
                low = LayoutValue::empty();
                let mut first = flat.len();
                while first > 0 && flat.basis(first - 1).is_integer() {
                    first -= 1;
                }
                each!(k, 0..flat.len(), {
                    ok!(if k < first { &mut low } else { &mut above }.push_leaf(1, 1, flat.extent(k), flat.stride(k), cx));
                });
                let Ok(matrix) = low.matrix(&mut trial) else { return Err(error) };
                each!(k, 0..above.len(), {
                    if cx.facts(above.scale(k)).div % (1 << matrix.outputs()) != 0 {
                        return Err(error);
                    }
                });
                matrix
            }
        };
        let span = matrix.span();
        let (mut column, mut len) = ([0; MAX_BITS], 0);
        while len < matrix.outputs() as usize {
            match span.reduce(1 << len) {
                (0, x) => column[len] = x,
                _ => break,
            }
            len += 1;
        }
        let out = ok!(flat(column.split_at(len).0, cx));
        if above.is_empty() || len < matrix.outputs() as usize {
            return Ok(out);
        }
        // In the chain, the block is one mode of stride 0 that takes its part of the domain.
        let mut beside = LayoutValue::scalar(SymInt(1 << matrix.inputs()), SymInt(0));
        ok!(beside.push_modes_of(&above, cx));
        let chain = ok!(beside.chain(Basis::INTEGER, SymInt(1 << len), cx));
        let mut all = ok!(out.merged(out.root(), Omit::Single, cx));
        ok!(all.push_modes_of(&chain, cx));
        all.merged(all.root(), Omit::Single, cx)
    }

    /// Appends the leaves of `other`, a flat layout, each as a mode.
    const fn push_modes_of<const E: usize>(&mut self, other: &Self, cx: &ExprGraph<E>) -> Result<()> {
        each!(k, 0..other.len(), {
            ok!(self.push_leaf(1, 1, other.extent(k), other.stride(k), cx));
        });
        Ok(())
    }

    /// Returns the unit vectors that complete the values to a power of two, and copies up to `m`. Fails if `exact` and these do not divide.
    pub(crate) const fn xor_complement<const E: usize>(&self, m: SymInt, exact: bool, cx: &mut ExprGraph<E>) -> Result<Self> {
        let (mut out, covered) = ok!(self.xor_gaps(cx));
        if exact {
            ok!(cx.require_multiple(m, covered, Cause::TileSpanDoesNotDivide, (covered, m)));
        }
        let copies = ok!(cx.ceil_div(m, covered));
        ok!(out.push_leaf(1, 1, copies, Stride::integer(covered), cx));
        let mut out = ok!(out.merged(out.root(), Omit::Single, cx));
        if out.len() == 1 && out.extent(0).is(1) {
            out.set_stride(0, Stride::integer(covered));
        }
        Ok(out)
    }

    /// Returns the unit vectors that complete the values to all numbers below a power of two, and that power. Fails if not injective.
    const fn xor_gaps<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<(Self, SymInt)> {
        let matrix = ok!(self.matrix(cx));
        let span = matrix.span();
        refuse_if!(cx, span.dim() < matrix.inputs(), Singular, SymInt(matrix.inputs() as i64), SymInt(span.dim() as i64));
        let mut out = LayoutValue::empty();
        let leading = span.leading();
        each!(bit, 0..matrix.outputs() as usize, {
            if leading >> bit & 1 == 0 {
                ok!(out.push_leaf(1, 1, SymInt(2), Stride { scale: SymInt(1 << bit), basis: Basis::XOR }, cx));
            }
        });
        Ok((out, SymInt(1 << matrix.outputs())))
    }

    /// Returns `K` with `L(K(i)) = 0`: one vector for each column that is a sum of earlier columns. Fails without a matrix.
    pub(crate) const fn xor_nullspace<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let matrix = ok!(self.matrix(cx));
        let (span, free) = (matrix.span(), matrix.free());
        let (mut column, mut len) = ([0; MAX_BITS], 0);
        each!(k, 0..matrix.inputs() as usize, {
            if free >> k & 1 == 1 {
                column[len] = 1 << k | span.reduce(matrix.column(k)).1;
                len += 1;
            }
        });
        flat(column.split_at(len).0, cx)
    }

    /// Returns the least coordinate whose index is `index`. Fails if there is none.
    pub(crate) const fn xor_preimage<const E: usize>(&self, index: SymInt, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
        let matrix = ok!(self.matrix(cx));
        let solved = match index.value() {
            Some(index) if index >= 0 => matrix.solve(index as u64),
            Some(_) => None,
            None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        };
        let mut left = match solved {
            Some(x) => x,
            None => return Err(cx.fail(Cause::NoSuchIndex, index, SymInt(0))),
        };
        let mut out = TupleValue::nested(self.tree, [0; N]);
        each!(k, 0..self.len(), {
            let bits = bits_below(self.shape[k]);
            out.leaf[k] = (left & ((1u64 << bits) - 1)) as i64;
            left >>= bits;
        });
        Ok(out)
    }
}
