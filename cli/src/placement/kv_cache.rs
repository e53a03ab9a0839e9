//! Caches of keys and values of vLLM, from the pages of one engine to those of another.

use crate::answer::{Result, of_class};
use crate::request::structs;
use crd2idx::placements::{KvCache, PageOrder};
use crd2idx::relayout::{Planner, Side, json};
use serde_json::Value;

structs! {
    /// The cache of a sequence, and its pages in two engines.
    Caches { layers: i64, tokens: i64, heads: i64, head_dim: i64, from: Pages, to: Pages, max_loops: Option<usize>, limit: Option<usize> }
    /// The ranks and the pages of an engine.
    #[serde(deny_unknown_fields)]
    Pages { block: i64, order: Option<String>, tensor_parallel: Option<i64>, pipeline_parallel: Option<i64>, decode_context_parallel: Option<i64>,
        interleave: Option<i64> }
}

/// A place of a copy is `[rank, layer, 0 for keys or 1 for values, page of the sequence on this rank]`.
pub fn plan((request,): (Caches,)) -> Result<Value> {
    let Caches { layers, tokens, heads, head_dim, from, to, max_loops, limit } = request;
    let cache = KvCache::new(layers, tokens, heads, head_dim);
    let (from, to) = (from.side("from", cache)?, to.side("to", cache)?);
    let mut planner = Planner::new().extent(&[layers, 2, tokens, heads, head_dim]).overlapping();
    if let Some(loops) = max_loops {
        planner = planner.max_loops(loops);
    }
    if let Some(copies) = limit {
        planner = planner.limit(copies);
    }
    Ok(json::plan(&planner.plan(&from, &to)?))
}

impl Pages {
    /// Returns the side of a plan that has the cache in these pages. Refuses unknown orders, and numbers that do not fit.
    fn side(self, key: &str, cache: KvCache) -> Result<Side> {
        let Pages { block, order, tensor_parallel, pipeline_parallel, decode_context_parallel, interleave } = self;
        let order = match order.as_deref() {
            None | Some("NHD") => PageOrder::Nhd,
            Some("HND") => PageOrder::Hnd,
            Some(other) => return Err(of_class("placement/request", format!("{key}.order: `{other}` is neither `NHD` nor `HND`"))),
        };
        let cache = KvCache {
            tensor_parallel: tensor_parallel.unwrap_or(1),
            pipeline_parallel: pipeline_parallel.unwrap_or(1),
            decode_context_parallel: decode_context_parallel.unwrap_or(1),
            interleave: interleave.unwrap_or(1),
            ..cache
        };
        cache.pages(block, order).map_err(|error| of_class("placement/request", format!("{key}: {error}")))
    }
}
