//! Checks of the parts of a composite tensor: extents, coordinates, duplicates, and the order that a scheme promises.

use super::{BlockOrder, Composite, Part, Scheme, blocks, groups};
use crate::kernels::Value;
use crate::sort::{self, Prefixes};
use crate::{Indices, SparseError};
use alloc::vec::Vec;

type Result<T> = core::result::Result<T, SparseError>;

/// Checks that parts fit the shape, that their elements lie in it, and that no two parts store the same element.
pub(super) fn parts<V: Value + PartialEq>(composite: &Composite<V>) -> Result<()> {
    let shape = &composite.shape;
    for (k, Part { map, tensor }) in composite.parts.iter().enumerate() {
        if map.shape() != shape {
            return Err(SparseError::PartShape { part: k, found: map.shape().to_vec(), expected: shape.clone() });
        }
        if tensor.shape() != map.extents() {
            return Err(SparseError::PartShape { part: k, found: tensor.shape().to_vec(), expected: map.extents().to_vec() });
        }
        if *tensor.fill() != composite.fill {
            return Err(SparseError::PartFill { part: k });
        }
        if tensor.format().is_multigraph() {
            return Err(SparseError::MultigraphPart { part: k });
        }
        if !map.is_identity() {
            in_range(composite, k)?;
        }
    }
    if composite.parts.len() > 1 { disjoint(composite) } else { Ok(()) }
}

/// Fails unless the elements of the part with number `part` lie in the shape. Values in blocks that belong to no element
/// may lie outside.
fn in_range<V: Value + PartialEq>(composite: &Composite<V>, part: usize) -> Result<()> {
    let (columns, _) = composite.elements(part)?;
    for (axis, (column, extent)) in columns.iter().zip(&composite.shape).enumerate() {
        if let Some((at, found)) = column.iter().enumerate().find(|(_, x)| x >= extent) {
            return Err(SparseError::PartRange { part, at, axis, found, extent: *extent });
        }
    }
    Ok(())
}

/// Fails if two elements have the same coordinate, and names their parts.
fn disjoint<V: Value + PartialEq>(composite: &Composite<V>) -> Result<()> {
    let mut starts = Vec::from([0]);
    for part in 0..composite.parts.len() {
        let (columns, _) = composite.elements(part)?;
        starts.push(starts[part] + columns.first().map_or(0, Indices::len));
    }
    let (columns, _) = composite.all_elements()?;
    if columns.is_empty() {
        return Ok(());
    }
    let order = sort::order(&columns)?;
    match order.prefixes(&columns)?.first_duplicate() {
        None => Ok(()),
        Some(second) => {
            let part = |element: usize| starts.partition_point(|start| *start <= element) - 1;
            let (first, second) = (order.index(second - 1), order.index(second));
            let found = columns.iter().filter_map(|column| column.get(first)).collect();
            Err(SparseError::Shared { parts: (part(first), part(second)), found })
        }
    }
}

/// Fails unless a tensor has what its scheme promises beyond the levels. For HiCOO, this is the Morton order of blocks
/// and elements. For HB-CSF, it is the part in which each slice is stored.
pub(super) fn order<V: Value + PartialEq>(composite: &Composite<V>, scheme: &Scheme) -> Result<()> {
    match scheme {
        Scheme::Hicoo { order: BlockOrder::Morton, bits, .. } => {
            let Part { map, tensor } = &composite.parts[0];
            let (keys, _) = blocks::keys(map, bits.len(), &tensor.pattern().level_columns()?)?;
            match Prefixes::new(&keys) {
                Err(SparseError::Descending { at }) => Err(SparseError::PartOrder { part: 0, at }),
                checked => checked.map(|_| ()),
            }
        }
        Scheme::HbCsf { .. } => slices(composite),
        _ => Ok(()),
    }
}

/// Fails unless each slice is in one part, the part that `groups::part_of_slice` gives for its numbers of elements and
/// fibers.
fn slices<V: Value + PartialEq>(composite: &Composite<V>) -> Result<()> {
    let mut all: Vec<(u64, usize, usize, usize)> = Vec::new();
    for (k, Part { tensor, .. }) in composite.parts.iter().enumerate() {
        let pattern = tensor.pattern();
        let mut fibers = pattern.fibers(tensor.shape().len() - 1);
        let mut slices: Vec<(u64, usize, usize, usize)> = Vec::new();
        while let Some(fiber) = fibers.next_entry() {
            match slices.last_mut() {
                Some((slice, _, elements, fibers)) if *slice == fiber.coordinates[0] => {
                    *elements += fiber.elements.len();
                    *fibers += 1;
                }
                _ => slices.push((fiber.coordinates[0], k, fiber.elements.len(), 1)),
            }
        }
        all.extend(slices);
    }
    all.sort_unstable();
    let wrong = |at: usize| {
        let (slice, part, elements, fibers) = all[at];
        groups::part_of_slice(elements, fibers) != part || at > 0 && all[at - 1].0 == slice
    };
    match (0..all.len()).find(|at| wrong(*at)) {
        None => Ok(()),
        Some(at) => {
            let (slice, part, elements, fibers) = all[at];
            Err(SparseError::Slice { part, slice, elements, fibers })
        }
    }
}
