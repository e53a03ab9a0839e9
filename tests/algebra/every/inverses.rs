//! Laws of inverses and complements.

use super::{answer, is_injective, point};
use crate::common::exists::layout_of_ints;
use crate::common::{After, Function, Layout, Outcome, Rng, Tree, Verdict, ask_function, same};
use crate::ensure;
use crd2idx::error::Op;
use std::collections::HashSet;

/// Returns the coordinates of the indices 0, 1, .., up to the first missing one; `None` if an index is negative, repeated or no integer.
pub fn beginning(f: &Function) -> Option<Vec<i64>> {
    let indices = f.indices()?;
    let set: HashSet<&i64> = indices.iter().collect();
    if set.len() != indices.len() || indices.iter().any(|x| *x < 0) {
        return None;
    }
    Some((0..).map_while(|i| indices.iter().position(|x| *x == i).map(|c| c as i64)).collect())
}

/// Returns the length of the longest prefix of `numbers` that is a layout with integer strides, or, with `xor`, with XOR strides.
pub fn longest(numbers: &[i64], xor: bool) -> usize {
    let is_layout = |n: &usize| {
        let part = &numbers[..*n];
        let linear = || {
            n.is_power_of_two() && (0..*n).all(|i| part[i] == (0..n.ilog2()).filter(|b| i >> b & 1 == 1).fold(0, |x, b| x ^ part[1 << b]))
        };
        layout_of_ints(part).is_some() || (xor && linear())
    };
    (1..=numbers.len()).rev().find(is_layout).unwrap_or(0)
}

/// Tests whether the longest inverse of `f` is known: `f` is not composed of two layouts, and either has no XOR, or has only
/// extents that are powers of two and no negative stride.
pub fn is_decided(f: &Function) -> bool {
    let leaves = f.outer.leaves();
    !matches!(f.after, After::Layout(_))
        && (!f.exchanges() || leaves.iter().all(|leaf| leaf.extent > 0 && leaf.extent.count_ones() == 1 && leaf.stride >= 0))
}

pub fn right_inverse(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let r = answer!(ask_function(op.name(), &[f]));
    let context = format!("right_inverse({f}) = {r}");
    // An empty layout has values at integers beyond its domain.
    ensure!(f.size() == 0 || r.size() <= f.size(), "{context} is larger");
    for i in 0..r.size() {
        let Tree::Leaf(c) = r.at(i) else { return Err(format!("{context} gives a coordinate")) };
        // If `f` gives coordinates, compare with the coordinate in the modes of the inverse.
        same(&format!("{context} at {i}"), point(&f.at(c)), point(&coordinate(&r.outer, i, f)))?;
        ensure!((0..f.size()).contains(&c) || f.size() == 0, "{context} leaves the domain");
    }
    if let (Some(inverse), true) = (beginning(f), is_decided(f)) {
        let want = longest(&inverse, f.exchanges());
        ensure!(r.size() >= want as i64 || want <= 1, "{context}, though there is one of {want}");
    }
    Ok(Outcome::Answered)
}

/// Returns the integer `i`, or, if the values of `f` are coordinates, the coordinate of `i` in the modes of `r`.
fn coordinate(r: &Layout, i: i64, f: &Function) -> Tree<i64> {
    if f.outer.leaves().iter().all(|leaf| leaf.path.is_empty()) {
        return Tree::Leaf(i);
    }
    Tree::Node(r.modes().iter().map(|mode| Tree::Leaf(mode.size())).collect()).unravel(i)
}

pub fn left_inverse(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let q = answer!(ask_function(op.name(), &[f]));
    let context = format!("left_inverse({f}) = {q}");
    let values = f.values();
    let unique = is_injective(&values);
    for (c, value) in values.iter().enumerate() {
        let full = match value {
            // The inverse may have more modes than the coordinate.
            Tree::Node(modes) if !q.outer.is_leaf() => {
                let mut modes = modes.clone();
                modes.resize(q.outer.rank(), Tree::Leaf(0));
                Tree::Node(modes)
            }
            Tree::Node(modes) => modes.first().cloned().unwrap_or(Tree::Leaf(0)),
            leaf => leaf.clone(),
        };
        let Tree::Leaf(back) = q.at_coordinate(&full) else { return Err(format!("{context} gives a coordinate")) };
        same(&format!("{context} there and back from {c}"), point(&f.at(back)), point(value))?;
        ensure!(!unique || back == c as i64, "{context} takes {c} to {back}");
    }
    Ok(Outcome::Answered)
}

pub fn nullspace(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let k = answer!(ask_function(op.name(), &[f]));
    let context = format!("nullspace({f}) = {k}");
    let coordinates = k.indices().ok_or("coordinates")?;
    ensure!(is_injective(&k.values()), "{context} is not injective");
    for c in &coordinates {
        ensure!(f.at(*c).leaves().iter().all(|x| *x == 0), "{context} leaves the null space at {c}");
        ensure!((0..f.size()).contains(c) || f.size() == 0, "{context} leaves the domain");
    }
    let zeros = f.values().iter().filter(|value| value.leaves().iter().all(|x| *x == 0)).count() as i64;
    // No integer coordinate gets past an extent of 0.
    let leaves = f.outer.leaves();
    let reached = leaves.iter().position(|leaf| leaf.extent == 0).map_or(leaves.len(), |k| k + 1);
    let still: i64 = leaves[..reached].iter().filter(|leaf| leaf.stride == 0).map(|leaf| leaf.extent).product();
    match f.after {
        After::Layout(_) => {}
        _ if f.exchanges() && is_decided(f) => same(&format!("size of {context}"), k.size(), zeros)?,
        _ if !f.exchanges() => same(&format!("size of {context}"), k.size(), still)?,
        _ => {}
    }
    Ok(Outcome::Answered)
}

/// The sums of an index and an index of the complement all differ and reach `m`. XOR strides are summed without carries.
pub fn complement(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let m = rng.between(0, 80);
    let given = rng.one_in(2);
    let c = answer!(if given { ask_function(op.name(), &[f, &m]) } else { ask_function(op.name(), &[f]) });
    let context = format!("complement({f}{}) = {c}", if given { format!(", {m}") } else { String::new() });
    if c.size() * f.size() > 1 << 14 {
        return Ok(Outcome::Answered);
    }
    // The part of the index that XOR strides contribute without carries.
    let exchanged = |l: &Layout| Tree::Node(l.leaves().into_iter().filter(|leaf| leaf.xor).map(Tree::Leaf).collect());
    let split = |l: &Layout, at: i64| -> (i64, i64) {
        let digits = l.shape().unravel(at).leaves();
        let of = |xor: bool| l.leaves().iter().zip(&digits).filter(|(leaf, _)| leaf.xor == xor).map(|(_, x)| *x).collect::<Vec<_>>();
        let mixed = Layout::along(&exchanged(l), &[], &of(true));
        (mixed, l.at(at) - mixed)
    };
    let mut seen = HashSet::new();
    let mut most = -1;
    if f.after == After::Nothing && f.outer.leaves().iter().any(|leaf| !leaf.path.is_empty()) {
        let joined = Function::plain(Tree::Node(vec![f.outer.clone(), c.outer.clone()]));
        let still = f.outer.leaves().iter().any(|leaf| leaf.stride == 0 && leaf.extent != 1);
        ensure!(still || is_injective(&joined.values()), "{context} overlaps");
        return Ok(Outcome::Answered);
    }
    let image: HashSet<i64> = f.indices().ok_or("coordinates")?.into_iter().collect();
    for k in 0..c.size() {
        let (mixed, sum) = split(&c.outer, k);
        for x in &image {
            // Sums with a layout of integer strides have carries, even if the complement has XOR strides.
            let value = if f.exchanges() { (x ^ mixed) + sum } else { x + mixed + sum };
            ensure!(seen.insert(value), "{context} overlaps at {value}");
            most = most.max(value);
        }
    }
    // The copies of the last mode reach `m`. Gaps too narrow for a copy remain, also at the end.
    let reach = c.outer.leaves().iter().map(|leaf| leaf.extent * leaf.stride).max().unwrap_or(0).max(most + 1);
    let mut all: Vec<i64> = seen.into_iter().collect();
    all.sort_unstable();
    let gap = all.windows(2).map(|pair| pair[1] - pair[0] - 1).max().unwrap_or(0);
    ensure!(!given || f.size() == 0 || reach + gap >= m, "{context} ends at {reach}");
    ensure!(c.size() > 0 || f.size() == 0 || m == 0 && given, "{context} is empty");
    Ok(Outcome::Answered)
}
