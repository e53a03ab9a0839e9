//! Chooses the order of the contractions of pairs: the optimum for few tensors, one cheap pair after the other for many.

use crate::estimate::{Letters, products, size};
use alloc::vec;
use alloc::vec::Vec;

/// The greatest number of tensors for which all orders are compared.
const EXACT: usize = 8;

/// The cost of a product of two sparse tensors, in products of which one operand is dense: coordinates are compared, and sums
/// are found by them.
const SPARSE: f64 = 4.0;

/// A tensor of a path.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub letters: Letters,
    pub stored: f64,
    pub dense: bool,
}

/// Returns pairs of tensors to contract. The tensors are numbered from 0, and each pair adds one with the next number.
/// The letters `output` stay.
pub(crate) fn pairs(extents: &[u64], nodes: &[Node], output: Letters) -> Vec<(usize, usize)> {
    if nodes.len() <= EXACT { optimal(extents, nodes, output) } else { greedy(extents, nodes, output) }
}

/// Returns the product of two tensors, which has only the letters `kept`, and its cost: the products, and the elements of the
/// result.
pub(crate) fn product(extents: &[u64], a: Node, b: Node, kept: Letters) -> (Node, f64) {
    let letters = (a.letters | b.letters) & kept;
    let products = products(extents, (a.letters, a.stored), (b.letters, b.stored));
    let stored = products.min(size(extents, letters));
    let dense = a.dense || b.dense;
    (Node { letters, stored, dense }, products * if dense { 1.0 } else { SPARSE } + stored)
}

/// Compares all orders: the best order of each subset splits it into two subsets with their best orders.
fn optimal(extents: &[u64], nodes: &[Node], output: Letters) -> Vec<(usize, usize)> {
    #[derive(Clone, Copy)]
    struct Best {
        node: Node,
        cost: f64,
        left: usize,
    }
    let all = (1usize << nodes.len()) - 1;
    let mut best: Vec<Option<Best>> = vec![None; all + 1];
    for subset in 1..=all {
        if subset.is_power_of_two() {
            best[subset] = Some(Best { node: nodes[subset.trailing_zeros() as usize], cost: 0.0, left: 0 });
            continue;
        }
        let outside = (0..nodes.len()).filter(|k| subset >> k & 1 == 0).fold(output, |letters, k| letters | nodes[k].letters);
        let lowest = subset & subset.wrapping_neg();
        // Every split is met once: the left part has the first tensor.
        let mut left = (subset - 1) & subset;
        while left > 0 {
            if left & lowest != 0
                && let (Some(a), Some(b)) = (best[left], best[subset ^ left])
            {
                let (node, cost) = product(extents, a.node, b.node, outside);
                let cost = cost + a.cost + b.cost;
                if best[subset].is_none_or(|known| cost.total_cmp(&known.cost).is_lt()) {
                    best[subset] = Some(Best { node, cost, left });
                }
            }
            left = (left - 1) & subset;
        }
    }
    let mut out = Vec::new();
    fn write(best: &[Option<Best>], subset: usize, count: usize, out: &mut Vec<(usize, usize)>) -> usize {
        if subset.is_power_of_two() {
            return subset.trailing_zeros() as usize;
        }
        let left = best[subset].map_or(0, |best| best.left);
        let pair = (write(best, left, count, out), write(best, subset ^ left, count, out));
        out.push(pair);
        count + out.len() - 1
    }
    if !nodes.is_empty() {
        write(&best, all, nodes.len(), &mut out);
    }
    out
}

/// Contracts the cheapest pair first, until one tensor is left.
fn greedy(extents: &[u64], nodes: &[Node], output: Letters) -> Vec<(usize, usize)> {
    let mut left: Vec<(usize, Node)> = nodes.iter().copied().enumerate().collect();
    let mut out = Vec::new();
    while left.len() > 1 {
        let mut best: Option<(f64, usize, usize, Node)> = None;
        for i in 0..left.len() {
            for j in i + 1..left.len() {
                let others = left.iter().enumerate().filter(|(k, _)| *k != i && *k != j);
                let kept = others.fold(output, |letters, (_, (_, node))| letters | node.letters);
                let (node, cost) = product(extents, left[i].1, left[j].1, kept);
                // A pair gains by the elements that it removes.
                let cost = cost - left[i].1.stored - left[j].1.stored;
                if best.is_none_or(|known| cost.total_cmp(&known.0).is_lt()) {
                    best = Some((cost, i, j, node));
                }
            }
        }
        let Some((_, i, j, node)) = best else { break };
        let (second, first) = (left.remove(j), left.remove(i));
        out.push((first.0, second.0));
        left.push((nodes.len() + out.len() - 1, node));
    }
    out
}
