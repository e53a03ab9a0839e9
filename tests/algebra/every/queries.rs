//! Laws of conversions, of queries, and of operations on shapes and numbers.

use super::operands::Kind;
use super::{answer, same_values};
use crate::common::exists::compatible_layout;
use crate::common::function::swizzled;
use crate::common::{After, Function, Layout, Outcome, Rng, Tree, Verdict, ask, ask_function, ask_int, ask_ints, same};
use crate::ensure;
use crd2idx::error::Op;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Display;

pub fn identity(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    same("identity", ask(op.name(), &[f]).map_err(|error| error.to_string())?, f.to_string())?;
    Ok(Outcome::Answered)
}

/// Operations on numbers or tuples give the right numbers, and refuse swizzled and composed layouts.
pub fn numbers(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let (a, b) = (rng.between(0, 500), rng.between(1, 30));
    let context = format!("{}({a}, {b})", op.name());
    if f.after != After::Nothing {
        let given = ask(op.name(), &[f, &b]);
        ensure!(given.is_err(), "{}({f}, {b}) = {given:?}", op.name());
        return Ok(Outcome::Refused);
    }
    match op {
        Op::Swizzle => {
            let swizzle = Kind::Swizzled.draw(rng);
            let After::Swizzle(bits, base, shift) = swizzle.after else { return Err("no swizzle".into()) };
            let got = ask_int(op.name(), &[&format!("S<{bits},{base},{shift}>"), &a]).map_err(|error| error.to_string())?;
            same(&context, got, swizzled(bits, base, shift, a))?;
        }
        Op::ToIntTuple => same(&context, ask_ints(op.name(), &[&f.shape()]).ok(), Some(f.shape()))?,
        Op::Equal => same(&context, ask_int(op.name(), &[&f.shape(), &f.shape()]).ok(), Some(1))?,
        _ => {
            let want = match op {
                Op::IntMul => a * b,
                Op::IntDiv => a.div_euclid(b),
                _ => a.rem_euclid(b),
            };
            same(&context, ask_int(op.name(), &[&a, &b]).ok(), Some(want))?;
        }
    }
    Ok(Outcome::Answered)
}

/// Operations on a shape, a tuple or a coordinate take the shape of a layout, also of a swizzled or composed one.
pub fn of_shape(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let shape = f.shape();
    let more: Vec<String> = op.forms()[0].operands[1..]
        .iter()
        .map(|(_, kind)| match *kind {
            "integer" | "number" => rng.between(1, 9).to_string(),
            _ if rng.one_in(3) => shape.to_string(),
            _ => shape.map(&mut |_| rng.between(1, 6)).to_string(),
        })
        .collect();
    let with = |first: &dyn Display| {
        let args: Vec<&dyn Display> = [first].into_iter().chain(more.iter().map(|x| x as &dyn Display)).collect();
        ask(op.name(), &args)
    };
    let context = format!("{}({f}, {more:?})", op.name());
    let got = match (with(f), with(&shape)) {
        (Ok(got), Ok(want)) => {
            same(&context, got.clone(), want)?;
            got
        }
        (Err(_), Err(_)) => return Ok(Outcome::Refused),
        (got, want) => return Err(format!("{context}: {got:?}, but of the shape {want:?}")),
    };
    let want = match op {
        Op::Size | Op::Product => shape.product(),
        Op::Rank => shape.rank() as i64,
        Op::Depth => shape.depth() as i64,
        Op::TupleSum => shape.leaves().iter().sum(),
        _ => return Ok(Outcome::Answered),
    };
    same(&context, got, want.to_string())?;
    Ok(Outcome::Answered)
}

/// A composition of an inner function and an outer layout is `c -> inner(offset + outer(c))`, even if the outer layout is composed itself.
pub fn composed(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let with = if rng.one_in(2) { Kind::Swizzled.draw(rng) } else { Kind::Composed.draw(rng) };
    let (inner, offset) = match &with.after {
        After::Swizzle(bits, base, shift) => (format!("S<{bits},{base},{shift}>"), rng.between(0, 9)),
        After::Layout(inner) => (inner.to_string(), rng.between(0, 4)),
        After::Nothing => return Err("no function".into()),
    };
    let Some(indices) = f.indices() else { return Ok(Outcome::Refused) };
    let r = answer!(ask_function(op.name(), &[&inner, &offset, f]));
    let negative = indices.iter().any(|x| x + offset < 0);
    if negative && (matches!(with.after, After::Swizzle(..)) || with.exchanges()) {
        return Ok(Outcome::Refused);
    }
    let want = indices.iter().map(|x| match &with.after {
        After::Swizzle(bits, base, shift) => swizzled(*bits, *base, *shift, x + offset),
        After::Layout(inner) => inner.at(x + offset),
        After::Nothing => *x,
    });
    // XOR strides are not defined for coordinates below 0.
    if let After::Layout(inner) = &with.after
        && negative
        && inner.leaves().iter().any(|leaf| leaf.xor)
    {
        return Ok(Outcome::Refused);
    }
    same_values(&format!("make_composed_layout({inner}, {offset}, {f}) = {r}"), &r.values(), &want.map(Tree::Leaf).collect::<Vec<_>>())?;
    Ok(Outcome::Answered)
}

pub fn parts(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let got = answer!(ask(op.name(), &[f]));
    let want = match (op, &f.after) {
        (_, After::Nothing) => return Err(format!("{}({f}) = {got}", op.name())),
        (Op::GetOffset, _) => f.offset.to_string(),
        (Op::GetOuter, _) => f.outer.to_string(),
        (_, After::Swizzle(bits, base, shift)) => format!("S<{bits},{base},{shift}>"),
        (_, After::Layout(inner)) => inner.to_string(),
    };
    same(op.name(), got, want)?;
    Ok(Outcome::Answered)
}

pub fn to_xor(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let r = answer!(ask_function(op.name(), &[f]));
    let context = format!("to_xor({f}) = {r}");
    same_values(&context, &r.values(), &f.values())?;
    same(&context, r.after, After::Nothing)?;
    Ok(Outcome::Answered)
}

/// The result has the values of `f`, and a swizzle only if no integer strides have these values. Never refused for integer strides.
pub fn to_affine(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let is_affine = f.outer.leaves().iter().all(|leaf| !leaf.xor && leaf.path.is_empty());
    let r = match ask_function(op.name(), &[f]) {
        Ok(r) => r,
        Err(error) => {
            ensure!(matches!(f.after, After::Layout(_)) || !is_affine, "to_affine({f}): {error}");
            return Ok(Outcome::Refused);
        }
    };
    let context = format!("to_affine({f}) = {r}");
    same_values(&context, &r.values(), &f.values())?;
    ensure!(!r.exchanges() || !r.outer.leaves().iter().any(|leaf| leaf.xor), "{context} has XOR strides");
    if let After::Swizzle(bits, ..) = r.after
        && bits > 0
        && f.outer.leaves().iter().all(|leaf| leaf.extent.count_ones() == 1)
        && f.size() <= 256
    {
        let sizes: Vec<i64> = f.outer.modes().iter().map(Layout::size).collect();
        let at = |c: &[i64]| -> i64 {
            let whole = if f.outer.is_leaf() { Tree::Leaf(c[0]) } else { Tree::Node(c.iter().map(|x| Tree::Leaf(*x)).collect()) };
            f.at_coordinate(&whole).leaves()[0]
        };
        let start = at(&vec![0; sizes.len()]);
        ensure!(!compatible_layout(&sizes, |c| vec![at(c) - start]), "{context}, though integer strides have these values");
    }
    Ok(Outcome::Answered)
}

pub fn strides(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let got = answer!(ask(op.name(), &[f]));
    ensure!(!matches!(f.after, After::Layout(_)), "get_stride({f}) = {got}");
    let outer = f.outer.to_string();
    same(&format!("get_stride({f})"), got, outer.split_once(':').map_or(String::new(), |(_, stride)| stride.to_string()))?;
    Ok(Outcome::Answered)
}

/// The cosize is the span of the indices, or, for values that are coordinates, of each component.
pub fn cosize(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let got = answer!(ask_ints(op.name(), &[f])).leaves();
    let values: Vec<Vec<i64>> = f.values().iter().map(Tree::leaves).collect();
    // An empty layout has no value that tells the number of components.
    let width = values.first().map_or(got.len(), Vec::len);
    let spans = (0..width).map(|k| {
        let along = || values.iter().map(|value| value[k]);
        along().max().unwrap_or(-1) - along().min().unwrap_or(0) + 1
    });
    let want: Vec<i64> = if op == Op::Cosize { vec![spans.product()] } else { spans.collect() };
    same(&format!("{}({f})", op.name()), got, want)?;
    Ok(Outcome::Answered)
}

/// The result counts bank conflicts: lanes that request different words of one bank wait, because a bank serves one word at a time.
pub fn bank_conflicts(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let threads = rng.between(1, 40);
    let got = answer!(ask_int(op.name(), &[f, &format!("{threads}:1"), &32, &1]));
    let mut want = 0;
    let all: Vec<i64> = (0..threads).map(|t| f.at(t).leaves()[0]).collect();
    for warp in all.chunks(32) {
        let mut words: HashMap<i64, Vec<i64>> = HashMap::new();
        for word in warp {
            let bank = words.entry(word.rem_euclid(32)).or_default();
            if !bank.contains(word) {
                bank.push(*word);
            }
        }
        want += words.values().map(Vec::len).max().unwrap_or(1) as i64 - 1;
    }
    same(&format!("bank_conflicts({f}, {threads}:1)"), got, want)?;
    Ok(Outcome::Answered)
}

pub fn crd2idx(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    if f.size() == 0 {
        return Ok(Outcome::Refused);
    }
    let c = rng.between(0, f.size() - 1);
    let nested = f.shape().unravel(c);
    let context = format!("crd2idx({f}, {c})");
    let got = answer!(ask(op.name(), &[f, &c]));
    same(&context, Some(got.clone()), Some(f.at(c).to_string()))?;
    same(&format!("{context}, by leaves"), ask(op.name(), &[f, &nested]).ok(), Some(got.clone()))?;
    same(&format!("{context}, the other way"), ask(op.name(), &[&c, f]).ok(), Some(got))?;
    Ok(Outcome::Answered)
}

/// The result is a coordinate with the given index, or a refusal if there is none. It is always found for integer strides, swizzled or not.
pub fn preimage(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let Some(indices) = f.indices() else { return Ok(Outcome::Refused) };
    let index = if rng.one_in(2) || indices.is_empty() { rng.between(0, 40) } else { *rng.pick(&indices) };
    let context = format!("{}({f}, {index})", op.name());
    let other = rng.one_in(4) && op == Op::Idx2Crd;
    match if other { ask_ints(op.name(), &[&index, f]) } else { ask_ints(op.name(), &[f, &index]) } {
        Ok(c) => {
            same(&context, f.at_coordinate(&c), Tree::Leaf(index))?;
            let inside = f.shape().zip(&c).is_some_and(|both| both.leaves().iter().all(|(extent, x)| (0..*extent).contains(x)));
            ensure!(inside, "{context} = {c} is outside");
            Ok(Outcome::Answered)
        }
        Err(error) => {
            let plain = f.outer.leaves().iter().all(|leaf| !leaf.xor) && !matches!(f.after, After::Layout(_));
            ensure!(!plain || !indices.contains(&index), "{context}: {error}");
            Ok(Outcome::Refused)
        }
    }
}

/// The coordinate of `idx2crd`, as one integer or as one for each mode: the index of that position is the given one.
pub fn linear_preimage(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let Some(indices) = f.indices().filter(|indices| !indices.is_empty()) else { return Ok(Outcome::Refused) };
    let index = *rng.pick(&indices);
    let c = answer!(if rng.one_in(2) { ask_ints(op.name(), &[&index, f]) } else { ask_ints(op.name(), &[f, &index]) });
    let context = format!("{}({f}, {index}) = {c}", op.name());
    let position = ask_int("crd2idx_shape", &[&f.shape(), &c]).map_err(|error| format!("{context}: {error}"))?;
    same(&context, f.at(position), Tree::Leaf(index))?;
    let rank = if op == Op::LinearCoordinate || f.shape().depth() == 0 { 1 } else { f.shape().rank() };
    same(&context, c.leaves().len(), rank)?;
    Ok(Outcome::Answered)
}

/// The table of the indices of a layout gives a layout with these indices, whose shape refines the given one.
pub fn from_table(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    // The tests parse tuples of at most 32 leaves.
    let Some(indices) = f.indices().filter(|indices| (1..=32).contains(&indices.len())) else { return Ok(Outcome::Refused) };
    let table = indices.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    let table = format!("({table})");
    let must = f.after == After::Nothing && f.outer.leaves().iter().all(|leaf| !leaf.xor);
    let r = match ask_function(op.name(), &[&table, &f.shape()]) {
        Ok(r) => r,
        Err(error) => {
            ensure!(!must, "from_table({table}, {}): {error}, but {f} has these indices", f.shape());
            return Ok(Outcome::Refused);
        }
    };
    let context = format!("from_table({table}, {}) = {r}", f.shape());
    same(&context, r.indices(), Some(indices))?;
    ensure!(!must || r.after == After::Nothing, "{context} has a swizzle");
    same(&context, ask_int("compatible", &[&f.shape(), &r.shape()]).ok(), Some(1))?;
    Ok(Outcome::Answered)
}

/// Two layouts are equal as functions exactly if their indices are.
pub fn equal_functions(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let Some(indices) = f.indices() else { return Ok(Outcome::Refused) };
    let other = match rng.between(0, 3) {
        0 => f.clone(),
        1 => answer!(ask_function("coalesce", &[f])),
        2 => answer!(ask_function("to_xor", &[f])),
        _ => Kind::Affine.draw(rng),
    };
    let Some(others) = other.indices() else { return Ok(Outcome::Refused) };
    let got = answer!(ask_int(op.name(), &[f, &other]));
    same(&format!("equal_functions({f}, {other})"), got, i64::from(indices == others))?;
    Ok(Outcome::Answered)
}

/// Returns the set of the indices of a function.
fn image(f: &Function) -> Option<BTreeSet<i64>> {
    Some(f.indices()?.into_iter().collect())
}

/// A layout is injective exactly if it has as many indices as coordinates.
pub fn injective(op: Op, f: &Function, _rng: &mut Rng) -> Verdict {
    let Some(indices) = f.indices() else { return Ok(Outcome::Refused) };
    let got = answer!(ask_int(op.name(), &[f]));
    let distinct = indices.iter().collect::<BTreeSet<_>>().len() == indices.len();
    same(&format!("injective({f})"), got, i64::from(distinct))?;
    Ok(Outcome::Answered)
}

/// Two layouts are disjoint exactly if their sets of indices are.
pub fn disjoint(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let other = Kind::Affine.draw(rng);
    let (Some(left), Some(right)) = (image(f), image(&other)) else { return Ok(Outcome::Refused) };
    let got = answer!(ask_int(op.name(), &[f, &other]));
    same(&format!("disjoint({f}, {other})"), got, i64::from(left.is_disjoint(&right)))?;
    Ok(Outcome::Answered)
}

/// A layout covers another one exactly if it has all of its indices.
pub fn covers(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let other = Kind::Affine.draw(rng);
    let (Some(left), Some(right)) = (image(f), image(&other)) else { return Ok(Outcome::Refused) };
    let got = answer!(ask_int(op.name(), &[f, &other]));
    same(&format!("covers({f}, {other})"), got, i64::from(left.is_superset(&right)))?;
    Ok(Outcome::Answered)
}

/// A layout is in bounds exactly if all of its indices are.
pub fn in_bounds(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let Some(indices) = f.indices() else { return Ok(Outcome::Refused) };
    let n = indices.iter().max().map_or(0, |most| most + rng.between(0, 1));
    let got = answer!(ask_int(op.name(), &[&f, &n]));
    same(&format!("in_bounds({f}, {n})"), got, i64::from(indices.iter().all(|index| (0..n).contains(index))))?;
    Ok(Outcome::Answered)
}
