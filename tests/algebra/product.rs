//! logical_product with a layout on the right, blocked_product, raked_product.

use crate::common::exists::{compatible_layout, layout_of_ints};
use crate::common::grids::pairs;
use crate::common::law::{golden, refused};
use crate::common::layout::sorted;
use crate::common::tiling::disjoint;
use crate::common::{Layout, Outcome, Rng, Tree, Verdict, ask_layout, hold, same};
use crate::ensure;

/// Returns the layout that places copies of `A`, or its refusal: a complement of `A` with room for all copies.
fn free(a: &Layout, b: &Layout) -> Result<Layout, String> {
    let reach = |l: &Layout| l.leaves().iter().map(|leaf| leaf.extent * leaf.stride.abs() + 1).sum::<i64>();
    let m = 2 * reach(a) * reach(b);
    ask_layout("complement", &[a, &m]).map_err(|error| error.to_string())
}

/// `R = logical_product(A, B)`: mode 0 is `A`. Mode 1 refines the shape of `B` and places copy `b` at `free(B(b))`, so different
/// copies do not overlap.
pub fn pair(a: &Layout, b: &Layout, r: &Layout) -> Result<(), String> {
    let context = format!("{a} times {b} gives {r}");
    ensure!(!r.is_leaf() && r.rank() == 2, "{context}: not a pair");
    let (modes, free) = (r.modes(), free(a, b)?);
    same(&format!("{context}: mode 0"), &modes[0], a)?;
    ensure!(b.shape().compatible(&modes[1].shape()), "{context}: mode 1 does not refine the shape of {b}");
    same(&format!("{context}: mode 1"), modes[1].values(), b.values().into_iter().map(|x| free.at(x)).collect())?;
    ensure!(disjoint(&a.image(), &modes[1].image()), "{context}: copies overlap");
    same(&format!("{context}: different copies"), modes[1].image().len(), b.image().len())
}

pub fn has_pair(a: &Layout, b: &Layout) -> bool {
    let Ok(free) = free(a, b) else { return false };
    let strides = b.leaves();
    compatible_layout(&b.shape().leaves(), |c| vec![free.at(c.iter().zip(&strides).map(|(c, leaf)| c * leaf.stride).sum())])
}

pub fn logical(a: &Layout, b: &Layout) -> Verdict {
    match ask_layout("logical_product", &[a, b]) {
        Ok(r) => pair(a, b, &r).map(|()| Outcome::Answered).map_err(|broken| format!("logical_product({a}, {b}): {broken}")),
        Err(error) => {
            ensure!(!has_pair(a, b), "logical_product({a}, {b}) has an answer, but is refused: {error}");
            Ok(Outcome::Refused)
        }
    }
}

/// Mode `k` of the blocked product is (mode `k` of `A`, mode `k` of the copies); the raked product swaps the two. The shorter
/// operand is filled up with modes `1:0`. The elements are those of the logical product.
fn interleaved(a: &Layout, b: &Layout) -> Verdict {
    let rank = a.rank().max(b.rank());
    let (wide_a, wide_b) = (Tree::Node(a.padded(rank)), Tree::Node(b.padded(rank)));
    let logical = ask_layout("logical_product", &[&wide_a, &wide_b]);
    for op in ["blocked_product", "raked_product"] {
        match (&logical, ask_layout(op, &[a, b])) {
            (Ok(pair), Ok(r)) => {
                let context = format!("{op}({a}, {b})");
                let (blocks, copies) = (pair.modes()[0].modes(), pair.modes()[1].modes());
                let modes = blocks.into_iter().zip(copies);
                let want = modes.map(|(x, y)| Tree::Node(if op == "blocked_product" { vec![x, y] } else { vec![y, x] })).collect();
                same(&context, r.to_string(), Tree::Node(want).to_string())?;
                same(&format!("elements of {context}"), sorted(r.values()), sorted(pair.values()))?;
                for (k, mode) in r.modes().iter().enumerate() {
                    let size = wide_a.modes()[k].size() * wide_b.modes()[k].size();
                    same(&format!("size of mode {k} of {context}"), mode.size(), size)?;
                }
            }
            (Err(_), Err(_)) => {}
            (Ok(_), Err(error)) => return Err(format!("{op}({a}, {b}) is refused: {error}")),
            (Err(error), Ok(r)) => return Err(format!("{op}({a}, {b}) = {r}, though logical_product refuses: {error}")),
        }
    }
    Ok(if logical.is_ok() { Outcome::Answered } else { Outcome::Refused })
}

#[test]
fn examples() {
    golden(
        "logical_product",
        &[
            (&["(2,2):(4,1)", "6:1"], "((2,2),(2,3)):((4,1),(2,8))"),
            (&["(2,2):(4,1)", "(4,2):(2,1)"], "((2,2),(4,2)):((4,1),(8,2))"),
            (&["(2,5):(5,1)", "(3,4):(1,3)"], "((2,5),(3,4)):((5,1),(10,30))"),
            (&["4:1", "(3,2):(0,1)"], "(4,(3,2)):(1,(0,4))"),
        ],
    );
    golden("blocked_product", &[(&["(2,5):(5,1)", "(3,4):(1,3)"], "((2,3),(5,4)):((5,10),(1,30))")]);
    golden("raked_product", &[(&["(2,5):(5,1)", "(3,4):(1,3)"], "((3,2),(4,5)):((10,5),(30,1))")]);
    refused("logical_product", &[(&["(3,2):(1,2)", "4"], "falls inside the 3 elements")]);
}

#[test]
fn of_small_pairs() {
    hold(pairs(16, 30_000), |(a, b)| logical(a, b)).answers_at_least(5000).refuses_at_least(2000);
}

#[test]
fn of_random_layouts() {
    let mut rng = Rng::new(17);
    let cases: Vec<_> = (0..5000).map(|_| (rng.layout(4, 24), rng.layout(4, 24))).collect();
    hold(&cases, |(a, b)| logical(a, b)).answers_at_least(2000).refuses_at_least(500);
    hold(&cases, |(a, b)| interleaved(a, b)).answers_at_least(2000).refuses_at_least(500);
}

/// For compact operands the result is compact too, and the copies follow each other in the order of `B`.
#[test]
fn of_compact_layouts() {
    let mut rng = Rng::new(18);
    let cases: Vec<_> = (0..1500).map(|_| (rng.compact(4, 30), rng.compact(4, 30))).collect();
    hold(&cases, |(a, b)| {
        let r = ask_layout("logical_product", &[a, b]).map_err(|error| format!("logical_product({a}, {b}): {error}"))?;
        same(&format!("image of {r}"), r.image(), (0..a.size() * b.size()).collect())?;
        let copies: Vec<i64> = b.values().iter().map(|x| x * a.size()).collect();
        same(&format!("copies of {r}"), r.modes()[1].values(), copies)?;
        ensure!(layout_of_ints(&r.modes()[1].values()).is_some(), "the copies of {r} are no layout");
        Ok(Outcome::Answered)
    })
    .answers_at_least(1500);
    hold(&cases, |(a, b)| interleaved(a, b)).answers_at_least(1500);
}
