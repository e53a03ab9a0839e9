//! Builds tensors of blocks, or of superblocks and blocks, in Morton order.

use super::{MappedFormat, Source};
use crate::kernels::Value;
use crate::sort::{self, Prefixes};
use crate::{Arrays, AxisMap, Indices, SparseError, SparseTensor, SparsityPattern, Width};
use alloc::vec::Vec;
use array_kernels::with_width;

/// Returns the columns of keys by which the elements of a tensor of `rank` axes are sorted, and `[s, b]`: the first `s`
/// keys identify the superblock of an element, the first `b` its block. `stored` are the columns of stored coordinates.
///
/// The keys are the coordinates of the superblock (if there are superblocks), then the interleaved bits of the block,
/// then the interleaved bits of the element. Fails if memory has no room.
pub(super) fn keys(map: &AxisMap, rank: usize, stored: &[Indices]) -> Result<(Vec<Indices<'static>>, [usize; 2]), SparseError> {
    let supers = stored.len() - 2 * rank;
    let mut keys: Vec<Indices> = stored[..supers].iter().map(|column| column.clone().into_owned()).collect();
    let mut ends = [supers; 2];
    for first in [supers, supers + rank] {
        ends[1] = keys.len();
        let words = AxisMap::interleaved(&map.extents()[first..first + rank])?;
        keys.extend(words.forward_columns(&stored[first..first + rank])?);
    }
    Ok((keys, ends))
}

/// Returns the tensor of blocks, or of superblocks and blocks, in Morton order. `chain` has their map and levels, `rank`
/// is the number of axes before the map. Fails if memory has no room.
pub(super) fn in_morton_order<V: Value>(
    source: &Source<V>,
    rank: usize,
    chain: &MappedFormat,
) -> Result<SparseTensor<'static, V>, SparseError> {
    let stored = chain.map.forward_columns(&source.tensor.all_coordinates()?)?;
    let (keys, [superblock, block]) = keys(&chain.map, rank, &stored)?;
    let order = sort::order(&keys)?;
    let prefixes = order.prefixes(&keys)?;
    let values = source.tensor.values().with_each(|values| order.gather(values, 1))?;
    let (levels, lengths) = (stored.len(), [superblock, block, keys.len()]);
    let mut arrays = Arrays::new();
    for (level, column) in stored.iter().enumerate() {
        // Each superblock and each block is stored once: take its coordinate from its first element.
        let group = 2 - (levels - 1 - level) / rank;
        let places: Vec<usize> = prefixes.starts(lengths[group]).map(|k| order.index(k)).collect();
        arrays = arrays.with_indices(level, column.gather(&places));
        if group < 2 && (level + 1).is_multiple_of(rank) {
            arrays = arrays.with_pointers(level, pointers(&prefixes, lengths[group], lengths[group + 1])?);
        }
    }
    let pattern = SparsityPattern::checked(chain.map.extents(), chain.format.clone(), arrays, false).map_err(|rejected| rejected.error)?;
    source.tensor_of(pattern, values)
}

/// Returns, for each prefix of `from` keys, the position of its first prefix of `to` keys, and then the number of all
/// prefixes of `to` keys.
fn pointers(prefixes: &Prefixes, from: usize, to: usize) -> Result<Indices<'static>, SparseError> {
    Ok(with_width!(Width::of(prefixes.count(to) as u64), P => prefixes.pointers::<P>(from, to)?.into()))
}
