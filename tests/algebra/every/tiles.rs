//! Laws of compositions, divides and products.

use super::operands::second;
use super::{answer, on_domain, point, same_values, sorted};
use crate::common::layout::{flat, leaf};
use crate::common::{After, Function, Layout, Outcome, Rng, Tree, Verdict, ask_function, same};
use crate::ensure;
use crd2idx::error::Op;

/// Tests whether the function is defined at `c`: XOR strides and swizzles take no negative numbers.
fn is_defined(f: &Function, c: i64) -> bool {
    let swizzled = |x: i64| !matches!(f.after, After::Swizzle(..)) || x >= 0;
    (c >= 0 || !f.exchanges()) && matches!(Function::plain(f.outer.clone()).at(c), Tree::Leaf(x) if swizzled(x + f.offset.leaves()[0]))
        || c >= 0 && !f.exchanges()
}

/// `R(c) = A(B(c))`. If the right operand is a tiler, this holds for each mode.
pub fn composition(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    if rng.one_in(4) {
        return by_mode(op, f, rng);
    }
    let b = if rng.one_in(2) { tile(rng, f.size()) } else { second(rng) };
    let Some(indices) = b.indices() else { return Ok(Outcome::Refused) };
    if indices.iter().any(|c| !is_defined(f, *c)) {
        return Ok(Outcome::Refused);
    }
    let r = answer!(ask_function(op.name(), &[f, &b]));
    let want: Vec<Tree<i64>> = indices.iter().map(|c| f.at(*c)).collect();
    same_values(&format!("composition({f}, {b}) = {r}"), &r.values(), &want)?;
    ensure!(b.shape().compatible(&r.shape()), "composition({f}, {b}) = {r} does not refine {b}");
    Ok(Outcome::Answered)
}

fn by_mode(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let modes = f.outer.modes();
    let steps: Vec<Option<Layout>> =
        modes.iter().map(|mode| if rng.one_in(3) { None } else { Some(tile(rng, mode.size()).outer) }).collect();
    let text = format!("[{}]", steps.iter().map(|step| step.as_ref().map_or("_".into(), Layout::to_string)).collect::<Vec<_>>().join(";"));
    let Some(r) = on_domain(op, f, &[&text])? else { return Ok(Outcome::Refused) };
    let sizes = Tree::Node(steps.iter().zip(&modes).map(|(step, mode)| Tree::Leaf(step.as_ref().unwrap_or(mode).size())).collect());
    let want: Vec<_> = (0..sizes.product())
        .map(|c| {
            let digits = sizes.unravel(c).leaves();
            let whole = steps.iter().zip(digits).map(|(step, x)| Tree::Leaf(step.as_ref().map_or(x, |step| step.at(x)))).collect();
            f.at_coordinate(&if f.outer.is_leaf() { first(whole) } else { Tree::Node(whole) })
        })
        .collect();
    same_values(&format!("composition({f}, {text}) = {r}"), &r.values(), &want)?;
    Ok(Outcome::Answered)
}

fn first(modes: Vec<Tree<i64>>) -> Tree<i64> {
    modes.into_iter().next().unwrap_or(Tree::Leaf(0))
}

fn divisor(rng: &mut Rng, n: i64) -> i64 {
    let all: Vec<i64> = (1..=n.max(1)).filter(|d| n % d == 0).collect();
    *rng.pick(&all)
}

/// Returns a random layout of one or two modes, whose indices are mostly in `0..size`.
fn tile(rng: &mut Rng, size: i64) -> Function {
    let first = divisor(rng, size);
    let second = divisor(rng, size / first.max(1));
    let rest = size / first.max(1) / second.max(1);
    let l = match rng.below(3) {
        0 => leaf(first, 1),
        1 => leaf(first, second),
        _ => flat(&[(first, second.max(1)), (rest.clamp(1, 4), first * second)]),
    };
    let small = rng.one_in(6) && size.count_ones() == 1 && size <= 64;
    let after = if small { After::Swizzle(1, 0, 1) } else { After::Nothing };
    Function { after, offset: Tree::Leaf(0), outer: l }
}

/// The result is a permutation of the elements of `f`, with the tile first.
pub fn divide(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let (r, tile_values, context) = if rng.one_in(2) {
        let t = tile(rng, f.size());
        let Some(r) = on_domain(op, f, &[&t])? else { return Ok(Outcome::Refused) };
        let values: Vec<_> = t.indices().ok_or("coordinates")?.into_iter().map(|c| f.at(c)).collect();
        (r, values, format!("{}({f}, {t})", op.name()))
    } else {
        let modes = f.outer.modes();
        let extents: Vec<i64> = modes.iter().map(|mode| divisor(rng, mode.size())).collect();
        let text = format!("[{}]", extents.iter().map(|n| format!("{n}:1")).collect::<Vec<_>>().join(";"));
        let Some(r) = on_domain(op, f, &[&text])? else { return Ok(Outcome::Refused) };
        let sizes = Tree::Node(extents.iter().map(|n| Tree::Leaf(*n)).collect());
        let whole = |c: i64| {
            if f.outer.is_leaf() { Tree::Leaf(c) } else { Tree::Node(sizes.unravel(c).leaves().into_iter().map(Tree::Leaf).collect()) }
        };
        // A logical divide by mode has the rests between the tiles.
        let count = if op == Op::LogicalDivide { 0 } else { sizes.product() };
        (r, (0..count).map(|c| f.at_coordinate(&whole(c))).collect(), format!("{}({f}, {text})", op.name()))
    };
    let values = r.values();
    same(&format!("elements of {context} = {r}"), sorted(&values), sorted(&f.values()))?;
    // An empty layout has no first tile.
    let first = if values.is_empty() { &[] } else { &tile_values[..] };
    same_values(&format!("tile of {context} = {r}"), &values[..first.len().min(values.len())], first)?;
    Ok(Outcome::Answered)
}

/// `R(w, p) = A(T(w) + p)` for every place `p` at which the window fits.
pub fn windows(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let modes = f.outer.modes();
    if modes.is_empty() || f.size() == 0 {
        return Ok(Outcome::Refused);
    }
    let extents: Vec<i64> = modes.iter().map(|mode| rng.between(1, mode.size())).collect();
    let text = format!("[{}]", extents.iter().map(|n| format!("{n}:1")).collect::<Vec<_>>().join(";"));
    let Some(r) = on_domain(op, f, &[&text])? else { return Ok(Outcome::Refused) };
    let places: Vec<i64> = modes.iter().zip(&extents).map(|(mode, n)| mode.size() - n + 1).collect();
    let sizes = Tree::Node(extents.iter().chain(&places).map(|n| Tree::Leaf(*n)).collect());
    let want: Vec<_> = (0..sizes.product())
        .map(|c| {
            let digits = sizes.unravel(c).leaves();
            let (window, place) = digits.split_at(extents.len());
            let at = window.iter().zip(place).map(|(w, p)| Tree::Leaf(w + p)).collect();
            f.at_coordinate(&if f.outer.is_leaf() { first(at) } else { Tree::Node(at) })
        })
        .collect();
    same_values(&format!("windows({f}, {text}) = {r}"), &r.values(), &want)?;
    Ok(Outcome::Answered)
}

/// The result has the block first, and then disjoint copies of it, one for each element of `B`.
pub fn product(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let b = if rng.one_in(6) { second(rng) } else { Function::plain(rng.compact(2, 12)) };
    let Some(r) = on_domain(op, f, &[&b])? else { return Ok(Outcome::Refused) };
    let context = format!("{}({f}, {b}) = {r}", op.name());
    same(&format!("size of {context}"), r.size(), f.size() * b.size())?;
    let block: Vec<_> = (0..f.size()).map(|c| r.at(c)).collect();
    same_values(&format!("block of {context}"), &block, &f.values())?;
    copies(&context, f, &b, &r)
}

/// The copies of an injective layout are disjoint, if `B` is injective.
fn copies(context: &str, f: &Function, b: &Function, r: &Function) -> Verdict {
    let outer = Function::plain(f.outer.clone());
    if super::is_injective(&outer.values()) && super::is_injective(&b.values()) && r.size() <= 4096 {
        ensure!(super::is_injective(&Function::plain(r.outer.clone()).values()), "{context} overlaps");
    }
    Ok(Outcome::Answered)
}

pub fn product_by_mode(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let b = Function::plain(rng.compact(2, 12));
    let Some(r) = on_domain(op, f, &[&b])? else { return Ok(Outcome::Refused) };
    let context = format!("{}({f}, {b}) = {r}", op.name());
    let rank = f.outer.rank().max(b.outer.rank());
    let (blocks, grid) = (f.outer.padded(rank), b.outer.padded(rank));
    let sizes = blocks.iter().zip(&grid).map(|(a, b)| if op == Op::BlockedProduct { [a.size(), b.size()] } else { [b.size(), a.size()] });
    let pairs = Tree::Node(sizes.map(|pair| Tree::Node(pair.iter().map(|n| Tree::Leaf(*n)).collect())).collect());
    same(&format!("size of {context}"), r.size(), pairs.product())?;
    // The first copy has the coordinates of the block.
    let own = Tree::Node(blocks.iter().map(|mode| Tree::Leaf(mode.size())).collect());
    for c in 0..own.product() {
        let digits = own.unravel(c).leaves();
        let place = |(x, copies): (&i64, &Layout)| if op == Op::BlockedProduct { *x } else { x * copies.size() };
        let at = Tree::Node(digits.iter().zip(&grid).map(place).map(Tree::Leaf).collect());
        let want = if f.outer.is_leaf() {
            Tree::Leaf(digits[0])
        } else {
            Tree::Node(digits[..f.outer.rank()].iter().map(|x| Tree::Leaf(*x)).collect())
        };
        same(&format!("{context} at {at}"), point(&r.at_coordinate(&at)), point(&f.at_coordinate(&want)))?;
    }
    copies(&context, f, &b, &r)
}

/// The result has the tile at the beginning of every mode, and copies that share no element with it.
pub fn tile_to_shape(op: Op, f: &Function, rng: &mut Rng) -> Verdict {
    let modes = f.outer.modes();
    let extents: Vec<i64> = modes.iter().map(|mode| mode.size() * rng.between(1, 3)).collect();
    let shape = if f.outer.is_leaf() { Tree::Leaf(extents[0]) } else { Tree::Node(extents.iter().map(|n| Tree::Leaf(*n)).collect()) };
    let Some(r) = on_domain(op, f, &[&shape])? else { return Ok(Outcome::Refused) };
    let context = format!("tile_to_shape({f}, {shape}) = {r}");
    let sizes: Vec<i64> = r.outer.modes().iter().map(Layout::size).collect();
    same(&format!("shape of {context}"), sizes, extents)?;
    let own = Tree::Node(modes.iter().map(|mode| Tree::Leaf(mode.size())).collect());
    for c in 0..own.product() {
        let at = if f.outer.is_leaf() { Tree::Leaf(c) } else { Tree::Node(own.unravel(c).leaves().into_iter().map(Tree::Leaf).collect()) };
        same(&format!("{context} at {at}"), point(&r.at_coordinate(&at)), point(&f.at_coordinate(&at)))?;
    }
    copies(&context, f, &Function::plain(leaf(1, 0)), &r)
}
