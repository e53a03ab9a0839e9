//! The rules of `cuTensorMapEncodeTiled`, and the modes of a tensor map.

use super::{MOST, TensorBox, TensorMap};
use crate::algebra::coalesce::Omit;
use crate::error::{Cause, LayoutError, Op, Result, ok};
use crate::value::{ExprGraph, LayoutValue, Stride, SymInt};

/// The operation that errors name.
const OP: Op = Op::EncodeTiled;

/// A mode of the map, by the mode of the layout from which it comes.
#[derive(Clone, Copy)]
struct Dimension {
    mode: usize,
    extent: i64,
    /// The stride in elements of global memory.
    stride: i64,
    box_extent: i64,
    step: i64,
    divisor: i64,
    last: bool,
}

/// The modes of the map in the order of the layout's leaves, and how many there would be.
struct Dimensions {
    of: [Dimension; MOST],
    len: usize,
}

/// Makes the tensor map, or returns an error with the number that breaks a rule.
pub(super) const fn encode<const N: usize>(layout: &LayoutValue<N>, tile: TensorBox<'_>) -> Result<TensorMap> {
    ok!(request(layout, tile));
    let bytes = tile.element_bits as i64 / 8;
    let Dimensions { of, len } = ok!(dimensions(layout, tile));
    if len == 0 || len > MOST {
        return Err(LayoutError::plain(OP, Cause::TensorRank, len as i64, 0));
    }
    let inner = ok!(contiguous(&of, len));
    // The contiguous mode comes first, and the modes before it move up.
    let mut order = [0; MOST];
    each!(k, 0..len, {
        order[k] = if k == 0 {
            inner
        } else if k <= inner {
            k - 1
        } else {
            k
        };
    });
    let mut map = TensorMap {
        rank: len,
        element_bytes: bytes,
        swizzle: tile.swizzle,
        global_dim: [0; MOST],
        global_strides: [0; MOST],
        box_dim: [0; MOST],
        element_strides: [0; MOST],
        modes: [0; MOST],
        divisor: [1; MOST],
        last: [false; MOST],
        tile: LayoutValue::empty(),
        shared_bytes: 0,
    };
    let mut shared = [0; MOST];
    // The stride of the next mode in shared memory, in elements.
    let mut next = 1;
    each!(k, 0..len, {
        let dimension = of[order[k]];
        map.global_strides[k] = ok!(checked(dimension, k == 0, bytes)) as u64;
        map.global_dim[k] = dimension.extent as u64;
        map.box_dim[k] = dimension.box_extent as u32;
        map.element_strides[k] = dimension.step as u32;
        map.modes[k] = dimension.mode;
        map.divisor[k] = dimension.divisor;
        map.last[k] = dimension.last;
        shared[order[k]] = next;
        next *= count(dimension);
        if k == 0 {
            let row = next * bytes;
            let span = tile.swizzle.span();
            if row % 16 != 0 {
                return Err(LayoutError::at_mode(OP, dimension.mode, Cause::BoxRow, row, 0));
            }
            if span > 0 && row > span {
                return Err(LayoutError::at_mode(OP, dimension.mode, Cause::BoxSwizzle, row, span));
            }
            if span > 0 {
                next = span / bytes;
            }
        }
    });
    map.shared_bytes = next * bytes;
    map.tile = ok!(in_shared(layout, &of, len, &shared));
    Ok(map)
}

/// Checks the arguments that no mode decides. Fails if there is not one box extent for each mode of the layout.
const fn request<const N: usize>(layout: &LayoutValue<N>, tile: TensorBox<'_>) -> Result<()> {
    if !layout.is_known() {
        return Err(LayoutError::plain(OP, Cause::RunTimeNumber, 0, 0));
    }
    each!(k, 0..layout.len(), {
        if layout.basis(k).is_xor() {
            return Err(LayoutError::new(OP, path_of(layout, k), Cause::XorStride, [layout.scale(k), SymInt::ZERO, SymInt::ZERO]));
        }
        if !layout.basis(k).is_integer() {
            return Err(LayoutError::new(OP, path_of(layout, k), Cause::BasisStride, [SymInt::ZERO; 3]));
        }
    });
    let rank = layout.tree.rank(layout.root());
    if tile.extents.len() != rank {
        return Err(LayoutError::plain(OP, Cause::RankMismatch, tile.extents.len() as i64, rank as i64));
    }
    if !tile.element_strides.is_empty() && tile.element_strides.len() != rank {
        return Err(LayoutError::plain(OP, Cause::RankMismatch, tile.element_strides.len() as i64, rank as i64));
    }
    if !matches!(tile.element_bits, 8 | 16 | 32 | 64) {
        return Err(LayoutError::plain(OP, Cause::ElementBits, tile.element_bits as i64, 0));
    }
    if !tile.address.is_multiple_of(16) {
        let shown = if tile.address > i64::MAX as u64 { i64::MAX } else { tile.address as i64 };
        return Err(LayoutError::plain(OP, Cause::TensorAddress, shown, 0));
    }
    Ok(())
}

/// Returns the path of the mode of the layout that contains leaf `k`.
const fn path_of<const N: usize>(layout: &LayoutValue<N>, k: usize) -> crate::error::Path {
    let mut mode = 0;
    while let Some(node) = layout.tree.mode(layout.root(), mode) {
        if k < node.hi {
            break;
        }
        mode += 1;
    }
    crate::error::Path::ROOT.then(mode)
}

/// Coalesces each mode of the layout and cuts the box along the leaves that remain.
const fn dimensions<const N: usize>(layout: &LayoutValue<N>, tile: TensorBox<'_>) -> Result<Dimensions> {
    let empty = Dimension { mode: 0, extent: 1, stride: 0, box_extent: 1, step: 1, divisor: 1, last: true };
    let mut out = Dimensions { of: [empty; MOST], len: 0 };
    let mut mode = 0;
    while let Some(node) = layout.tree.mode(layout.root(), mode) {
        let leaves = ok!(layout.merged(node, Omit::Single, &mut ExprGraph::<0>::new(OP)));
        let step = if tile.element_strides.is_empty() { 1 } else { tile.element_strides[mode] };
        if step < 1 || step > 8 {
            return Err(LayoutError::at_mode(OP, mode, Cause::ElementStride, step, 0));
        }
        if step != 1 && leaves.len() > 1 {
            return Err(LayoutError::at_mode(OP, mode, Cause::FixedElementStride, step, 0));
        }
        let (mut rest, mut divisor) = (tile.extents[mode], 1);
        if rest < 1 {
            return Err(LayoutError::at_mode(OP, mode, Cause::BoxExtent, rest, 0));
        }
        each!(k, 0..leaves.len(), {
            let (extent, last) = (leaves.shape[k], k + 1 == leaves.len());
            if extent < 1 {
                return Err(LayoutError::at_mode(OP, mode, Cause::TensorExtent, extent, 0));
            }
            let inside = if rest < extent { rest } else { extent };
            if !last && (extent % inside != 0 || rest % inside != 0) {
                return Err(LayoutError::at_mode(OP, mode, Cause::BoxNesting, rest, extent));
            }
            let box_extent = if last { rest } else { inside };
            if out.len < MOST {
                out.of[out.len] = Dimension { mode, extent, stride: leaves.stride[k], box_extent, step, divisor, last };
            }
            out.len += 1;
            rest /= box_extent;
            // No coordinate of 64 bits reaches a divisor that saturates.
            divisor = divisor.saturating_mul(extent);
        });
        mode += 1;
    }
    Ok(out)
}

/// Returns the number of the contiguous mode: the first of stride 1 with more than one element. Fails if there is none.
const fn contiguous(of: &[Dimension; MOST], len: usize) -> Result<usize> {
    each!(k, 0..len, {
        if of[k].stride == 1 && of[k].extent > 1 {
            return Ok(k);
        }
    });
    Err(LayoutError::plain(OP, Cause::NotContiguous, 0, 0))
}

/// Returns the stride of a mode in bytes. Fails if a number of the mode is outside its range.
const fn checked(dimension: Dimension, inner: bool, bytes: i64) -> Result<i64> {
    let Dimension { mode, extent, stride, box_extent, step, .. } = dimension;
    if extent > 1 << 32 {
        return Err(LayoutError::at_mode(OP, mode, Cause::TensorExtent, extent, 0));
    }
    if box_extent > 256 {
        return Err(LayoutError::at_mode(OP, mode, Cause::BoxExtent, box_extent, 0));
    }
    if inner {
        return match step {
            1 => Ok(bytes),
            _ => Err(LayoutError::at_mode(OP, mode, Cause::FixedElementStride, step, 0)),
        };
    }
    // One element does not move, so any stride will do.
    if extent == 1 {
        return Ok(16);
    }
    match stride.checked_mul(bytes) {
        None => Err(LayoutError::at_mode(OP, mode, Cause::Overflow, stride, bytes)),
        Some(stride) if stride < 0 || stride >= 1 << 40 || stride % 16 != 0 => {
            Err(LayoutError::at_mode(OP, mode, Cause::TensorStride, stride, 0))
        }
        Some(stride) => Ok(stride),
    }
}

/// Returns the number of elements that a copy moves along a mode.
const fn count(dimension: Dimension) -> i64 {
    (dimension.box_extent + dimension.step - 1) / dimension.step
}

/// Returns the box in shared memory, by the modes of the layout. `shared` has the stride of each mode of the map, in elements.
const fn in_shared<const N: usize>(
    layout: &LayoutValue<N>,
    of: &[Dimension; MOST],
    len: usize,
    shared: &[i64; MOST],
) -> Result<LayoutValue<MOST>> {
    let cx = ExprGraph::<0>::new(OP);
    let mut out = LayoutValue::empty();
    let outermost = !layout.tree.is_leaf(layout.root()) as u8;
    each!(k, 0..len, {
        // A mode of one leaf is an integer, and a mode of several is a tuple.
        let continues = k > 0 && of[k - 1].mode == of[k].mode;
        let nested = continues || !of[k].last;
        let level = outermost + nested as u8;
        let join = outermost + continues as u8;
        ok!(out.push_leaf(level, join, SymInt(count(of[k])), Stride::integer(SymInt(shared[k])), &cx));
    });
    Ok(out)
}
