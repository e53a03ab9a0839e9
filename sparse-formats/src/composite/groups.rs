//! Builds the parts of HB-CSF and MM-CSF: groups of elements by the slices and fibers that contain them.

use super::{MappedFormat, Source};
use crate::kernels::Value;
use crate::sort::{self, Prefixes};
use crate::{SparseError, SparseTensor};
use alloc::vec;
use alloc::vec::Vec;

/// Returns the number of the HB-CSF part that stores a slice with these numbers of elements and fibers: 0 for one element,
/// 1 if every fiber has one element, 2 otherwise.
pub(super) fn part_of_slice(elements: usize, fibers: usize) -> usize {
    match elements {
        1 => 0,
        _ if elements == fibers => 1,
        _ => 2,
    }
}

/// Returns three tensors: the slices of one element, the slices whose fibers have one element each, and all other slices.
/// `chains` has their formats. Fails if memory has no room.
pub(super) fn by_slice<V: Value>(
    source: &Source<V>,
    axis_order: &[usize],
    chains: &[MappedFormat],
) -> Result<Vec<SparseTensor<'static, V>>, SparseError> {
    let (columns, values) = source.sorted(axis_order)?;
    let prefixes = Prefixes::new(&columns)?;
    let (rank, len) = (axis_order.len(), prefixes.len());
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); chains.len()];
    let mut fibers = prefixes.starts(rank - 1).chain([len]).peekable();
    let mut slices = prefixes.starts(1).chain([len]).peekable();
    while let (Some(start), Some(&end)) = (slices.next(), slices.peek()) {
        let mut count = 0;
        while fibers.next_if(|fiber| *fiber < end).is_some() {
            count += 1;
        }
        places[part_of_slice(end - start, count)].extend(start..end);
    }
    let part = |(chain, places): (&MappedFormat, &Vec<usize>)| source.part(&chain.format, axis_order, &columns, &values, places);
    chains.iter().zip(&places).map(part).collect()
}

/// Returns a tensor for each of `chains`, whose formats order the axes differently. An element is in the tensor in whose
/// order its fiber is longest; at a tie it is in the first of these. Fails if memory has no room.
pub(super) fn by_fiber<V: Value>(source: &Source<V>, chains: &[MappedFormat]) -> Result<Vec<SparseTensor<'static, V>>, SparseError> {
    let rank = source.shape.len();
    let regular: Vec<usize> = (0..rank).collect();
    let (columns, values) = source.sorted(&regular)?;
    let len = columns.first().map_or(0, |column| column.len());
    // For each element the length of its longest fiber so far, and the chain of that fiber.
    let mut longest = vec![(0usize, 0usize); len];
    for (k, chain) in chains.iter().enumerate() {
        let ordered: Vec<_> = chain.format.axis_order().iter().map(|axis| columns[*axis].view()).collect();
        let order = sort::order(&ordered)?;
        let prefixes = order.prefixes(&ordered)?;
        let mut starts = prefixes.starts(rank - 1).chain([len]).peekable();
        while let (Some(start), Some(&end)) = (starts.next(), starts.peek()) {
            for at in start..end {
                let best = &mut longest[order.index(at)];
                if end - start > best.0 {
                    *best = (end - start, k);
                }
            }
        }
    }
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); chains.len()];
    longest.iter().enumerate().for_each(|(element, (_, k))| places[*k].push(element));
    let part = |(chain, places): (&MappedFormat, &Vec<usize>)| source.part(&chain.format, &regular, &columns, &values, places);
    chains.iter().zip(&places).map(part).collect()
}
