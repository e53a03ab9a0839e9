//! Conversions between layouts and matrices over F2. Operations on matrices without a layout are in `bits`.

use crate::algebra::compose::{LinearRun, LinearRuns};
use crate::bits::{BitMatrix, MAX_BITS};
use crate::error::{Cause, Op, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt};

/// Returns the number of bits of the numbers below `extent`.
pub(crate) const fn bits_below(extent: i64) -> usize {
    if extent <= 1 { 0 } else { 64 - (extent - 1).leading_zeros() as usize }
}

/// An affine function of the bits of a coordinate: `offset ^ matrix(x)`.
#[derive(Clone, Copy)]
pub(crate) struct Linear {
    pub offset: u64,
    pub matrix: BitMatrix,
}

/// The number of coordinate bits of each mode, in order.
#[derive(Clone, Copy)]
pub(crate) struct Slots<const N: usize> {
    pub len: usize,
    pub bits: [usize; N],
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the matrix of a layout of power-of-two extents. Fails for other extents, or if a leaf sets a bit of an integer stride of
    /// another leaf.
    pub(crate) const fn matrix<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<BitMatrix> {
        let (mut column, mut len) = ([0u64; MAX_BITS], 0);
        let (mut all, mut sums) = (0, 0);
        let outer = cx.path();
        each!(k, 0..self.len(), {
            cx.at(outer.then(k));
            let (extent, stride) = match (self.extent(k).value(), self.scale(k).value()) {
                (Some(extent), Some(stride)) => (extent, stride),
                _ => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
            };
            let xor = self.basis(k).is_xor();
            refuse_if!(cx, extent.count_ones() != 1, NotPowerOfTwo, SymInt(extent));
            refuse_if!(cx, !xor && !self.basis(k).is_integer() && stride != 0, BasisStride);
            refuse_if!(cx, stride < 0 && extent > 1, NegativeStride, SymInt(stride));
            each!(bit, 0..bits_below(extent), {
                refuse_if!(
                    cx,
                    len == MAX_BITS || (stride != 0 && stride.leading_zeros() as usize <= bit + 1),
                    Overflow,
                    SymInt(extent),
                    SymInt(stride)
                );
                let value = (stride as u64) << bit;
                let met = if xor { sums } else { all };
                refuse_if!(cx, met & value != 0, NotLinear, SymInt(value as i64), SymInt((met & value) as i64));
                column[len] = value;
                len += 1;
                all |= value;
                if !xor {
                    sums |= value;
                }
            });
        });
        cx.at(outer);
        match BitMatrix::from_columns(column.split_at(len).0, 64 - all.leading_zeros()) {
            Some(matrix) => Ok(matrix),
            None => Err(cx.fail(Cause::Capacity, SymInt::small(MAX_BITS), SymInt(0))),
        }
    }

    /// Returns the layout of a matrix with the given modes: integer strides if no two columns share a bit, otherwise XOR strides.
    pub(crate) const fn of_matrix<const E: usize>(matrix: &BitMatrix, modes: &Slots<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
        let basis = if are_disjoint(matrix) { Basis::INTEGER } else { Basis::XOR };
        Self::of_columns(strides(matrix).split_at(matrix.inputs() as usize).0, basis, modes, cx)
    }

    /// Returns the layout whose coordinate bits have the strides `columns`, with a mode of `bits[k]` bits for each entry of `modes`.
    pub(super) const fn of_columns<const E: usize>(columns: &[i64], basis: Basis, modes: &Slots<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = LayoutValue::empty();
        let mut at = 0;
        each!(mode, 0..modes.len, {
            let mut runs = LinearRuns::<N>::empty();
            ok!(push_runs(&mut runs, columns.split_at(at).1.split_at(modes.bits[mode]).0, basis, mode, cx));
            at += modes.bits[mode];
            let depth = if runs.len > 1 { 2 } else { 1 };
            each!(p, 0..runs.len, {
                let run = &runs.run[p];
                let stride = Stride { scale: SymInt(run.stride), basis: run.basis };
                ok!(out.push_leaf(depth, if p == 0 { 1 } else { 2 }, SymInt(run.extent), stride, cx));
            });
        });
        Ok(out)
    }
}

impl BitMatrix {
    /// Returns the map as a layout: a mode with an XOR stride for each run of columns, and a mode for the unchanged bits above.
    ///
    /// ```
    /// use layout_algebra::{DynLayout, Swizzle, bits::BitMatrix};
    /// let map = BitMatrix::swizzle(Swizzle::new(2, 0, 3)?, 5).unwrap();
    /// assert_eq!(map.to_layout::<16>()?.to_string(), "(8,4,1):(^1,^9,32)");
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn to_layout<const N: usize>(&self) -> Result<LayoutValue<N>> {
        let cx = ExprGraph::<0>::new(Op::ToXor);
        let (column, bits) = (strides(self), self.width() as usize);
        let mut out = LayoutValue::empty();
        let mut k = 0;
        while k < bits {
            let end = run_end(column.split_at(bits).0, k);
            ok!(out.push_leaf(1, 1, SymInt(1 << (end - k)), stride_of(column[k], Basis::XOR), &cx));
            k = end;
        }
        if bits < MAX_BITS - 1 {
            ok!(out.push_leaf(1, 1, SymInt(1), Stride::integer(SymInt(1 << bits)), &cx));
        }
        Ok(out)
    }
}

/// Returns the columns as strides, 0 past the last.
const fn strides(matrix: &BitMatrix) -> [i64; MAX_BITS] {
    let mut column = [0; MAX_BITS];
    each!(k, 0..matrix.inputs() as usize, {
        column[k] = matrix.column(k) as i64;
    });
    column
}

/// Returns the end of the run of columns from `start` on, in which each is twice the one before it.
const fn run_end(columns: &[i64], start: usize) -> usize {
    let mut k = start + 1;
    while k < columns.len() && columns[k] == 2 * columns[k - 1] {
        k += 1;
    }
    k
}

/// Returns a stride of this basis; a stride of 0 is an integer stride.
const fn stride_of(scale: i64, basis: Basis) -> Stride {
    Stride { scale: SymInt(scale), basis: if scale == 0 { Basis::INTEGER } else { basis } }
}

/// Returns true if no two columns share a bit, so that sums have no carries.
pub(crate) const fn are_disjoint(matrix: &BitMatrix) -> bool {
    let mut all = 0;
    each!(k, 0..matrix.inputs() as usize, {
        if all & matrix.column(k) != 0 {
            return false;
        }
        all |= matrix.column(k);
    });
    true
}

/// Appends the fewest leaves for the columns of one mode: a column that doubles the one before continues its leaf. No column gives `1:0`.
pub(super) const fn push_runs<const N: usize, const E: usize>(
    runs: &mut LinearRuns<N>,
    columns: &[i64],
    basis: Basis,
    leaf: usize,
    cx: &ExprGraph<E>,
) -> Result<()> {
    if columns.is_empty() {
        return runs.push(LinearRun::new(SymInt(1), SymInt(0), Stride::integer(SymInt(0)), SymInt(1), leaf, 0), cx);
    }
    let mut k = 0;
    while k < columns.len() {
        let end = run_end(columns, k);
        let extent = SymInt(1 << (end - k));
        ok!(runs.push(LinearRun::new(extent, SymInt(0), stride_of(columns[k], basis), extent, leaf, 0), cx));
        k = end;
    }
    Ok(())
}
