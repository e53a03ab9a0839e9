//! Caches of keys and values of vLLM.

use super::refuse;
use crate::error::{Result, product};
use crate::mesh::Mesh;
use crate::placement::Placement;
use crate::rule::Rule;
use alloc::format;
use alloc::vec::Vec;
use relayout::{Piece, Side};

/// The cache of keys and values of one sequence in vLLM: a tensor of the shape `[layers, 2, tokens, heads, head_dim]` over ranks.
///
/// Pipeline parallelism divides the layers. Every rank has `layers / p` layers or one more; the last rank has none of the extra
/// ones. Tensor parallelism divides the heads; if there are more ranks than heads, `tensor_parallel / heads` ranks have the same
/// head. Decode context parallelism divides the tokens among ranks that have the same head: token `t` is on rank
/// `t / interleave mod decode_context_parallel` of them.
///
/// ```
/// use placements::{KvCache, PageOrder};
/// // Two heads on 8 ranks: 4 ranks have each head, and these are 2 replicas of 2 ranks that share the tokens.
/// let cache = KvCache { tensor_parallel: 8, decode_context_parallel: 2, ..KvCache::new(4, 10, 2, 64) };
/// let placement = cache.placement()?;
/// assert_eq!(placement.mesh().to_string(), "pipeline=1, head=2, replica=2, context=2");
/// assert_eq!(placement.ranges(5)?[2..4], [vec![[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]], vec![[1, 2]]]);
/// // Token 6 of head 1 is in slot 3 of page 0 of ranks 4 and 6: pages of 4 slots of 1 head of 64 numbers.
/// let pages = cache.pages(4, PageOrder::Nhd)?;
/// let spots = pages.spots(placement.shape(), &[3, 1, 6, 1, 5])?;
/// let places: Vec<_> = spots.iter().map(|(place, offset)| (place.numbers(), *offset)).collect();
/// assert_eq!(places, [(&[4, 3, 1, 0][..], 3 * 64 + 5), (&[6, 3, 1, 0][..], 3 * 64 + 5)]);
/// # Ok::<(), placements::PlacementError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KvCache {
    /// The number of layers.
    pub layers: i64,
    /// The number of tokens of the sequence.
    pub tokens: i64,
    /// The number of heads of keys and values.
    pub heads: i64,
    /// The number of elements of a head.
    pub head_dim: i64,
    /// The number of ranks that share the heads.
    pub tensor_parallel: i64,
    /// The number of ranks that share the layers.
    pub pipeline_parallel: i64,
    /// The number of ranks of one head that share the tokens.
    pub decode_context_parallel: i64,
    /// The number of consecutive tokens of a rank, `cp_kv_cache_interleave_size`.
    pub interleave: i64,
}

/// The order of the elements in a page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PageOrder {
    /// `[slot, head, head_dim]`.
    Nhd,
    /// `[head, slot, head_dim]`.
    Hnd,
}

impl KvCache {
    /// Creates the cache of one rank.
    pub fn new(layers: i64, tokens: i64, heads: i64, head_dim: i64) -> KvCache {
        KvCache { layers, tokens, heads, head_dim, tensor_parallel: 1, pipeline_parallel: 1, decode_context_parallel: 1, interleave: 1 }
    }

    /// Returns the placement, on a mesh with the axes `pipeline`, `head`, `replica` and `context`. The device is vLLM's rank.
    ///
    /// # Errors
    /// Fails if a number is below 1, if ranks do not divide the heads or the other way round, and if
    /// `decode_context_parallel` does not divide the number of ranks of one head.
    ///
    /// ```
    /// use placements::KvCache;
    /// // vLLM gives the remaining layers to the ranks before the last one.
    /// let cache = KvCache { pipeline_parallel: 4, ..KvCache::new(10, 1, 8, 128) };
    /// let layers: Vec<_> = (0..4).map(|rank| Ok(cache.placement()?.local_shape(rank)?[0])).collect::<Result<_, placements::PlacementError>>()?;
    /// assert_eq!(layers, [2, 3, 3, 2]);
    /// let error = KvCache { tensor_parallel: 3, ..cache }.placement().unwrap_err();
    /// assert_eq!(error.to_string(), "vLLM: `tensor_parallel` is 3, but 8 heads do not divide evenly");
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn placement(&self) -> Result<Placement> {
        let (heads, replicas) = self.ranks()?;
        let context = self.decode_context_parallel;
        let axes = [("pipeline", self.pipeline_parallel), ("head", heads), ("replica", replicas), ("context", context)];
        let shape = [self.layers, 2, self.tokens, self.heads, self.head_dim];
        Placement::new(&Mesh::new(axes)?, &shape)?
            .split(0, "pipeline", Rule::Cuts(self.stages()?.split_off(1)))?
            .split(3, "head", Rule::Even)?
            .split(2, "context", Rule::Block(self.interleave))
    }

    /// Returns the numbers of ranks with different heads, and of ranks with the same heads and tokens. Checks the numbers.
    fn ranks(&self) -> Result<(i64, i64)> {
        for (name, value) in [
            ("layers", self.layers),
            ("tokens", self.tokens),
            ("heads", self.heads),
            ("head_dim", self.head_dim),
            ("tensor_parallel", self.tensor_parallel),
            ("pipeline_parallel", self.pipeline_parallel),
            ("decode_context_parallel", self.decode_context_parallel),
            ("interleave", self.interleave),
        ] {
            if value < 1 {
                return refuse("vLLM", name, value, "at least 1 is needed");
            }
        }
        let (ranks, heads) = (self.tensor_parallel, self.heads);
        if ranks % heads != 0 && heads % ranks != 0 {
            return refuse("vLLM", "tensor_parallel", ranks, format!("{heads} heads do not divide evenly"));
        }
        let divided = ranks.min(heads);
        if (ranks / divided) % self.decode_context_parallel != 0 {
            let reason = format!("{} ranks have the same head", ranks / divided);
            return refuse("vLLM", "decode_context_parallel", self.decode_context_parallel, reason);
        }
        Ok((divided, ranks / divided / self.decode_context_parallel))
    }

    /// Returns the first layer of each pipeline rank. The remaining layers go to the ranks before the last one.
    fn stages(&self) -> Result<Vec<i64>> {
        let ranks = self.pipeline_parallel;
        Mesh::new([("pipeline", ranks)])?;
        let (least, more) = (self.layers / ranks, self.layers % ranks);
        // Ranks `ranks - 1 - more .. ranks - 1` have one more.
        Ok((0..ranks).map(|rank| rank * least + (rank - (ranks - 1 - more)).clamp(0, more)).collect())
    }

    /// Returns the cache in pages of `block` slots, as a side of a plan. A place is `(rank, layer, 0 for keys or 1 for values,
    /// page of the sequence on this rank)`, and offsets count elements in the page.
    ///
    /// # Errors
    /// Fails as [`placement`](Self::placement) does, and unless `interleave` divides `block`.
    pub fn pages(&self, block: i64, order: PageOrder) -> Result<Side> {
        let placement = self.placement()?;
        let (context, interleave) = (self.decode_context_parallel, if self.decode_context_parallel == 1 { block } else { self.interleave });
        if block < 1 || block % interleave != 0 {
            return refuse("vLLM", "block", block, format!("it must be a multiple of {}, and not 0", interleave.max(1)));
        }
        let mut pieces = Vec::new();
        let pages = self.tokens.unsigned_abs().div_ceil(product(block, context)? as u64);
        for first in (0..placement.mesh().devices()).step_by(context as usize) {
            let [layers, heads] = [0, 3].map(|axis| placement.axis_ranges(first, axis));
            let (layers, heads) = (layers?, heads?);
            let (Some([layer, layer_end]), Some([head, head_end])) = (layers.first(), heads.first()) else { continue };
            let (layers, heads, dim) = (layer_end - layer, head_end - head, self.head_dim);
            product(product(block, heads)?, dim)?;
            let (slot, next_head) = match order {
                PageOrder::Nhd => (heads * dim, dim),
                PageOrder::Hnd => (dim, block * dim),
            };
            let layout = format!(
                "({layers},2,({interleave},{context},{},{pages}),{heads},{dim}):(1@2,1@3,({slot}@0,1@1,{}@0,1@4),{next_head}@0,1@0)",
                block / interleave,
                interleave * slot
            );
            let piece = Piece::new(&layout, &[*layer, 0, 0, *head, 0], &[layers, 2, self.tokens, heads, dim])?;
            pieces.push(piece.with_base(&[0, first as i64, *layer, 0, 0]));
        }
        Ok(Side::pieces(pieces))
    }
}
