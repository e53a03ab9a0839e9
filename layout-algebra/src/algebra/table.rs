//! The layout that has given indices: strides, a swizzle of strides, or XOR strides.
//!
//! A leaf of the shape becomes runs of even steps. The first run ends where the step changes, so the runs are the only ones without
//! modes that continue each other. A swizzle is undone first: it is its own inverse, so `S<b,m,s> o x o L` has the indices `t` exactly if
//! `L` has the indices `S(t) - x`. Candidates read only bits between two bits that occur in the table. XOR strides are sought for all
//! modes at once: a layout in which some modes have XOR strides and others add to them with carries is not found.

use super::operands::{ComposedValue, Inner, Operand};
use crate::error::{Cause, LayoutError, Result, ok, refuse_if};
use crate::swizzle::Swizzle;
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt, TupleValue};

/// The bound on the size of an index: differences and sums of two indices fit a [`SymInt`].
const BOUND: u64 = 1 << 60;

/// The reason why no layout without XOR strides has the indices.
enum Misfit {
    /// The index of a linear coordinate differs from the index that the strides give.
    At { coordinate: usize, expected: i64 },
    /// The runs need more leaves than the capacity.
    Error(LayoutError),
}

/// Returns the layout of `shape` whose index at the linear coordinate `k` is `table[k]`. Each leaf of the shape may become nested.
///
/// The result has integer strides if possible, else a swizzle after integer strides, else XOR strides. If the index of coordinate 0 is
/// not 0, it is the offset of a composed layout. Fails with the first linear coordinate whose index does not fit, if no layout exists.
///
/// ```
/// use layout_algebra::{DynCoord, algebra::table::layout_of, error::Op, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::FromTable);
/// let mut text = |table: &[i64], shape: &str| {
///     layout_of(table, DynCoord::<16>::parse(shape)?.value(), &mut scope).map(|layout| layout.to_string())
/// };
/// assert_eq!(text(&[0, 4, 1, 5, 2, 6], "(2,3)")?, "(2,3):(4,1)");
/// assert_eq!(text(&[0, 1, 4, 5, 8, 9], "6")?, "(2,3):(1,4)");
/// assert_eq!(text(&[0, 5, 10, 15, 1, 4, 11, 14], "(4,2)")?, "S<2,0,2> o 0 o (4,2):(4,1)");
/// assert_eq!(text(&[5, 6, 7], "3")?, "8:1 o 5 o 3:1");
/// let error = text(&[0, 1, 10, 99, 20, 21, 35, 36], "(2,4)").unwrap_err();
/// assert_eq!(error.to_string(), "from_table: coordinate 3 has index 99, but the strides of the coordinates before give 11; no swizzle fits");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const fn layout_of<const N: usize, const E: usize>(table: &[i64], shape: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    refuse_if!(cx, shape.has_keep(), UnexpectedKeep);
    refuse_if!(cx, !shape.is_known(), Undecided);
    each!(k, 0..shape.len(), {
        refuse_if!(cx, shape.leaf(k).0 < 0, NegativeExtent, shape.leaf(k));
    });
    let size = ok!(shape.product(shape.root(), cx));
    refuse_if!(cx, size.0 as u64 != table.len() as u64, TableLength, SymInt::small(table.len()), size);
    if table.is_empty() {
        return Ok(Operand::Layout(ok!(shape.col_major(cx))));
    }
    let (mut bits, mut negative) = (0, false);
    each!(k, 0..table.len(), {
        refuse_if!(cx, table[k].unsigned_abs() >= BOUND, Overflow, SymInt::small(k), SymInt(1));
        bits |= table[k] as u64;
        negative |= table[k] < 0;
    });
    let identity = ok!(Swizzle::new(0, 0, 0));
    let misfit = match strided(table, identity, shape, cx) {
        Ok(l) if table[0] == 0 => return Ok(Operand::Layout(l)),
        Ok(outer) => {
            let mut most = 0;
            each!(k, 0..table.len(), {
                if table[k] > most {
                    most = table[k];
                }
            });
            let inner = Inner::Layout(LayoutValue::scalar(SymInt(most + 1), SymInt(1)));
            return Ok(Operand::Composed(ComposedValue { inner, offset: TupleValue::scalar(SymInt(table[0])), outer }));
        }
        Err(misfit) => misfit,
    };
    if !negative {
        if let Some(swizzled) = swizzled(table, bits, shape, cx) {
            return Ok(Operand::Composed(swizzled));
        }
        if let Some(l) = linear(table, shape, cx) {
            return Ok(Operand::Layout(l));
        }
    }
    match misfit {
        Misfit::Error(error) => Err(error),
        Misfit::At { coordinate, expected } => {
            Err(cx.fail3(Cause::TableIndex, SymInt::small(coordinate), SymInt(table[coordinate]), SymInt(expected)))
        }
    }
}

/// Returns the layout with integer strides whose indices are `swizzle(table[k]) - swizzle(table[0])`.
const fn strided<const N: usize, const E: usize>(
    table: &[i64],
    swizzle: Swizzle,
    shape: &TupleValue<N>,
    cx: &ExprGraph<E>,
) -> core::result::Result<LayoutValue<N>, Misfit> {
    let first = swizzle.apply(table[0]);
    let mut out = LayoutValue::empty();
    // The leaves of `out`, and for each the linear coordinate at which it moves first.
    let mut unit = 1;
    each!(k, 0..shape.len(), {
        let mut left = shape.leaf(k).0 as usize;
        let mut steps = LayoutValue::empty();
        while left > 1 {
            let step = swizzle.apply(table[unit]) - first;
            let mut run = 2;
            while run < left && (swizzle.apply(table[unit * run]) - first) as i128 == step as i128 * run as i128 {
                run += 1;
            }
            // No strides fit then. Go on with even steps, so that the comparison below finds the first coordinate.
            if !left.is_multiple_of(run) {
                run = left;
            }
            if let Err(error) = steps.push_leaf(1, 1, SymInt::small(run), Stride::integer(SymInt(step)), cx) {
                return Err(Misfit::Error(error));
            }
            unit *= run;
            left /= run;
        }
        if let Err(error) = append(&mut out, &mut steps, shape, k, cx) {
            return Err(Misfit::Error(error));
        }
    });
    // The indices of all coordinates, not only of those along one leaf.
    let mut digit = [0; N];
    let mut index = first as i128;
    each!(k, 0..table.len(), {
        if swizzle.apply(table[k]) as i128 != index {
            return Err(Misfit::At { coordinate: k, expected: index as i64 });
        }
        let mut leaf = 0;
        while leaf < out.len() {
            digit[leaf] += 1;
            index += out.stride[leaf] as i128;
            if digit[leaf] < out.shape[leaf] {
                break;
            }
            index -= out.stride[leaf] as i128 * digit[leaf] as i128;
            digit[leaf] = 0;
            leaf += 1;
        }
    });
    Ok(out)
}

/// Appends the runs `steps` in place of leaf `k` of `shape`.
const fn append<const N: usize, const E: usize>(
    out: &mut LayoutValue<N>,
    steps: &mut LayoutValue<N>,
    shape: &TupleValue<N>,
    k: usize,
    cx: &ExprGraph<E>,
) -> Result<()> {
    let level = shape.tree.depth_of(k);
    let join = if k > 0 { shape.tree.join[k - 1] } else { 0 };
    if shape.tree.is_stand_in(k) {
        return out.push_empty(level, join, cx);
    }
    steps.unwrap_single();
    out.push(steps, steps.root(), level, join, cx)
}

/// Returns the swizzle of a layout with integer strides that has the indices, or `None` if there is none. If there
/// are several, the result has the fewest leaves, and then the fewest bits.
const fn swizzled<const N: usize, const E: usize>(
    table: &[i64],
    bits: u64,
    shape: &TupleValue<N>,
    cx: &ExprGraph<E>,
) -> Option<ComposedValue<N>> {
    let width = (u64::BITS - bits.leading_zeros()) as i64;
    let mut found: Option<ComposedValue<N>> = None;
    let mut count = 1;
    while 2 * count <= width {
        let mut from = width - count;
        while from >= 0 {
            if bits >> from & 1 == 1 && bits >> (from + count - 1) & 1 == 1 {
                // Fields below the source first: those are the swizzles of kernels.
                let mut to = 0;
                while to + count <= width {
                    let shift = from - to;
                    if shift.abs() >= count
                        && let Ok(swizzle) = Swizzle::new(count, if shift > 0 { to } else { from }, shift)
                        && let Ok(outer) = strided(table, swizzle, shape, cx)
                    {
                        let fewer = match &found {
                            Some(found) => outer.len() < found.outer.len(),
                            None => true,
                        };
                        if fewer {
                            let offset = TupleValue::scalar(SymInt(swizzle.apply(table[0])));
                            found = Some(ComposedValue { inner: Inner::Swizzle(swizzle), offset, outer });
                        }
                        if outer.len() == shape.len() {
                            return found;
                        }
                    }
                    to += 1;
                }
            }
            from -= 1;
        }
        count += 1;
    }
    found
}

/// Returns the layout with XOR strides that has the indices; `None` if there is none, or an extent is no power of two.
const fn linear<const N: usize, const E: usize>(table: &[i64], shape: &TupleValue<N>, cx: &ExprGraph<E>) -> Option<LayoutValue<N>> {
    if table.len().count_ones() != 1 || table[0] != 0 {
        return None;
    }
    // All bits of a coordinate but the lowest, and the lowest.
    each!(k, 1..table.len(), {
        let low = k & k.wrapping_neg();
        if table[k] != table[k ^ low] ^ table[low] {
            return None;
        }
    });
    let mut out = LayoutValue::empty();
    let mut unit = 1;
    each!(k, 0..shape.len(), {
        let mut left = shape.leaf(k).0 as usize;
        let mut steps = LayoutValue::empty();
        while left > 1 {
            let stride = table[unit];
            let mut run = 2;
            while run < left && table[unit * run] == table[unit * run / 2] << 1 {
                run *= 2;
            }
            let stride = Stride { scale: SymInt(stride), basis: Basis::XOR };
            if steps.push_leaf(1, 1, SymInt::small(run), stride, cx).is_err() {
                return None;
            }
            unit *= run;
            left /= run;
        }
        if append(&mut out, &mut steps, shape, k, cx).is_err() {
            return None;
        }
    });
    Some(out)
}
