//! Laws of operations that rearrange modes.

use super::operands::Kind;
use super::{answer, on_domain, same_values, sorted};
use crate::common::{After, Function, Layout, Outcome, Rng, Tree, Verdict, ask, ask_function, same};
use crate::ensure;
use crd2idx::error::Op;

/// Returns a random profile: one integer for each mode, one for each leaf, or a single one.
fn profile(rng: &mut Rng, shape: &Tree<i64>) -> Tree<i64> {
    match shape {
        Tree::Node(modes) if rng.one_in(2) => Tree::Node(modes.iter().map(|mode| profile(rng, mode)).collect()),
        _ => Tree::Leaf(1),
    }
}

pub fn coalesce(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let by = profile(rng, &f.shape());
    let r = if rng.one_in(2) { on_domain(op, f, &[])? } else { on_domain(op, f, &[&by])? };
    let Some(r) = r else { return Ok(Outcome::Refused) };
    same_values(&format!("coalesce({f}) = {r}"), &r.values(), &f.values())?;
    Ok(Outcome::Answered)
}

fn set(values: &[Tree<i64>]) -> Vec<Vec<i64>> {
    let mut all = sorted(values);
    all.dedup();
    all
}

pub fn filter(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let Some(r) = on_domain(op, f, &[])? else { return Ok(Outcome::Refused) };
    // A layout without modes has a value only at 0.
    let at_zero = vec![f.at(0)];
    let got = if r.outer.leaves().is_empty() { at_zero } else { r.values() };
    same(&format!("image of filter({f}) = {r}"), set(&got), set(&f.values()))?;
    Ok(Outcome::Answered)
}

pub fn filter_zeros(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let Some(r) = on_domain(op, f, &[])? else { return Ok(Outcome::Refused) };
    same(&format!("image of filter_zeros({f}) = {r}"), set(&r.values()), set(&f.values()))?;
    ensure!(r.shape().zip(&f.shape()).is_some(), "filter_zeros({f}) = {r} is nested otherwise");
    Ok(Outcome::Answered)
}

pub fn flatten(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let Some(r) = on_domain(op, f, &[])? else { return Ok(Outcome::Refused) };
    same_values(&format!("flatten({f}) = {r}"), &r.values(), &f.values())?;
    ensure!(r.shape().depth() <= 1, "flatten({f}) = {r} is nested");
    Ok(Outcome::Answered)
}

pub fn unflatten(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let flat = answer!(ask_function("flatten", &[f]));
    let Some(r) = on_domain(op, &flat, &[&f.shape()])? else { return Ok(Outcome::Refused) };
    same(&format!("unflatten({flat}, {})", f.shape()), r.to_string(), f.to_string())?;
    Ok(Outcome::Answered)
}

/// A compact layout of the same shape, with strides in the order of the strides of the layout inside.
pub fn layout_like(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let r = answer!(ask_function(op.name(), &[f]));
    let context = format!("make_layout_like({f}) = {r}");
    ensure!(!matches!(f.after, After::Layout(_)), "{context}, though two layouts have no strides");
    same(&context, r.after.clone(), After::Nothing)?;
    same(&format!("shape of {context}"), r.shape().to_string(), f.shape().to_string())?;
    let pairs: Vec<_> = r.outer.leaves().into_iter().zip(f.outer.leaves()).collect();
    // After an extent of 0, all strides are 0.
    let stands = |new: i64, old: i64| (new == 0) == (old == 0) || r.size() == 0;
    ensure!(pairs.iter().all(|(new, old)| stands(new.stride, old.stride) || old.extent == 1), "{context} moves what stands");
    let moving: Vec<_> = pairs.iter().filter(|(new, _)| new.stride != 0 && new.extent != 1).collect();
    let size: i64 = if r.size() == 0 { 0 } else { moving.iter().map(|(new, _)| new.extent).product() };
    same(&format!("image of {context}"), r.outer.image(), (0..size).collect())?;
    for (a, b) in moving.iter().flat_map(|a| moving.iter().map(move |b| (a, b))) {
        ensure!(a.1.stride.abs() >= b.1.stride.abs() || a.0.stride < b.0.stride, "{context} has another order");
    }
    Ok(Outcome::Answered)
}

/// Returns the coordinate with `inside` in mode `k` and 0 elsewhere.
fn only(f: &Function, k: usize, inside: i64) -> Tree<i64> {
    match &f.outer {
        Tree::Leaf(_) => Tree::Leaf(inside),
        Tree::Node(modes) => Tree::Node((0..modes.len()).map(|m| Tree::Leaf(if m == k { inside } else { 0 })).collect()),
    }
}

pub fn get(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let k = rng.below(f.outer.rank().max(1));
    let Some(r) = on_domain(op, f, &[&k])? else { return Ok(Outcome::Refused) };
    let want: Vec<_> = (0..f.outer.modes()[k].size()).map(|i| f.at_coordinate(&only(f, k, i))).collect();
    same_values(&format!("get({f}, {k}) = {r}"), &r.values(), &want)?;
    Ok(Outcome::Answered)
}

/// `select` and `take` return the chosen modes, in the order in which they are chosen.
pub fn select(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let rank = f.outer.rank();
    let (chosen, r) = if op == Op::Take {
        let begin = rng.below(rank);
        let end = begin + 1 + rng.below(rank - begin);
        ((begin..end).collect(), on_domain(op, f, &[&begin, &end])?)
    } else {
        let mut chosen: Vec<usize> = (0..rank).filter(|_| rng.one_in(2)).collect();
        chosen.reverse();
        if chosen.is_empty() {
            chosen.push(0);
        }
        let text = format!("({})", chosen.iter().map(usize::to_string).collect::<Vec<_>>().join(","));
        (chosen, on_domain(op, f, &[&text])?)
    };
    let Some(r) = r else { return Ok(Outcome::Refused) };
    let modes = f.outer.modes();
    let sizes = Tree::Node(chosen.iter().map(|k| Tree::Leaf(modes[*k].size())).collect());
    let want: Vec<Tree<i64>> = (0..sizes.product())
        .map(|c| {
            let mut whole = vec![Tree::Leaf(0); modes.len()];
            for (k, x) in chosen.iter().zip(sizes.unravel(c).leaves()) {
                whole[*k] = Tree::Leaf(x);
            }
            f.at_coordinate(&if f.outer.is_leaf() { whole[0].clone() } else { Tree::Node(whole) })
        })
        .collect();
    same_values(&format!("{}({f}, {chosen:?}) = {r}", op.name()), &r.values(), &want)?;
    Ok(Outcome::Answered)
}

pub fn group(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let begin = rng.below(f.outer.rank());
    let end = begin + 1 + rng.below(f.outer.rank() - begin);
    let Some(r) = on_domain(op, f, &[&begin, &end])? else { return Ok(Outcome::Refused) };
    same_values(&format!("group({f}, {begin}, {end}) = {r}"), &r.values(), &f.values())?;
    Ok(Outcome::Answered)
}

/// Operations that add or replace modes do so in the layout applied first.
pub fn join(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let x = match rng.below(3) {
        0 => Kind::Xor.draw(rng),
        1 => Function::plain(f.outer.clone()),
        _ => Kind::Affine.draw(rng),
    };
    let k = rng.below(f.outer.rank());
    let r = if op == Op::Replace { on_domain(op, f, &[&k, &x])? } else { on_domain(op, f, &[&x])? };
    let Some(r) = r else { return Ok(Outcome::Refused) };
    let mut modes: Vec<Layout> = f.outer.modes();
    match op {
        Op::Append => modes.push(x.outer.clone()),
        Op::Prepend => modes.insert(0, x.outer.clone()),
        Op::Replace => modes[k] = x.outer.clone(),
        _ => modes = vec![f.outer.clone(), x.outer.clone()],
    }
    if op == Op::Replace && f.outer.is_leaf() {
        modes = vec![x.outer.clone()];
    }
    let (want, context) = (f.with_outer(Tree::Node(modes)), format!("{}({f}, {x}) = {r}", op.name()));
    same(&format!("size of {context}"), r.size(), want.size())?;
    // Only some coordinates of the product of two domains are tried.
    let tried: Vec<i64> =
        if want.size() <= 256 { (0..want.size()).collect() } else { (0..64).map(|_| rng.between(0, want.size() - 1)).collect() };
    let values = |l: &Function| tried.iter().map(|k| l.at(*k)).collect::<Vec<_>>();
    same_values(&context, &values(&r), &values(&want))?;
    Ok(Outcome::Answered)
}

/// `slice` returns the modes that a coordinate leaves open, and `dice` the modes that it fixes. Modes are open or fixed as a whole.
pub fn slice(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let Tree::Node(modes) = &f.outer else { return Ok(Outcome::Refused) };
    if f.size() == 0 || modes.is_empty() {
        return Ok(Outcome::Refused);
    }
    let fixed: Vec<Option<i64>> =
        modes.iter().map(|mode| if rng.one_in(2) { None } else { Some(rng.between(0, mode.size() - 1)) }).collect();
    let c = Tree::Node(fixed.iter().map(|x| Tree::Leaf(*x)).collect()).text(&|x| x.map_or("_".into(), |x| x.to_string()));
    let kept = op == Op::Slice;
    let chosen: Vec<Layout> = modes.iter().zip(&fixed).filter(|(_, x)| x.is_none() == kept).map(|(mode, _)| mode.clone()).collect();
    let r = answer!(ask_function(op.name(), &[f, &c]));
    let context = format!("{}({f}, {c}) = {r}", op.name());
    same(&context, r.outer.to_string(), Tree::Node(chosen.clone()).to_string())?;
    if !kept {
        on_domain(op, f, &[&c])?;
        return Ok(Outcome::Answered);
    }
    let sizes = Tree::Node(chosen.iter().map(|mode| Tree::Leaf(mode.size())).collect());
    let mut first = None;
    for k in 0..sizes.product() {
        let mut digits = sizes.unravel(k).leaves().into_iter();
        let whole = Tree::Node(fixed.iter().map(|x| Tree::Leaf(x.unwrap_or_else(|| digits.next().expect("a digit")))).collect());
        let (got, want) = (r.at(k), f.at_coordinate(&whole));
        match (&f.after, got, want) {
            (After::Nothing, Tree::Leaf(got), Tree::Leaf(want)) => {
                let offset = *first.get_or_insert(want - got);
                same(&format!("{context} at {k}"), got + offset, want)?;
            }
            // If strides are coordinates, so is the offset, which is not returned.
            (After::Nothing, ..) => {}
            (_, got, want) => same(&format!("{context} at {k}"), got, want)?,
        }
    }
    Ok(Outcome::Answered)
}

/// `col_major`, `row_major` and the like return the same layout for a layout as for its shape.
pub fn maker(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let shape = f.shape();
    let order = shape.map(&mut |_| rng.between(0, 5));
    let with = |first: &dyn std::fmt::Display| if op == Op::Ordered { ask(op.name(), &[first, &order]) } else { ask(op.name(), &[first]) };
    let context = format!("{}({f})", op.name());
    let text = match (with(f), with(&shape)) {
        (Ok(got), Ok(want)) => {
            same(&context, got.clone(), want)?;
            got
        }
        (Err(_), Err(_)) => return Ok(Outcome::Refused),
        (got, want) => return Err(format!("{context}: {got:?}, but of the shape {want:?}")),
    };
    let r = crate::common::notation::function(&text).ok_or(format!("{context} = {text}"))?;
    same(&format!("{context} = {r}"), r.shape().to_string(), shape.to_string())?;
    for c in 0..r.size() {
        let digits = shape.unravel(c).leaves();
        match op {
            Op::ColMajor => same(&format!("{context} at {c}"), r.at(c), Tree::Leaf(c))?,
            Op::RowMajor => {
                let rows = shape.leaves().iter().zip(&digits).fold(0, |sum, (extent, digit)| sum * extent + digit);
                same(&format!("{context} at {c}"), r.at(c), Tree::Leaf(rows))?;
            }
            Op::IdentityLayout => same(&format!("{context} at {c}"), r.at(c).leaves(), digits)?,
            _ => {}
        }
    }
    if op == Op::Ordered {
        same(&format!("image of {context}"), r.outer.image(), (0..r.size()).collect())?;
    }
    Ok(Outcome::Answered)
}

/// The leaves by increasing stride, and by increasing extent where strides are equal; of a composed layout, those of the layout inside.
pub fn sort(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let r = answer!(ask_function(op.name(), &[f]));
    let context = format!("sort({f}) = {r}");
    same(&context, (r.after.clone(), r.offset.clone()), (f.after.clone(), f.offset.clone()))?;
    let key = |leaf: crate::common::Leaf| (leaf.stride, leaf.extent, leaf.xor);
    let sorted: Vec<_> = r.outer.leaves().into_iter().map(key).collect();
    ensure!(sorted.is_sorted_by_key(|(stride, extent, _)| (*stride, *extent)), "{context} is not sorted");
    let mut all: Vec<_> = f.outer.leaves().into_iter().map(key).collect();
    all.sort_unstable();
    let mut kept = sorted;
    kept.sort_unstable();
    same(&context, kept, all)?;
    Ok(Outcome::Answered)
}
