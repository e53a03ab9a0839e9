//! Laws of casts and of common layouts.

use super::inverses::{beginning, is_decided, longest};
use super::operands::related;
use super::{answer, point};
use crate::common::{After, Function, Layout, Outcome, Rng, Tree, Verdict, ask, ask_function, ask_int, same};
use crate::ensure;
use crd2idx::error::Op;

fn factor(rng: &mut Rng) -> i64 {
    if rng.one_in(4) { rng.between(1, 6) } else { 1 << rng.between(0, 3) }
}

/// The index of group `g` times `n` is the index of the element at `g * steps`, digit by digit, where the group begins.
pub fn upcast(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let n = factor(rng);
    let r = answer!(ask_function(op.name(), &[f, &n]));
    upcast_is(&format!("upcast({f}, {n}) = {r}"), f, n, &r)
}

fn upcast_is(context: &str, f: &Function, n: i64, r: &Function) -> Verdict {
    let (indices, groups) = (f.indices().ok_or("coordinates")?, r.indices().ok_or("coordinates")?);
    if let Some(both) = f.shape().zip(&r.shape()) {
        let steps: Vec<i64> = both.leaves().iter().map(|(old, new)| if *new == 0 { 1 } else { old.div_euclid(*new).max(1) }).collect();
        for (g, index) in groups.iter().enumerate() {
            let first: Vec<i64> = r.shape().unravel(g as i64).leaves().iter().zip(&steps).map(|(c, s)| c * s).collect();
            same(&format!("{context}: group {g}"), Some(n * index), f.at_coordinate(&f.shape().filled(&first)).leaves().first().copied())?;
        }
    }
    // If no stride is negative, a group is `n` aligned indices, and each element lies in exactly one group.
    let rises = |l: &Layout, single: bool| l.leaves().iter().all(|leaf| leaf.stride >= 0 || single && leaf.extent == 1);
    // The outer layout may lead outside the domain of the inner one, so the inner one's negative strides count even at extent 1.
    let after = if let After::Layout(inner) = &f.after { rises(inner, false) } else { true };
    if after && rises(&f.outer, true) && !groups.is_empty() {
        let mut found: Vec<i64> = indices.iter().map(|x| x.div_euclid(n)).collect();
        let each = indices.len() / groups.len();
        let mut want: Vec<i64> = groups.iter().flat_map(|g| vec![*g; each]).collect();
        found.sort_unstable();
        want.sort_unstable();
        same(&format!("{context}, groups of elements"), found, want)?;
    }
    Ok(Outcome::Answered)
}

/// The result has the indices `n x` to `n x + n - 1` for every index `x` of `f`.
pub fn downcast(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let n = factor(rng);
    let r = answer!(ask_function(op.name(), &[f, &n]));
    let context = format!("downcast({f}, {n}) = {r}");
    let mut got = r.indices().ok_or("coordinates")?;
    let mut want: Vec<i64> = f.indices().ok_or("coordinates")?.iter().flat_map(|x| (0..n).map(move |part| n * x + part)).collect();
    got.sort_unstable();
    want.sort_unstable();
    same(&context, got, want)?;
    Ok(Outcome::Answered)
}

/// A recast is a downcast followed by an upcast.
pub fn recast(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let (old, new) = (*rng.pick(&[4, 8, 16, 32]), *rng.pick(&[4, 8, 16, 24, 32]));
    let r = answer!(ask_function(op.name(), &[f, &old, &new]));
    let common = (1..=old).rev().find(|d| old % d == 0 && new % d == 0).ok_or("no divisor")?;
    let finer = answer!(ask_function("downcast", &[f, &(old / common)]));
    upcast_is(&format!("recast_layout({f}, {old}, {new}) = {r}, by {finer}"), &finer, new / common, &r)
}

/// `A(V(i)) = B(V(i)) = i` for `i < size(V)` in both domains. No longer layout does this if `B` is injective and counts up.
pub fn max_common(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let b = related(f, rng);
    let size = answer!(ask_int("max_common_vector", &[f, &b]));
    let v = ask_function("max_common_layout", &[f, &b]).map_err(|error| format!("max_common_layout({f}, {b}): {error}"))?;
    let context = format!("{}({f}, {b}) = {v}", op.name());
    same(&format!("size of {context}"), v.size(), size)?;
    for (i, c) in v.indices().ok_or("coordinates")?.into_iter().enumerate() {
        for side in [f, &b] {
            ensure!((0..side.size()).contains(&c) || side.size() == 0, "{context} leaves the domain of {side}");
            ensure!(side.size() == 0 || point(&side.at(c)) == point(&Tree::Leaf(i as i64)), "{context}: {side} at {c}");
        }
    }
    if let (Some(inverse), true) = (beginning(&b), is_decided(&b) && is_decided(f)) {
        let shared = inverse.iter().enumerate().take_while(|(i, c)| **c < f.size() && f.at(**c) == Tree::Leaf(*i as i64)).count();
        let want = longest(&inverse[..shared], b.exchanges());
        ensure!(v.size() >= want as i64, "{context}, though there is one of {want}");
    }
    Ok(Outcome::Answered)
}

/// Returns the largest `n` for which `n` steps of one digit are consecutive indices from a multiple of `n`; `None` for coordinates.
fn alignment(f: &Function) -> Option<i64> {
    let indices = f.indices()?;
    let size = indices.len() as i64;
    // A digit begins at the start of a leaf, or inside a leaf.
    let mut places = vec![1];
    for leaf in f.outer.leaves() {
        let before = *places.last()?;
        places.extend((2..leaf.extent).filter(|d| leaf.extent % d == 0).map(|d| before * d));
        places.push(before * leaf.extent);
    }
    let whole = |place: i64, n: i64| {
        size % (place * n) == 0
            && (0..size).filter(|c| c / place % n == 0).all(|c| {
                let first = indices[c as usize];
                first % n == 0 && (0..n).all(|k| indices[(c + k * place) as usize] == first + k)
            })
    };
    (1..=size).rev().find(|n| places.iter().any(|place| whole(*place, *n)))
}

pub fn max_alignment(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let n = answer!(ask_int(op.name(), &[f]));
    if f.size() > 0
        && let Some(want) = alignment(f)
    {
        same(&format!("max_alignment({f})"), n, want)?;
    }
    Ok(Outcome::Answered)
}

/// Every element is copied once. The values of a vector are consecutive and aligned on both sides.
pub fn copy_threads(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let b = if rng.one_in(4) { f.clone() } else { Function::plain(f.outer.clone()) };
    let (threads, bits) = (1 << rng.between(0, 4), 8 << rng.between(0, 3));
    let places = answer!(ask(op.name(), &[f, &b, &threads, &bits]));
    let r = crate::common::notation::function(&places).ok_or("no layout")?;
    let context = format!("copy_threads({f}, {b}, {threads}, {bits}) = {r}");
    let mut copied = r.indices().ok_or("coordinates")?;
    let vector = r.outer.modes().get(1).map_or(1, |values| values.modes().first().map_or(1, |mode| mode.size()));
    for group in (0..copied.len() as i64 / threads).step_by(vector as usize).flat_map(|v| (0..threads).map(move |t| (t, v))) {
        let at = |v: i64| copied[(group.0 + threads * v) as usize];
        for side in [f, &b] {
            let Tree::Leaf(first) = side.at(at(group.1)) else { return Err(format!("{context}: a coordinate")) };
            ensure!(first % vector == 0, "{context}: a vector of {vector} begins at {first} of {side}");
            ensure!((0..vector).all(|k| side.at(at(group.1 + k)) == Tree::Leaf(first + k)), "{context}: a vector of {side} is torn");
        }
    }
    copied.sort_unstable();
    same(&context, copied, (0..f.size()).collect())?;
    Ok(Outcome::Answered)
}
